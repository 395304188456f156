; Types that SPIR-V lacks leave addresses, vectors and freezes.
; RUN: %opt -passes=ka-spirv-types %s | FileCheck %s

%flexible = type { i32, [0 x i32] }
; CHECK-LABEL: define i32 @flexible
; CHECK-NOT: [0 x i32]
; CHECK: mul {{.*}}i64 %i, 4
; CHECK: getelementptr {{.*}}i8, ptr %p
; CHECK: ret i32
define i32 @flexible(ptr %p, i64 %i) {
  %a = getelementptr inbounds %flexible, ptr %p, i64 0, i32 1, i64 %i
  %v = load i32, ptr %a
  %f = freeze i32 %v
  ret i32 %f
}
; CHECK-LABEL: define void @five
; CHECK-NOT: <5 x float>
; CHECK-COUNT-5: fadd float
; CHECK-NOT: <5 x float>
; CHECK: ret void
define void @five(ptr %p, i64 %i) {
  %a = getelementptr <5 x float>, ptr %p, i64 %i
  %v = load <5 x float>, ptr %a
  %s = fadd <5 x float> %v, %v
  store <5 x float> %s, ptr %a
  ret void
}
