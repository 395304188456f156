; Barriers stay where they are, each of them, in helpers and in both branches of an if.
; RUN: %opt -passes=ka-prepare,ka-kernel-entry,ka-inline-calls,ka-simplify %s | FileCheck %s

!ka.kernels = !{!0}
!0 = !{!"k scalar:0:4:4"}

; CHECK-LABEL: define void @k(
; CHECK: br i1
; CHECK-COUNT-3: call void @ka_barrier()
; CHECK-NOT: call void @ka_barrier()
; CHECK: ret void
define void @ka.entry.k(ptr %t) {
  %n = load i32, ptr %t
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  call void @meet()
  br label %end
b:
  call void @meet()
  br label %end
end:
  call void @meet()
  ret void
}
define void @meet() {
  call void @ka_barrier()
  ret void
}
declare void @ka_barrier()
