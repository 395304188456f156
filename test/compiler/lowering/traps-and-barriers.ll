; Items that trap do not part from the others as far as barriers are concerned, and padding items never
; get there.
; RUN: %opt -passes=ka-print-divergence %s -o /dev/null | FileCheck %s --check-prefix=WALK
; RUN: %opt -passes=ka-range-guard %s | FileCheck %s

!ka.kernels = !{!0}
!0 = !{!"k pointer:0:8:8"}

declare i64 @ka_local_id(i32)
declare void @ka_barrier()
declare void @ka.mailbox.fail(i32, ptr)
@k.ka.stopped = internal addrspace(3) global i32 undef

; WALK: uniform   block entry
; WALK: divergent block bad
; WALK: divergent block worse
; WALK: uniform   block good

; CHECK-LABEL: define void @k__ka_padded
; CHECK: br i1 %ka.active, label %[[PART:.*]], label %good
; CHECK: [[PART]]:
; CHECK-NEXT: br i1 %c, label %bad, label %good
define void @k(ptr %p) "ka-kernel" {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %c = icmp eq i64 %l, 0
  br i1 %c, label %bad, label %good
bad:
  %d = icmp eq ptr %p, null
  br i1 %d, label %worse, label %worst
worse:
  call void @ka.mailbox.fail(i32 0, ptr addrspacecast (ptr addrspace(3) @k.ka.stopped to ptr))
  unreachable
worst:
  call void @ka.mailbox.fail(i32 1, ptr addrspacecast (ptr addrspace(3) @k.ka.stopped to ptr))
  unreachable
good:
  call void @ka_barrier()
  ret void
}
