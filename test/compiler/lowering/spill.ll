; More arguments than devices take: the largest are read from a copy of the tuple, pointers last.
; RUN: %opt -passes=ka-spill %s | FileCheck %s

!ka.kernels = !{!0, !1, !2}
; 1000 + 24 bytes fit.
!0 = !{!"fits aggregate:0:1000:8"}
!1 = !{!"large pointer:0:8:8:restrict scalar:8:4:4 aggregate:16:900:8 aggregate:920:64:8:ptr@16 scalar:984:8:8 aggregate:992:64:8 local:1056:8:8"}
!2 = !{!"only pointer:0:8:8 aggregate:128:4096:128 scalar:4224:2:2"}

; CHECK: define void @fits(ptr byval([1000 x i8]) %a)
define void @fits(ptr byval([1000 x i8]) %a) {
  ret void
}

; CHECK: define void @large(ptr noalias %p, i32 %n, ptr byval([64 x i8]) %b, i64 %m, ptr byval([64 x i8]) %c,
; CHECK-SAME: ptr addrspace(3) %s, ptr noalias nocapture readonly align 8 "ka-spilled" %ka.arguments)
; CHECK-SAME: !reqd_work_group_size
; CHECK: %[[A:.*]] = getelementptr inbounds i8, ptr %ka.arguments, i64 16
; CHECK: load i32, ptr %[[A]]
define void @large(ptr noalias %p, i32 %n, ptr byval([900 x i8]) %a, ptr byval([64 x i8]) %b, i64 %m, ptr byval([64 x i8]) %c, ptr addrspace(3) %s) !reqd_work_group_size !3 {
  %v = load i32, ptr %a
  %w = load i32, ptr %c
  %x = add i32 %v, %w
  store i32 %x, ptr %p
  ret void
}
!3 = !{i32 4, i32 1, i32 1}

; The padded entry point keeps what it has besides.
; CHECK: define void @only(ptr %p, i16 %n, ptr noalias nocapture readonly align 64 "ka-spilled" %ka.arguments)
; CHECK: define void @only__ka_padded(ptr %p, i16 %n, ptr {{.*}}%ka.arguments, i64 %x, i64 %y, i64 %z)
; CHECK: getelementptr inbounds i8, ptr %ka.arguments, i64 128
; CHECK: icmp ult i64 %x, %z
define void @only(ptr %p, ptr byval([4096 x i8]) %a, i16 %n) {
  ret void
}
define void @only__ka_padded(ptr %p, ptr byval([4096 x i8]) %a, i16 %n, i64 %x, i64 %y, i64 %z) {
  %v = load i64, ptr %a
  store i64 %v, ptr %p
  %c = icmp ult i64 %x, %z
  ret void
}
