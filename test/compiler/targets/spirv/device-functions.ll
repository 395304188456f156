; What instructions cannot say becomes OpenCL's function; clz is defined for 0 there.
; RUN: %opt -passes=ka-spirv-arithmetic %s | FileCheck %s

; CHECK-LABEL: define void @f
; CHECK-NEXT: call float @_Z3sinf(float %x)
; CHECK-NEXT: call double @_Z3fmaddd(double %y, double %y, double %y)
; CHECK-NEXT: call i32 @_Z3clzi(i32 %n)
; CHECK-NEXT: call float @_Z4pownfi(float %x, i32 %n)
; CHECK-NEXT: call <4 x float> @_Z4sqrtDv4_f(<4 x float> %v)
; CHECK-NEXT: call <4 x float> @_Z3powDv4_fS_(<4 x float> %v, <4 x float> %v)
; CHECK-NEXT: ret void
define void @f(float %x, double %y, i32 %n, <4 x float> %v) {
  %a = call float @llvm.sin.f32(float %x)
  %b = call double @llvm.fma.f64(double %y, double %y, double %y)
  %c = call i32 @llvm.ctlz.i32(i32 %n, i1 false)
  %d = call float @llvm.powi.f32.i32(float %x, i32 %n)
  %e = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %v)
  %g = call <4 x float> @llvm.pow.v4f32(<4 x float> %v, <4 x float> %v)
  ret void
}
declare float @llvm.sin.f32(float)
declare double @llvm.fma.f64(double, double, double)
declare i32 @llvm.ctlz.i32(i32, i1)
declare float @llvm.powi.f32.i32(float, i32)
declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)
declare <4 x float> @llvm.pow.v4f32(<4 x float>, <4 x float>)
