; Where barriers are straight, an item that trapped skips from barrier to barrier, and its group with it.
; RUN: %opt -passes=ka-spirv-barriers,ka-spirv-stops %s | FileCheck %s

declare void @ka_barrier()
declare void @ka.mailbox.fail(i32, ptr)

@k.stopped = internal addrspace(3) global i32 poison

; Each trap leaves the number of its next barrier. Nobody is out behind the first one, where no trap
; comes before; who is out skips the rest, at the last barrier to the end.
; CHECK-LABEL: define void @k(
; CHECK-NOT: dispatch
; CHECK: meet:
; CHECK-NEXT: call void @ka_barrier()
; CHECK-NEXT: br label %resume
; CHECK: resume:
; CHECK-NEXT: br i1 %c, label %bad, label %good
; CHECK: bad:
; CHECK: call void @ka.mailbox.fail(i32 0, ptr %here)
; CHECK-NEXT: store i32 2, ptr addrspace(3) @k.stopped
; CHECK-NEXT: br label %[[MEET2:.*]]
; CHECK: good:
; CHECK-NEXT: %v = load i32, ptr %p
; CHECK-NEXT: br label %[[MEET2]]
; CHECK: [[MEET2]]:
; CHECK-NEXT: %[[V:.*]] = phi i32 [ 0, %bad ], [ %v, %good ]
; CHECK-NEXT: call void @ka_barrier()
; CHECK-NEXT: %[[F:.*]] = load i32, ptr addrspace(3) @k.stopped
; CHECK-NEXT: %[[B:.*]] = sub i32 %[[F]], 1
; CHECK-NEXT: %[[OUT:.*]] = icmp ule i32 %[[B]], 1
; CHECK-NEXT: br i1 %[[OUT]], label %[[MEET3:.*]], label %[[RESUME2:.*]]
; CHECK: [[RESUME2]]:
; CHECK-NEXT: br i1 %d, label %worse, label %better
; CHECK: worse:
; CHECK: store i32 3, ptr addrspace(3) @k.stopped
; CHECK-NEXT: br label %[[MEET3]]
; CHECK: [[MEET3]]:
; CHECK: call void @ka_barrier()
; CHECK: %[[OUT3:.*]] = icmp ule i32 %{{.*}}, 2
; CHECK-NEXT: br i1 %[[OUT3]], label %stopped, label %[[RESUME3:.*]]
; CHECK: [[RESUME3]]:
; CHECK-NEXT: br i1 %d, label %worst, label %end
; CHECK: worst:
; CHECK-NEXT: call void @ka.mailbox.fail(i32 2, ptr null)
; CHECK-NEXT: br label %stopped
; CHECK: stopped:
; CHECK-NEXT: ret void
define void @k(i1 %c, i1 %d, ptr %p) {
entry:
  call void @ka_barrier()
  br i1 %c, label %bad, label %good
bad:
  %here = addrspacecast ptr addrspace(3) @k.stopped to ptr
  call void @ka.mailbox.fail(i32 0, ptr %here)
  unreachable
good:
  %v = load i32, ptr %p
  call void @ka_barrier()
  br i1 %d, label %worse, label %better
worse:
  %there = addrspacecast ptr addrspace(3) @k.stopped to ptr
  call void @ka.mailbox.fail(i32 1, ptr %there)
  unreachable
better:
  store i32 1, ptr %p
  call void @ka_barrier()
  br i1 %d, label %worst, label %end
worst:
  call void @ka.mailbox.fail(i32 2, ptr null)
  unreachable
end:
  store i32 %v, ptr %p
  ret void
}

; Whole groups that return, from a block of their own or by way of a common one.
; CHECK-LABEL: define void @together(
; CHECK-NOT: dispatch
; CHECK: bad:
; CHECK-NEXT: store i32 7, ptr %p
; CHECK-NEXT: br label %[[MEET:.*]]
; CHECK: [[MEET]]:
; CHECK-NEXT: %[[OUT:.*]] = phi i1 [ true, %bad ], [ false, %good ]
; CHECK-NEXT: call void @ka_barrier()
; CHECK-NEXT: br i1 %[[OUT]], label %[[MEET2:.*]], label %[[RESUME:.*]]
; CHECK: [[RESUME]]:
; CHECK-NEXT: br i1 %d, label %[[LEAVE:.*]], label %better
; CHECK: [[MEET2]]:
; CHECK-NEXT: %[[OUT2:.*]] = phi i1 [ %[[OUT]], %[[MEET]] ], [ true, %[[LEAVE]] ], [ %[[OUT]], %better ]
; CHECK-NEXT: call void @ka_barrier()
; CHECK-NEXT: br i1 %[[OUT2]], label %stopped, label %[[RESUME2:.*]]
; CHECK: [[RESUME2]]:
; CHECK-NEXT: store i32 1, ptr %p
; CHECK: [[LEAVE]]:
; CHECK-NEXT: br label %[[MEET2]]
define void @together(i1 %c, i1 %d, ptr %p) {
entry:
  br i1 %c, label %bad, label %good
bad:
  store i32 7, ptr %p
  ret void
good:
  call void @ka_barrier()
  br i1 %d, label %end, label %better
better:
  call void @ka_barrier()
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; The same end, behind both barriers or one of them only.
; CHECK-LABEL: define void @branch(
; CHECK: dispatch.meet:
define void @branch(i1 %c, ptr %p) {
entry:
  br i1 %c, label %then, label %end
then:
  call void @ka_barrier()
  br label %end
end:
  store i32 1, ptr %p
  ret void
}

; Nobody traps.
; CHECK-LABEL: define void @none(
; CHECK-NEXT: call void @ka_barrier()
; CHECK-NEXT: ret void
define void @none() {
  call void @ka_barrier()
  ret void
}
