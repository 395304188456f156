; Barriers in branches and loops become one barrier in one loop; straight ones stay.
; RUN: %opt -passes=ka-spirv-barriers %s | FileCheck %s

declare void @ka_barrier()

; CHECK-LABEL: define void @straight
; CHECK-NOT: dispatch
; CHECK: ret void
define void @straight(i1 %c, ptr %p) {
entry:
  call void @ka_barrier()
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr %p
  br label %end
end:
  call void @ka_barrier()
  ret void
}

; CHECK-LABEL: define void @conditional
; CHECK: entry:
; CHECK-NEXT: %v = load i32, ptr %p
; CHECK-NEXT: %[[GROUPS:.*]] = call i64 @ka_num_groups(i32 0)
; CHECK-NEXT: %[[NONE:.*]] = icmp ugt i64 %[[GROUPS]], 281474976710656
; CHECK-NEXT: %[[FIRST:.*]] = zext i1 %[[NONE]] to i32
; CHECK-NEXT: br label %dispatch
; CHECK: then:
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: br label %dispatch.meet
; CHECK: resume:
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: store i32 %v, ptr %p
; CHECK-NEXT: br label %dispatch.meet
; CHECK: dispatch:
; CHECK-NEXT: %[[STATE:.*]] = phi i32 [ %[[FIRST]], %entry ], [ %[[NEXT:.*]], %dispatch.meet ]
; CHECK-NEXT: switch i32 %[[STATE]], label %dispatch.start [
; CHECK-NEXT: i32 1, label %resume
; CHECK: dispatch.meet:
; CHECK-NEXT: %[[NEXT]] = phi i32 [ 1, %then ], [ 2, %end ]
; CHECK-NEXT: call void @ka_barrier()
; CHECK-NEXT: %[[DONE:.*]] = icmp eq i32 %[[NEXT]], 2
; CHECK-NEXT: br i1 %[[DONE]], label %dispatch.done, label %dispatch
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @conditional(i1 %c, ptr %p) {
entry:
  %v = load i32, ptr %p
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr %p
  call void @ka_barrier()
  br label %end
end:
  store i32 %v, ptr %p
  ret void
}

; A loop with two ways out.
; CHECK-LABEL: define void @leaves
; CHECK: dispatch:
; CHECK: call void @ka_barrier()
; CHECK-NOT: call void @ka_barrier()
; CHECK: ret void
define void @leaves(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @ka_barrier()
  %v = load i32, ptr %p
  %d = icmp eq i32 %v, 7
  br i1 %d, label %end, label %latch
latch:
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  %last = phi i32 [ %i, %loop ], [ %next, %latch ]
  store i32 %last, ptr %p
  ret void
}
