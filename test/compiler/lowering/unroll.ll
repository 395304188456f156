; Loops with barriers whose few turns are known become straight, outer ones first; others stay.
; RUN: %opt -passes=ka-unroll %s | FileCheck %s

declare void @ka_barrier()

; The inner loop has one turn more each time.
; CHECK-LABEL: define void @nested(
; CHECK-COUNT-6: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @nested() {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp ult i32 %i, 3
  br i1 %more, label %inner, label %end
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %body ]
  %within = icmp ule i32 %j, %i
  br i1 %within, label %body, label %outer.end
body:
  call void @ka_barrier()
  %j.next = add i32 %j, 1
  br label %inner
outer.end:
  %i.next = add i32 %i, 1
  br label %outer
end:
  ret void
}

; Halved until nothing is left.
; CHECK-LABEL: define void @halved(
; CHECK-COUNT-8: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @halved() {
entry:
  br label %head
head:
  %half = phi i64 [ 128, %entry ], [ %next, %body ]
  %none = icmp eq i64 %half, 0
  br i1 %none, label %end, label %body
body:
  call void @ka_barrier()
  %next = lshr i64 %half, 1
  br label %head
end:
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @unknown(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %end
body:
  call void @ka_barrier()
  %next = add i32 %i, 1
  br label %head
end:
  ret void
}

; With a second way out, barriers would stand in branches.
; CHECK-LABEL: define void @two_ways_out(
; CHECK: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @two_ways_out(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i32 %i, 4
  br i1 %more, label %body, label %end
body:
  call void @ka_barrier()
  %stop = icmp eq i32 %i, %n
  br i1 %stop, label %end, label %latch
latch:
  %next = add i32 %i, 1
  br label %head
end:
  ret void
}

; Too much of it.
; CHECK-LABEL: define void @long(
; CHECK: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @long() {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, 1000
  br i1 %more, label %body, label %end
body:
  call void @ka_barrier()
  %next = add i32 %i, 1
  br label %head
end:
  ret void
}

; Few instructions, but too many barriers.
; CHECK-LABEL: define void @barriers(
; CHECK: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @barriers() {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, 150
  br i1 %more, label %body, label %end
body:
  call void @ka_barrier()
  %next = add i32 %i, 1
  br label %head
end:
  ret void
}

; The outer loop goes, and some of the inner ones; all of them, with 1600 barriers, are too much
; for one function. What was added is 39 barriers each by the outer loop and by two inner ones.
; CHECK-LABEL: define void @shared_budget(
; CHECK-COUNT-118: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @shared_budget() {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp ult i32 %i, 40
  br i1 %more, label %inner, label %end
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %body ]
  %within = icmp ult i32 %j, 40
  br i1 %within, label %body, label %outer.end
body:
  call void @ka_barrier()
  %j.next = add i32 %j, 1
  br label %inner
outer.end:
  %i.next = add i32 %i, 1
  br label %outer
end:
  ret void
}

; What was asked for has its own budget, for a function, too: each of the 64 inner loops alone, with
; 1000 turns of 6 instructions, would do, and 2 of them do together.
; CHECK-LABEL: define void @asked(
; CHECK-COUNT-2062: store volatile
; CHECK-NOT: store volatile
; CHECK: ret void
define void @asked(ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp ult i32 %i, 64
  br i1 %more, label %inner, label %end
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %body ]
  %within = icmp ult i32 %j, 1000
  br i1 %within, label %body, label %outer.end
body:
  store volatile i32 %j, ptr %p
  %j.next = add i32 %j, 1
  br label %inner, !llvm.loop !4
outer.end:
  %i.next = add i32 %i, 1
  br label %outer, !llvm.loop !2
end:
  ret void
}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.full"}
!4 = distinct !{!4, !3}

; The source says no.
; CHECK-LABEL: define void @forbidden(
; CHECK: call void @ka_barrier()
; CHECK-NOT: ka_barrier
; CHECK: ret void
define void @forbidden() {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, 4
  br i1 %more, label %body, label %end
body:
  call void @ka_barrier()
  %next = add i32 %i, 1
  br label %head, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
