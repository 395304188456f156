; No operand makes a division trap; divisors that are known to be harmless cost nothing.
; RUN: %opt -passes=ka-division %s | FileCheck %s
; RUN: %opt -passes=ka-division,ka-division %s | FileCheck %s
; RUN: %opt -passes=ka-division,instcombine,ka-division %s | FileCheck %s --check-prefix=AGAIN

; CHECK-LABEL: define i32 @unsigned
; CHECK-NEXT: %[[Z:.*]] = icmp eq i32 %b, 0
; CHECK-NEXT: %[[D:.*]] = select i1 %[[Z]], i32 1, i32 %b
; CHECK-NEXT: udiv i32 %a, %[[D]]
define i32 @unsigned(i32 %a, i32 %b) {
  %r = udiv exact i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: define i32 @signed
; CHECK-DAG: icmp eq i32 %b, 0
; CHECK-DAG: icmp eq i32 %a, -2147483648
; CHECK-DAG: icmp eq i32 %b, -1
; CHECK: select
; CHECK-NOT: select
; CHECK: srem i32 %a, %{{.*}}
define i32 @signed(i32 %a, i32 %b) {
  %r = srem i32 %a, %b
  ret i32 %r
}

; AGAIN-LABEL: define i32 @signed
; AGAIN-COUNT-1: select
; AGAIN-NOT: select
; AGAIN: srem i32 %a, %{{.*}}

; CHECK-LABEL: define i32 @constant
; CHECK-NEXT: sdiv i32 %a, 7
; CHECK-NEXT: or i32 %b, 1
; CHECK-NEXT: udiv i32
define i32 @constant(i32 %a, i32 %b) {
  %r = sdiv i32 %a, 7
  %odd = or i32 %b, 1
  %s = udiv i32 %r, %odd
  ret i32 %s
}
