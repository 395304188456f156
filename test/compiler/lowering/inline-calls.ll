; All calls go into the kernel; what cannot is reported with its place.
; RUN: %opt -passes=ka-inline-calls %s 2>&1 | FileCheck %s

; CHECK: error: 'even' calls itself, which is not possible in a kernel
; CHECK: error: a call through a function pointer is not possible in a kernel
; CHECK: error: inline assembly is not possible in a kernel
; CHECK: define void @recursive
define void @recursive() "ka-kernel" {
  call void @even.body(i32 4)
  ret void
}
define internal void @even.body(i32 %n) alwaysinline {
  call void @odd.body(i32 %n)
  ret void
}
define internal void @odd.body(i32 %n) alwaysinline {
  call void @even.body(i32 %n)
  ret void
}
define void @indirect(ptr %f) "ka-kernel" {
  call void %f()
  ret void
}
define void @assembly() "ka-kernel" {
  call void asm "nop", ""()
  ret void
}
; CHECK-LABEL: define void @good
; CHECK-NOT: call
; CHECK: ret void
define void @good(ptr %p) "ka-kernel" {
  call void @twice.body(ptr %p)
  call void @twice.body(ptr %p)
  ret void
}
define internal void @twice.body(ptr %p) alwaysinline {
  call void @once.body(ptr %p)
  ret void
}
define internal void @once.body(ptr %p) alwaysinline {
  store i32 1, ptr %p
  ret void
}
