; What SPIR-V has no form for is an error, never the end of the process.
; RUN: split-file %s %t
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/wide.ll 2>&1 | FileCheck %t/wide.ll
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/odd.ll 2>&1 | FileCheck %t/odd.ll
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/long-double.ll 2>&1 | FileCheck %t/long-double.ll
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/intrinsic.ll 2>&1 | FileCheck %t/intrinsic.ll
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/dynamic.ll 2>&1 | FileCheck %t/dynamic.ll
; RUN: not %ka-lower --kernel="k aggregate:0:0:1" %t/nothing.ll 2>&1 | FileCheck %t/nothing.ll
; RUN: not %ka-lower --kernel="missing" %t/nothing.ll 2>&1 | FileCheck %t/nothing.ll --check-prefix=MISSING
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/scalable.ll 2>&1 | FileCheck %t/scalable.ll
; RUN: not %ka-lower --kernel="k pointer:0:8:8" %t/exception.ll 2>&1 | FileCheck %t/exception.ll

;--- wide.ll
; CHECK: error: this expression has a type that SPIR-V does not have: i128
define void @ka.entry.k(ptr %t) {
  %p = load ptr, ptr %t
  %v = load i128, ptr %p
  %o = or i128 %v, 1
  %m = udiv i128 %v, %o
  store i128 %m, ptr %p
  ret void
}
;--- odd.ll
; CHECK: error: this expression has a type that SPIR-V does not have
define void @ka.entry.k(ptr %t) {
  %p = load ptr, ptr %t
  %v = load volatile <2 x i24>, ptr %p
  %i = load i32, ptr %p
  %e = extractelement <2 x i24> %v, i32 %i
  store i24 %e, ptr %p
  ret void
}
;--- long-double.ll
; CHECK: error: this expression has a type that SPIR-V does not have: x86_fp80
define void @ka.entry.k(ptr %t) {
  %p = load ptr, ptr %t
  %v = load x86_fp80, ptr %p
  %m = fadd x86_fp80 %v, %v
  store x86_fp80 %m, ptr %p
  ret void
}
;--- intrinsic.ll
; CHECK: error: SPIR-V has no form for 'llvm.readcyclecounter'
define void @ka.entry.k(ptr %t) {
  %p = load ptr, ptr %t
  %v = call i64 @llvm.readcyclecounter()
  store i64 %v, ptr %p
  ret void
}
declare i64 @llvm.readcyclecounter()
;--- dynamic.ll
; CHECK: error: a variable of variable size is not possible in a kernel
define void @ka.entry.k(ptr %t) {
  %p = load ptr, ptr %t
  %n = load i32, ptr %p
  %v = alloca i32, i32 %n
  store volatile i32 1, ptr %v
  ret void
}
;--- nothing.ll
; CHECK: error: parameter 'p0' of kernel 'k' has no size
; MISSING: error: kernel 'missing' has no device code
define void @ka.entry.k(ptr %t) {
  ret void
}
;--- scalable.ll
; CHECK: error: this expression has a type that SPIR-V does not have: <vscale x 4 x i32>
define void @ka.entry.k(ptr %t) {
  %p = load ptr, ptr %t
  %v = load <vscale x 4 x i32>, ptr %p
  %m = add <vscale x 4 x i32> %v, %v
  store <vscale x 4 x i32> %m, ptr %p
  ret void
}
;--- exception.ll
; CHECK: error: function 'may_throw' is not there on the device
define void @ka.entry.k(ptr %t) personality ptr @personality {
  invoke void @may_throw() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
declare void @may_throw()
declare i32 @personality(...)
