; An item that trapped goes to the barrier, and its group ends there with it. The turn tells its flag
; from that of an item which is already ahead.
; RUN: %opt -passes=ka-spirv-barriers %s | FileCheck %s

declare void @ka_barrier()
declare void @ka.mailbox.fail(i32, ptr)

; CHECK-LABEL: define void @k
; CHECK: bad:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 0, ptr %flag)
; CHECK-NEXT: store i32 %[[TURN:.*]], ptr %flag
; CHECK-NEXT: br label %dispatch.meet
; CHECK: dispatch:
; CHECK-NEXT: %[[TURN]] = phi i32 [ 1, %entry ], [ %[[NEXT:.*]], %dispatch.meet ]
; CHECK: dispatch.meet:
; CHECK: call void @ka_barrier()
; CHECK-NEXT: %[[DONE:.*]] = icmp eq i32 %{{.*}}, 2
; CHECK-NEXT: %[[STOP:.*]] = load i32, ptr %flag
; CHECK-NEXT: %[[NOW:.*]] = icmp eq i32 %[[STOP]], %[[TURN]]
; CHECK-NEXT: %[[OVER:.*]] = or i1 %[[DONE]], %[[NOW]]
; CHECK-NEXT: %[[NEXT]] = add i32 %[[TURN]], 1
; CHECK-NEXT: br i1 %[[OVER]], label %dispatch.done, label %dispatch
define void @k(i1 %c, i1 %s, ptr %p, ptr %flag) {
entry:
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr %flag)
  unreachable
good:
  br i1 %s, label %meet, label %end
meet:
  call void @ka_barrier()
  br label %end
end:
  store i32 1, ptr %p
  ret void
}

; The same trap behind none of the barriers, and behind one.
; CHECK-LABEL: define void @shared(
; CHECK: dispatch.meet:
define void @shared(i1 %c, i1 %d, ptr %p, ptr %flag) {
entry:
  call void @ka_barrier()
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr %flag)
  unreachable
good:
  call void @ka_barrier()
  br i1 %d, label %bad, label %better
better:
  call void @ka_barrier()
  ret void
}

; The flag's address is worked out where the trap is; the variable itself is there everywhere.
@two.flag = internal addrspace(3) global i32 poison

; CHECK-LABEL: define void @two(
; CHECK: bad:
; CHECK: store i32 %{{.*}}, ptr addrspace(3) @two.flag
; CHECK: worse:
; CHECK: store i32 %{{.*}}, ptr addrspace(3) @two.flag
; CHECK: dispatch.meet:
; CHECK: load i32, ptr addrspace(3) @two.flag
define void @two(i1 %c, i1 %d, i1 %s, ptr %p) {
entry:
  br i1 %c, label %bad, label %good
bad:
  %here = addrspacecast ptr addrspace(3) @two.flag to ptr
  call void @ka.mailbox.fail(i32 0, ptr %here)
  unreachable
good:
  br i1 %s, label %meet, label %behind
meet:
  call void @ka_barrier()
  br label %behind
behind:
  br i1 %d, label %worse, label %end
worse:
  %there = addrspacecast ptr addrspace(3) @two.flag to ptr
  call void @ka.mailbox.fail(i32 1, ptr %there)
  unreachable
end:
  store i32 1, ptr %p
  ret void
}

; Where others always come to the same barrier next, its number is left, and nothing is asked for in
; other turns. In front of a loop a barrier is made for that.
declare i64 @ka_local_id(i32)
@loop.flag = internal addrspace(3) global i32 poison

; CHECK-LABEL: define void @loop(
; CHECK: head.preheader:
; CHECK-NEXT: br label %dispatch.meet
; CHECK: [[FIRST:stopped.*]]: ; preds
; CHECK-NEXT: %[[FLAG:.*]] = load i32, ptr addrspace(3) @loop.flag
; CHECK-NEXT: %[[IS:.*]] = icmp eq i32 %[[FLAG]], 1
; CHECK-NEXT: br i1 %[[IS]], label %[[STOP:.*]], label %[[RESUME:.*]]
; CHECK: [[STOP]]:
; CHECK-NEXT: br label %dispatch.meet
; CHECK: bad:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 0,
; CHECK-NEXT: store i32 1, ptr addrspace(3) @loop.flag
; CHECK-NEXT: br label %dispatch.meet
; CHECK: worse:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 1,
; CHECK-NEXT: store i32 3, ptr addrspace(3) @loop.flag
; CHECK-NEXT: br label %dispatch.meet
; CHECK: [[SECOND:stopped.*]]: ; preds
; CHECK: icmp eq i32 %{{.*}}, 3
; CHECK: dispatch:
; CHECK-NOT: turn
; CHECK: switch
; CHECK-NEXT: i32 1, label %[[FIRST]]
; CHECK-NEXT: i32 2, label %resume
; CHECK-NEXT: i32 3, label %[[SECOND]]
; CHECK-NEXT: i32 4, label %resume
; CHECK: dispatch.meet:
; CHECK: call void @ka_barrier()
; CHECK-NEXT: icmp eq i32 %{{.*}}, 5
; CHECK-NEXT: br
define void @loop(ptr %p) {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 0
  br i1 %c, label %bad, label %head
bad:
  call void @ka.mailbox.fail(i32 0, ptr addrspacecast (ptr addrspace(3) @loop.flag to ptr))
  unreachable
head:
  %d = icmp eq i64 %l, 7
  br i1 %d, label %worse, label %better
worse:
  call void @ka.mailbox.fail(i32 1, ptr addrspacecast (ptr addrspace(3) @loop.flag to ptr))
  unreachable
better:
  call void @ka_barrier()
  %v = load i32, ptr %p
  call void @ka_barrier()
  %again = icmp eq i32 %v, 0
  br i1 %again, label %head, label %end
end:
  ret void
}
