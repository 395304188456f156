; Calls that stop an item become traps.
; RUN: %opt -passes=ka-traps %s | FileCheck %s

!ka.kernels = !{!0, !1, !2, !3, !4}
!0 = !{!"alone pointer:0:8:8"}
!1 = !{!"together pointer:0:8:8"}
!2 = !{!"apart pointer:0:8:8"}
!3 = !{!"own_abort pointer:0:8:8"}
!4 = !{!"behind pointer:0:8:8"}

@text = private constant [6 x i8] c"i < n\00"
@file = private constant [4 x i8] c"f.c\00"
@function = private constant [2 x i8] c"f\00"

declare i64 @ka_local_id(i32)
declare void @ka_barrier()
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn
declare void @ka_trap(ptr) noreturn
declare void @llvm.trap()

; Group memory for the items that trap apart from their group, and for no others.
; CHECK: @ka.stopped = internal global i32 0, section ".ka.local.init"
; CHECK-NEXT: @ka.stopped.1 = internal global i32 0, section ".ka.local.init"
; CHECK-NOT: @ka.stopped

; Without barriers they return, all from one place. Equal ones are one site.
; CHECK-LABEL: define void @alone
; CHECK: one:
; CHECK-NEXT: br label %trap
; CHECK: again:
; CHECK-NEXT: br label %trap
; CHECK: other:
; CHECK-NEXT: br label %trap
; CHECK: trap:
; CHECK-NEXT: %[[SITE:.*]] = phi i32 [ 0, %one ], [ 0, %again ], [ 1, %other ]
; CHECK-NEXT: call void @ka.mailbox.fail(i32 %[[SITE]], ptr null)
; CHECK-NEXT: ret void
define void @alone(ptr %p) "ka-kernel" {
  %v = load i32, ptr %p
  switch i32 %v, label %done [
    i32 1, label %one
    i32 2, label %again
    i32 3, label %other
  ]
one:
  call void @__assert_fail(ptr @text, ptr @file, i32 7, ptr @function)
  unreachable
again:
  call void @__assert_fail(ptr @text, ptr @file, i32 7, ptr @function)
  store i32 3, ptr %p
  unreachable
other:
  call void @ka_trap(ptr @text)
  call void @llvm.trap()
  br label %done
done:
  ret void
}

; Where all items of a group come by, they all return.
; CHECK-LABEL: define void @together
; CHECK: bad:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 0, ptr null)
; CHECK-NEXT: ret void
define void @together(ptr %p) "ka-kernel" {
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  call void @ka_barrier()
  ret void
}

; CHECK-LABEL: define void @apart
; CHECK: bad:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 0, ptr @ka.stopped)
; CHECK-NEXT: unreachable
define void @apart(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 0
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  call void @ka_barrier()
  ret void
}

; Where no barrier comes any more there is nobody to tell.
; CHECK-LABEL: define void @behind
; CHECK: bad:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 0, ptr @ka.stopped.1)
; CHECK-NEXT: unreachable
; CHECK: worse:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 0, ptr null)
; CHECK-NEXT: ret void
define void @behind(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 0
  br label %loop
loop:
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  call void @ka_barrier()
  %v = load i32, ptr %p
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %out
out:
  br i1 %c, label %worse, label %end
worse:
  call void @llvm.trap()
  unreachable
end:
  ret void
}

; CHECK-LABEL: define void @own_abort
; CHECK: call void @abort(i32 1)
define void @own_abort(ptr %p) "ka-kernel" {
  call void @abort(i32 1)
  ret void
}
declare void @abort(i32)
