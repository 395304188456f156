; With barriers, items that do not exist come along without effect.
; RUN: %opt -passes=ka-range-guard %s | FileCheck %s

!ka.kernels = !{!0, !1, !2, !3}
!0 = !{!"runs pointer:0:8:8"}
!1 = !{!"parts pointer:0:8:8"}
!2 = !{!"cleared pointer:0:8:8"}
!3 = !{!"loop pointer:0:8:8"}

declare i64 @ka_local_id(i32)
declare void @ka_barrier()
@cleared.tile = internal addrspace(3) global [64 x i32] undef, align 16

; A run of effects is one block; an address that all items share is read by all.
define void @runs(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %shared = load i64, ptr %p
  %a = getelementptr i64, ptr %p, i64 %l
  %x = load i64, ptr %a
  %y = mul i64 %l, 3
  %z = add i64 %x, %y
  store i64 %z, ptr %a
  call void @ka_barrier()
  %b = getelementptr i64, ptr %p, i64 %x
  store i64 %shared, ptr %b
  ret void
}

; Where items part, the others wait at the meeting point; a loop they would never
; leave is not entered.
define void @parts(ptr %p) "ka-kernel" {
entry:
  %l = call i64 @ka_local_id(i32 0)
  br label %search
search:
  %i = phi i64 [ %l, %entry ], [ %next, %search ]
  %next = add i64 %i, 1
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a
  %found = icmp eq i64 %v, 7
  br i1 %found, label %end, label %search
end:
  call void @ka_barrier()
  %b = getelementptr i64, ptr %p, i64 %l
  store i64 %i, ptr %b
  ret void
}

; Group memory is cleared where the group is not full.
define void @cleared(ptr %p) "ka-kernel" {
  %l = call i64 @ka_local_id(i32 0)
  %a = getelementptr [64 x i32], ptr addrspace(3) @cleared.tile, i64 0, i64 %l
  store i32 1, ptr addrspace(3) %a
  call void @ka_barrier()
  %v = load i32, ptr addrspace(3) %a
  %b = getelementptr i32, ptr %p, i64 %l
  store i32 %v, ptr %b
  ret void
}

; A loop without barriers is skipped as a whole, unless all items need what comes
; out of it.
define void @loop(ptr %p) "ka-kernel" {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %n = load i64, ptr %p
  br label %sum
sum:
  %i = phi i64 [ 0, %entry ], [ %i.next, %sum ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %sum ]
  %k = add i64 %i, %l
  %a = getelementptr i64, ptr %p, i64 %k
  %v = load i64, ptr %a
  %s.next = add i64 %s, %v
  %i.next = add i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %sum, label %count
count:
  %j = phi i64 [ 0, %sum ], [ %j.next, %count ]
  %b = getelementptr i64, ptr %p, i64 %l
  store i64 %s.next, ptr %b
  %j.next = add i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %count, label %end
end:
  call void @ka_barrier()
  store i64 %j.next, ptr %b
  ret void
}

; CHECK-LABEL: define void @runs__ka_padded(
; CHECK: load i64, ptr %p
; CHECK: mul i64 %{{.*}}, 3
; CHECK: br i1 %ka.active, label %guarded, label %guarded.end
; CHECK: guarded:
; CHECK-NEXT: %[[X:.*]] = load i64
; CHECK-NEXT: add i64 %[[X]]
; CHECK-NEXT: store i64
; CHECK-NEXT: br label %guarded.end
; CHECK: guarded.end:
; CHECK-NEXT: phi i64 [ 0, %{{.*}} ], [ %[[X]], %guarded ]
; CHECK-NEXT: call void @ka_barrier()
; CHECK: br i1 %ka.active
; CHECK: store i64

; CHECK-LABEL: define void @parts__ka_padded(
; CHECK: br i1 %ka.active, label %parting, label %end
; CHECK: search:
; CHECK: end:
; CHECK-NEXT: %[[I:.*]] = phi i64 [ 0, %{{.*}} ], [ %i, %search ]
; CHECK-NEXT: call void @ka_barrier()
; CHECK: store i64 %[[I]], ptr

; CHECK-LABEL: define void @cleared__ka_padded(
; CHECK: %ka.full = and
; CHECK: %[[NOT:.*]] = xor i1 %ka.full, true
; CHECK: %[[COUNT:.*]] = select i1 %[[NOT]], i64 32, i64 0
; CHECK: icmp ult i64 %{{.*}}, %[[COUNT]]
; CHECK: local.fill:
; CHECK: store i64 0, ptr addrspace(3)
; CHECK: local.done:
; CHECK-NEXT: call void @ka_barrier()

; CHECK-LABEL: define void @loop__ka_padded(
; CHECK: br i1 %ka.active, label %parting, label %count
; CHECK: sum:
; CHECK-NOT: ka.active
; CHECK: br i1 %c, label %sum, label %count
; CHECK: count:
; CHECK: br i1 %ka.active, label %guarded, label %guarded.end
; CHECK: guarded.end:
; CHECK: br i1 %d, label %count, label %end
