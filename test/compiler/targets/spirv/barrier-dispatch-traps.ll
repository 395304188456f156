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
define void @k(i1 %c, ptr %p, ptr %flag) {
entry:
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr %flag)
  unreachable
good:
  call void @ka_barrier()
  store i32 1, ptr %p
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
define void @two(i1 %c, i1 %d, ptr %p) {
entry:
  br i1 %c, label %bad, label %good
bad:
  %here = addrspacecast ptr addrspace(3) @two.flag to ptr
  call void @ka.mailbox.fail(i32 0, ptr %here)
  unreachable
good:
  call void @ka_barrier()
  br i1 %d, label %worse, label %end
worse:
  %there = addrspacecast ptr addrspace(3) @two.flag to ptr
  call void @ka.mailbox.fail(i32 1, ptr %there)
  unreachable
end:
  store i32 1, ptr %p
  ret void
}
