; No block ends in unreachable.
; RUN: %opt -passes=ka-unreachable %s | FileCheck %s --implicit-check-not="{{^  unreachable}}"

; CHECK-LABEL: define void @default
; CHECK: switch i32 %x, label %b [
; CHECK-NEXT: i32 0, label %a
; CHECK-NEXT: ]
; CHECK: b:
; CHECK-NEXT: phi i32 [ 1, %entry ]
define void @default(i32 %x, ptr %p) {
entry:
  switch i32 %x, label %never [ i32 0, label %a
                                i32 1, label %b
                                i32 2, label %never ]
a:
  ret void
b:
  %v = phi i32 [ 1, %entry ]
  store i32 %v, ptr %p
  ret void
never:
  unreachable
}
; CHECK-LABEL: define void @branch
; CHECK: br label %a
define void @branch(i1 %c) {
  br i1 %c, label %never, label %a
a:
  ret void
never:
  unreachable
}
; CHECK-LABEL: define void @all
; CHECK-NEXT: ret void
define void @all() {
  unreachable
}
