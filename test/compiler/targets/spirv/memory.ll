; Copies of constant length stay; everything else becomes stores or a loop.
; RUN: %opt -passes=ka-spirv-memory %s | FileCheck %s

; CHECK-LABEL: define void @constant
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store i64 506381209866536711, ptr %{{.*}}, align 8
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store i64 506381209866536711, ptr %{{.*}}, align 8
; CHECK-NEXT: ret void
define void @constant(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 100, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 7, i64 16, i1 false)
  ret void
}
; CHECK-LABEL: define void @variable
; CHECK-NOT: call
; CHECK: ret void
define void @variable(ptr %p, ptr %q, i64 %n, i8 %v) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 %v, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4096, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
