; The padded variant: without barriers its padding items return at once.
; RUN: %opt -passes=ka-range-guard %s | FileCheck %s

!ka.kernels = !{!0, !1, !2}
!0 = !{!"k pointer:0:8:8"}
!1 = !{!"unguarded pointer:0:8:8 unsafe"}
!2 = !{!"sized pointer:0:8:8 unsafe"}

declare i64 @ka_global_size(i32)

; CHECK-LABEL: define void @k(ptr %p)
; CHECK-NEXT: call i64 @ka_global_size(i32 0)
; CHECK-NEXT: store
define void @k(ptr %p) "ka-kernel" {
  %s = call i64 @ka_global_size(i32 0)
  store i64 %s, ptr %p
  ret void
}
; CHECK-LABEL: define void @unguarded(
define void @unguarded(ptr %p) "ka-kernel" {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @sized(
define void @sized(ptr %p) "ka-kernel" {
  %s = call i64 @ka_global_size(i32 1)
  store i64 %s, ptr %p
  ret void
}

; CHECK-LABEL: define void @k__ka_padded(ptr %p, i64 %ka.extent.0, i64 %ka.extent.1, i64 %ka.extent.2)
; CHECK: %[[G:.*]] = call i64 @ka_group_id(i32 0)
; CHECK: %[[S:.*]] = call i64 @ka_local_size(i32 0)
; CHECK: %[[M:.*]] = mul i64 %[[G]], %[[S]]
; CHECK: %[[L:.*]] = call i64 @ka_local_id(i32 0)
; CHECK: %[[I:.*]] = add i64 %[[M]], %[[L]]
; CHECK: icmp ult i64 %[[I]], %ka.extent.0
; CHECK: icmp ult i64 %{{.*}}, %ka.extent.1
; CHECK: icmp ult i64 %{{.*}}, %ka.extent.2
; CHECK: br i1 %ka.active, label %body, label %padding
; CHECK: body:
; CHECK-NOT: ka_global_size
; CHECK: store i64 %ka.extent.0, ptr %p
; CHECK: padding:
; CHECK-NEXT: ret void

; Without a guard the variant is there only for the size.
; CHECK-NOT: @unguarded__ka_padded
; CHECK-LABEL: define void @sized__ka_padded(
; CHECK-NOT: ka.active
; CHECK: store i64 %ka.extent.1, ptr %p
