; What differs between the items of a group.
; RUN: %opt -passes=ka-print-divergence %s -o /dev/null | FileCheck %s

declare i64 @ka_local_id(i32)
declare i64 @ka_group_id(i32)
declare void @ka_barrier()
declare void @use(ptr) memory(argmem: read)

; CHECK-LABEL: divergence of 'sources'
; CHECK: divergent   %l = call i64 @ka_local_id
; CHECK: uniform     %g = call i64 @ka_group_id
; CHECK: uniform     %u = load i64, ptr %p
; CHECK: divergent   %d = load i64, ptr %q
; CHECK: divergent   %a = atomicrmw
define void @sources(ptr %p) {
  %l = call i64 @ka_local_id(i32 0)
  %g = call i64 @ka_group_id(i32 0)
  %u = load i64, ptr %p
  %q = getelementptr i64, ptr %p, i64 %l
  %d = load i64, ptr %q
  %a = atomicrmw add ptr %p, i64 1 monotonic
  ret void
}

; A join of paths: only what came along both is the same.
; CHECK-LABEL: divergence of 'join'
; CHECK: divergent   br i1 %c
; CHECK: divergent block then
; CHECK: divergent   %x = add i64 %n, 1
; CHECK: uniform   block end
; CHECK: divergent   %p1 = phi
; CHECK: uniform     %p2 = phi
define void @join(i64 %n) {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 0
  br i1 %c, label %then, label %end
then:
  %x = add i64 %n, 1
  br label %end
end:
  %p1 = phi i64 [ %x, %then ], [ 0, %entry ]
  %p2 = phi i64 [ %n, %then ], [ %n, %entry ]
  ret void
}

; Items leave the loop at different turns: how far it went differs afterwards.
; CHECK-LABEL: divergence of 'loop'
; CHECK: divergent block head
; CHECK: divergent   %i = phi
; CHECK: uniform   block end
; CHECK: divergent   %after = mul i64 %i, 2
define void @loop() {
entry:
  %l = call i64 @ka_local_id(i32 0)
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %head ]
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %l
  br i1 %c, label %head, label %end
end:
  %after = mul i64 %i, 2
  ret void
}

; A loop whose bound all items share, with a divergent branch inside.
; CHECK-LABEL: divergence of 'uniform_loop'
; CHECK: uniform   block head
; CHECK: uniform     %i = phi
; CHECK: divergent block odd
; CHECK: uniform   block latch
; CHECK: uniform     br i1 %c
define void @uniform_loop(ptr %p) {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %n = load i64, ptr %p
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %d = icmp ult i64 %l, %i
  br i1 %d, label %odd, label %latch
odd:
  store i64 %i, ptr %p
  br label %latch
latch:
  call void @ka_barrier()
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %head, label %end
end:
  ret void
}

; Private memory is as uniform as what is stored into it.
; CHECK-LABEL: divergence of 'private'
; CHECK: uniform     %u = load i64, ptr %same
; CHECK: divergent   %d = load i64, ptr %own
; CHECK: divergent   %e = load i64, ptr %escaped
; CHECK: divergent   %f = load i64, ptr %either
define void @private(i64 %n, ptr %p, i1 %c) {
  %same = alloca i64
  %own = alloca i64
  %escaped = alloca i64
  %l = call i64 @ka_local_id(i32 0)
  store i64 %n, ptr %same
  store i64 %l, ptr %own
  call void @use(ptr %escaped)
  %u = load i64, ptr %same
  %d = load i64, ptr %own
  %e = load i64, ptr %escaped
  %either = select i1 %c, ptr %escaped, ptr %p
  %f = load i64, ptr %either
  ret void
}
