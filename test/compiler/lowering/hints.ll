; Assumptions about items do not hold for items that are kept from acting.
; RUN: %opt -passes=ka-hints %s | FileCheck %s

; CHECK-LABEL: define i32 @f
; CHECK-NEXT: alloca
; CHECK-NEXT: icmp
; CHECK-NEXT: load i32, ptr %p, align 4{{$}}
; CHECK-NEXT: ret i32
define i32 @f(ptr %p, i1 %c, i32 %x) {
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  %n = icmp ne i1 %e, %c
  call void @llvm.assume(i1 %n)
  %l = load i32, ptr %p, align 4, !range !0, !noundef !1
  ret i32 %l
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.assume(i1)
declare i1 @llvm.expect.i1(i1, i1)
!0 = !{i32 0, i32 5}
!1 = !{}
