; A kernel that has something to tell the host gets the mailbox and the number of its launch, in
; both entry points; others do not.
; RUN: %opt -passes=ka-mailbox,ka-range-guard,ka-spill %s | FileCheck %s

!ka.kernels = !{!0, !1, !2}
!0 = !{!"silent pointer:0:8:8"}
!1 = !{!"talks pointer:0:8:8"}
!2 = !{!"large pointer:0:8:8 aggregate:8:1000:8"}

declare void @ka.mailbox.fail(i32, ptr)

; CHECK-DAG: define void @silent(ptr %p)
define void @silent(ptr %p) "ka-kernel" {
  store i32 1, ptr %p
  ret void
}

; CHECK-DAG: define void @talks(ptr %p, ptr noalias align 64 "ka-mailbox" %ka.mailbox, i64 "ka-launch" %ka.launch)
define void @talks(ptr %p) "ka-kernel" {
  call void @ka.mailbox.fail(i32 0, ptr null)
  ret void
}

; It counts when arguments are too many.
; CHECK-DAG: define void @large(ptr %p, ptr {{.*}}"ka-spilled" %ka.arguments, ptr {{.*}}%ka.mailbox, i64 {{.*}}%ka.launch)
define void @large(ptr %p, ptr byval([1000 x i8]) %a) "ka-kernel" {
  call void @ka.mailbox.fail(i32 0, ptr null)
  ret void
}

; CHECK-DAG: define void @silent__ka_padded(ptr %p, i64 %ka.extent.0, i64 %ka.extent.1, i64 %ka.extent.2)
; CHECK-DAG: define void @talks__ka_padded(ptr %p, ptr noalias align 64 "ka-mailbox" %ka.mailbox, i64 "ka-launch" %ka.launch, i64 %ka.extent.0, i64 %ka.extent.1, i64 %ka.extent.2)
