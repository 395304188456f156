; Types that SPIR-V lacks leave addresses, vectors, variables and freezes.
; RUN: %opt -passes=ka-spirv-types %s | FileCheck %s
; RUN: %opt -passes=ka-spirv-variables %s | FileCheck %s --check-prefix=VARIABLE

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

; Variables keep their bytes: a member of no length goes away, an object of none is one byte.
; VARIABLE: @lone = constant <{ i32 }> <{ i32 7 }>, align 4
@lone = constant %flexible { i32 7, [0 x i32] zeroinitializer }
; VARIABLE: @padded = constant <{ i8, [1 x i8], i16, i32, i8, [3 x i8] }> <{ i8 1, [1 x i8] zeroinitializer, i16 2, i32 3, i8 4, [3 x i8] zeroinitializer }>, align 4
@padded = constant { i8, [0 x i16], i16, [0 x i32], i32, i8 } { i8 1, [0 x i16] zeroinitializer, i16 2, [0 x i32] zeroinitializer, i32 3, i8 4 }
; VARIABLE: @bits = constant [2 x [4 x i8]] {{\[}}[4 x i8] c"\02\01\00\00", [4 x i8] c"\FF\FF\FF\00"], align 4
@bits = constant [2 x i24] [i24 258, i24 -1]
; VARIABLE: @vector = constant <{ [5 x i16], [6 x i8] }> <{ [5 x i16] [i16 1, i16 2, i16 3, i16 4, i16 5], [6 x i8] zeroinitializer }>, align 16
@vector = constant <5 x i16> <i16 1, i16 2, i16 3, i16 4, i16 5>
; VARIABLE: @none = constant i8 0, align 8
@none = constant [0 x i64] zeroinitializer, align 8
; VARIABLE: @group = addrspace(3) global <{ i32 }> undef, align 16
@group = addrspace(3) global %flexible undef, align 16
; VARIABLE: @legal = constant { i8, i32 } { i8 1, i32 2 }{{$}}
@legal = constant { i8, i32 } { i8 1, i32 2 }
