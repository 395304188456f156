; A function for whole groups, of kernels with traps: a loop over the items for each region between
; barriers, and what crosses from one to the next.
; RUN: %opt -passes=ka-range-guard %s | FileCheck %s
; RUN: %opt -passes=ka-range-guard %s | FileCheck %s --check-prefix=NONE

!ka.kernels = !{!0, !1, !2, !3, !4, !5, !6, !7, !8}
!0 = !{!"rows pointer:0:8:8"}
!1 = !{!"crossing pointer:0:8:8 group:32,1,1"}
!2 = !{!"turns pointer:0:8:8 group:32,1,1"}
!3 = !{!"variable pointer:0:8:8 group:32,1,1"}
!4 = !{!"any_size pointer:0:8:8"}
!5 = !{!"no_traps pointer:0:8:8"}
!6 = !{!"sub_groups pointer:0:8:8"}
!7 = !{!"unsafe pointer:0:8:8 unsafe"}
!8 = !{!"prints pointer:0:8:8"}

declare i64 @ka_global_id(i32)
declare i64 @ka_local_id(i32)
declare i64 @ka_group_id(i32)
declare i64 @ka_sub_group_lane()
declare void @ka_barrier()
declare void @ka.mailbox.fail(i32, ptr)
declare i32 @ka.mailbox.print(ptr, ...)

; Groups have no shape that matters: one loop along x, which has the id along, and ends where the
; range does. An item's failure ends its turn, and the least number is told behind the loop.
; CHECK-LABEL: define void @rows__ka_group(ptr %p, <16 x i64> %ka.range)
; CHECK-SAME: !reqd_work_group_size ![[ONE:[0-9]+]]
; CHECK: %[[REST:.*]] = sub i64 %{{.*}}, %[[BASE:.*]]
; CHECK: %[[SHORT:.*]] = icmp ult i64 %[[REST]], %[[PART:.*]]
; CHECK: %[[COUNT:.*]] = select i1 %[[SHORT]], i64 %[[REST]], i64 %[[PART]]
; CHECK: group.loop:
; CHECK-NEXT: %[[INDEX:.*]] = phi i64 [ 0, %group.enter ], [ %[[NEXT:.*]], %group.next ]
; CHECK-NEXT: %[[ID:.*]] = phi i64
; CHECK-NEXT: %[[BEFORE:.*]] = phi i32 [ -1, %group.enter ], [ %[[LEAST:.*]], %group.next ]
; CHECK: getelementptr i32, ptr %p, i64 %[[ID]]
; CHECK: bad:
; CHECK-NEXT: trunc i64 %{{.*}} to i32
; CHECK-NOT: call
; CHECK: br label %group.next
; CHECK: group.next:
; CHECK-NEXT: %[[FAILED:failed.*]] = phi i32
; CHECK-SAME: [ -1, %good ]
; CHECK-NEXT: %[[LESS:.*]] = icmp ult i32 %[[FAILED]], %[[BEFORE]]
; CHECK-NEXT: %[[LEAST]] = select i1 %[[LESS]], i32 %[[FAILED]], i32 %[[BEFORE]]
; CHECK-NEXT: %[[NEXT]] = add nuw nsw i64 %[[INDEX]], 1
; CHECK: icmp ult i64 %[[NEXT]], %[[COUNT]]
; CHECK: group.failed:
; CHECK: call void @ka.mailbox.report(i32
; CHECK-NEXT: ret void
define void @rows(ptr %p) "ka-kernel" {
  %i = call i64 @ka_global_id(i32 0)
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  ret void
good:
  store i32 1, ptr %a
  ret void
}

; A loaded value goes through an array; a place that an id tells is found again; what is the same for
; all items is found between the loops, here a load by the last item's.
; CHECK-LABEL: define void @crossing__ka_group(
; CHECK: %[[ARRAY:group.items]] = alloca [32 x i32], align 64
; CHECK-NOT: alloca [32
; CHECK-NOT: @ka_barrier
; CHECK: group.loop:
; CHECK: %[[L:.*]] = phi i64
; CHECK: %v = load i32
; CHECK-NEXT: store i32 %v, ptr
; CHECK: icmp ult i64 %{{.*}}, 32
; CHECK: group.leave:
; CHECK: group.loop{{[0-9]+}}:
; CHECK-NEXT: %[[M:.*]] = phi i64
; CHECK: %[[LOADED:.*]] = load i32, ptr
; CHECK: %[[AGAIN:.*]] = getelementptr i32, ptr %p, i64 %[[M]]
; CHECK: %w = add i32 %[[LOADED]], %{{.*}}
; CHECK-NEXT: store i32 %w, ptr %[[AGAIN]]
define void @crossing(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %a = getelementptr i32, ptr %p, i64 %l
  %v = load i32, ptr %a
  %u = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  unreachable
good:
  call void @ka_barrier()
  %w = add i32 %v, %u
  store i32 %w, ptr %a
  ret void
}

; The group makes the turns together: the counter is a phi between the loops, an item's sum is in an
; array.
; CHECK-LABEL: define void @turns__ka_group(
; CHECK: group.enter1:
; CHECK-NEXT: %[[I:i.*]] = phi i64 [ 0, %{{.*}} ], [ %[[I2:.*]], %{{.*}} ]
; CHECK: br label %group.loop
; CHECK: %[[I2]] = add i64 %[[I]], 1
; CHECK: %[[MORE:.*]] = icmp ult i64 %[[I2]], 9
; CHECK-NEXT: br i1 %[[MORE]], label %group.enter1, label %group.enter
define void @turns(ptr %p) "ka-kernel" {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %a = getelementptr i32, ptr %p, i64 %l
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %good ]
  %s = phi i32 [ 0, %entry ], [ %s2, %good ]
  %v = load i32, ptr %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  unreachable
good:
  call void @ka_barrier()
  %s2 = add i32 %s, %v
  store i32 %s2, ptr %a
  %i2 = add i64 %i, 1
  %more = icmp ult i64 %i2, 9
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A variable that outlasts a region: one for each item.
; CHECK-LABEL: define void @variable__ka_group(
; CHECK: alloca [32 x [4 x i32]]
define void @variable(ptr %p) "ka-kernel" {
  %x = alloca [4 x i32]
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 7
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  unreachable
good:
  %at = getelementptr i32, ptr %x, i64 %l
  store i32 1, ptr %at
  call void @ka_barrier()
  %v = load i32, ptr %at
  store i32 %v, ptr %p
  ret void
}

; There is no room for a loaded value where the group's size is not known.
; NONE-NOT: @any_size__ka_group
define void @any_size(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %a = getelementptr i32, ptr %p, i64 %l
  %v = load i32, ptr %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  unreachable
good:
  call void @ka_barrier()
  store i32 %v, ptr %p
  ret void
}

; NONE-NOT: @no_traps__ka_group
define void @no_traps(ptr %p) "ka-kernel" {
  store i32 1, ptr %p
  ret void
}

; NONE-NOT: @sub_groups__ka_group
define void @sub_groups(ptr %p) "ka-kernel" {
  %l = call i64 @ka_sub_group_lane()
  %c = icmp eq i64 %l, 7
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  ret void
good:
  ret void
}

; NONE-NOT: @prints__ka_group
define void @prints(ptr %p) "ka-kernel" {
  %i = call i64 @ka_global_id(i32 0)
  %r = call i32 (ptr, ...) @ka.mailbox.print(ptr %p)
  %c = icmp eq i64 %i, 7
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  ret void
good:
  ret void
}

; NONE-NOT: @unsafe__ka_group
define void @unsafe(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 7
  br i1 %c, label %bad, label %good
bad:
  call void @ka.mailbox.fail(i32 0, ptr null)
  ret void
good:
  ret void
}

; CHECK: ![[ONE]] = !{i32 1, i32 1, i32 1}
