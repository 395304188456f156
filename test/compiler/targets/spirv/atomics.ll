; Only integers of 32 and 64 bits have atomics; the rest is built from them.
; RUN: %opt -passes=ka-spirv-atomics %s | FileCheck %s

; CHECK-LABEL: define void @native
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 seq_cst
; CHECK-NEXT: atomicrmw umax ptr %p, i64 1 monotonic
; CHECK-NEXT: ret void
define void @native(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = atomicrmw umax ptr %p, i64 1 monotonic
  ret void
}
; CHECK-LABEL: define double @floating
; CHECK: load atomic i64, ptr %p monotonic
; CHECK: atomic.try:
; CHECK: %[[OLD:.*]] = phi i64
; CHECK: %[[F:.*]] = bitcast i64 %[[OLD]] to double
; CHECK: fadd double %[[F]], 1.000000e+00
; CHECK: cmpxchg ptr %p, i64 %[[OLD]], i64 %{{.*}} acq_rel acquire
; CHECK: br i1 %{{.*}}, label %atomic.done, label %atomic.try
define double @floating(ptr %p) {
  %a = atomicrmw fadd ptr %p, double 1.0 acq_rel
  ret double %a
}
; CHECK-LABEL: define i8 @byte
; CHECK: %[[A:.*]] = ptrtoint ptr %p to i64
; CHECK: and i64 %[[A]], 3
; CHECK: cmpxchg ptr %{{.*}}, i32 %{{.*}}, i32 %{{.*}} monotonic monotonic, align 4
define i8 @byte(ptr %p) {
  %a = atomicrmw xor ptr %p, i8 5 monotonic
  ret i8 %a
}
; A failure that only the rest of the word caused is tried again.
; CHECK-LABEL: define i1 @half_word
; CHECK: %[[RETRY:.*]] = and i1
; CHECK: br i1 %[[RETRY]], label %atomic.try, label %atomic.done
define i1 @half_word(ptr %p) {
  %a = cmpxchg ptr %p, i16 1, i16 2 seq_cst seq_cst
  %b = extractvalue {i16, i1} %a, 1
  ret i1 %b
}
; CHECK-LABEL: define float @through_integers
; CHECK: load atomic i32
; CHECK: store atomic i32
; CHECK: atomicrmw xchg ptr %p, i32
define float @through_integers(ptr %p) {
  %a = load atomic float, ptr %p acquire, align 4
  store atomic float %a, ptr %p release, align 4
  %b = atomicrmw xchg ptr %p, float %a seq_cst
  ret float %b
}
