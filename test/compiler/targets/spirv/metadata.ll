; OpenCL's conventions, each once, whatever was there before.
; RUN: %opt -passes=ka-spirv-metadata %s | FileCheck %s

; CHECK: target datalayout = "e-i64:64-v16:16
; CHECK: target triple = "spir64-unknown-unknown"
; CHECK: define spir_kernel void @k()
; CHECK-NEXT: call spir_func void @_Z7barrierj(i32 3) #[[B:[0-9]+]]
; CHECK: declare spir_func void @_Z7barrierj(i32)
; CHECK-NOT: ka-kernel
; CHECK: attributes #[[B]] = { convergent }
; CHECK: !opencl.ocl.version = !{![[V:[0-9]+]]}
; CHECK: ![[V]] = !{i32 2, i32 0}
target triple = "x86_64-pc-linux-gnu"
define void @k() "ka-kernel" {
  call void @_Z7barrierj(i32 3) convergent nomerge "x"="y"
  ret void
}
declare void @_Z7barrierj(i32)
!opencl.ocl.version = !{!0, !0}
!0 = !{i32 1, i32 2}
