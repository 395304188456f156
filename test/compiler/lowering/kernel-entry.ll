; One parameter for each field of the tuple, with what restrict and const promise.
; RUN: %opt -passes=ka-kernel-entry %s | FileCheck %s

!ka.kernels = !{!0}
!0 = !{!"k scalar:0:4:4:float pointer:8:8:8:const:restrict pointer:16:8:8:const local:24:8:8 scalar:32:1:1 aggregate:36:12:4 scalar:48:16:16 scalar:64:2:2:float aggregate:66:3:1 group:8,4,1"}

; CHECK: define void @k(float %p0, ptr noalias readonly %p1, ptr %p2, ptr addrspace(3) %p3, i8 %p4,
; CHECK-SAME: ptr noalias nocapture readonly byval({ [3 x i32] }) align 4 %p5, <4 x i32> %p6, half %p7,
; CHECK-SAME: ptr noalias nocapture readonly byval({ [3 x i8] }) align 1 %p8)
; CHECK-SAME: #[[K:[0-9]+]] !reqd_work_group_size ![[SIZE:[0-9]+]]
; CHECK: %[[T:.*]] = alloca [80 x i8], align 16
; CHECK: store float %p0, ptr %{{.*}}, align 16
; CHECK: %[[L:.*]] = addrspacecast ptr addrspace(3) %p3 to ptr
; CHECK: store ptr %[[L]]
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 4 %{{.*}}, ptr align 4 %p5, i64 12, i1 false)
; CHECK: call void @ka.entry.k(ptr %[[T]])
; CHECK: attributes #[[K]] = { convergent nounwind "ka-kernel" }
; CHECK: ![[SIZE]] = !{i32 8, i32 4, i32 1}
define internal void @ka.entry.k(ptr %t) {
  ret void
}
