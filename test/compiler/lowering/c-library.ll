; The C library by OpenCL's names, as intrinsics, or put together.
; RUN: %opt -passes=ka-c-library %s | FileCheck %s

; CHECK-LABEL: define float @floats
; CHECK-NEXT: call float @_Z3sinf(float %x)
; CHECK-NEXT: call float @_Z3powff(float %x, float %y)
; CHECK-NEXT: call float @llvm.minnum.f32(float %x, float %y)
; CHECK-NEXT: call float @llvm.fma.f32(float %x, float %y, float %x)
; CHECK-NEXT: call float @_Z5ldexpfi(float %x, i32 3)
define float @floats(float %x, float %y) {
  %a = call float @sinf(float %x)
  %b = call float @powf(float %x, float %y)
  %c = call float @fminf(float %x, float %y)
  %d = call float @fmaf(float %x, float %y, float %x)
  %e = call float @ldexpf(float %x, i32 3)
  ret float %e
}

; CHECK-LABEL: define i64 @doubles
; CHECK-NEXT: call double @_Z4sqrtd(double %x)
; CHECK-NEXT: %[[R:.*]] = call double @llvm.round.f64(double %x)
; CHECK-NEXT: fptosi double %[[R]] to i64
; CHECK: call i32 @_Z5ilogbd(double %x)
; CHECK-NOT: @frexp
; CHECK: ret i64
define i64 @doubles(double %x, ptr %p) {
  %a = call double @sqrt(double %x)
  %b = call i64 @lround(double %x)
  %c = call double @frexp(double %x, ptr %p)
  ret i64 %b
}

; Results that are no pure value: no pointer goes to the device's function.
; CHECK-LABEL: define double @pointers
; CHECK: call double @_Z4fmoddd(double
; CHECK: store i32 %{{.*}}, ptr %p
; CHECK: %[[R:.*]] = call double @_Z9remainderdd(double %x, double %y)
; CHECK: %[[S:.*]] = select i1 %{{.*}}, i32 -1, i32 1
; CHECK: store i32 %[[S]], ptr %p
; CHECK: call double @_Z6lgammad(double %x)
; CHECK: fadd double %[[R]], 0x7FF8000000000000
define double @pointers(double %x, double %y, ptr %p) {
  %a = call double @remquo(double %x, double %y, ptr %p)
  %b = call double @lgamma_r(double %x, ptr %p)
  %c = call double @nan(ptr %p)
  %d = fadd double %a, %c
  ret double %d
}

; Constants are computed here.
; CHECK-LABEL: define double @constant
; CHECK-NEXT: ret double 1.024000e+03
define double @constant() {
  %a = call double @pow(double 2.0, double 10.0)
  ret double %a
}

; A function of the program's own, and one that has only the name.
; CHECK-LABEL: define float @own
; CHECK-NEXT: call float @cosf(float %x)
; CHECK-NEXT: call i32 @tan(i32 1)
define float @own(float %x) {
  %a = call float @cosf(float %x)
  %b = call i32 @tan(i32 1)
  ret float %a
}
define internal float @cosf(float %x) {
  ret float %x
}

; CHECK-LABEL: define ptr @memory
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 1 %p, ptr align 1 %q, i64 %n, i1 false)
; CHECK-NEXT: trunc i32 %v to i8
; CHECK-NEXT: call void @llvm.memset.p0.i64
; CHECK-NEXT: ret ptr %p
define ptr @memory(ptr %p, ptr %q, i32 %v, i64 %n) {
  %a = call ptr @memcpy(ptr %p, ptr %q, i64 %n)
  %b = call ptr @memset(ptr %a, i32 %v, i64 %n)
  ret ptr %b
}

; CHECK: declare float @_Z3sinf(float) #[[PURE:[0-9]+]]
; CHECK: attributes #[[PURE]] = { nounwind willreturn memory(none) }

declare float @sinf(float)
declare float @powf(float, float)
declare float @fminf(float, float)
declare float @fmaf(float, float, float)
declare float @ldexpf(float, i32)
declare double @sqrt(double)
declare i64 @lround(double)
declare double @frexp(double, ptr)
declare double @pow(double, double)
declare i32 @tan(i32)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare double @remquo(double, double, ptr)
declare double @lgamma_r(double, ptr)
declare double @nan(ptr)
