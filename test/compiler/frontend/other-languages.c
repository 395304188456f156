// Words of OpenCL C and CUDA: what ka has in their place. test/docs/porting_table.py asks for those
// of the guide.
// RUN: %ka-verify -ferror-limit=0 -std=c23 %s
// RUN: not %ka-cc -ferror-limit=0 -std=c17 -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %ka-cc -ferror-limit=0 -std=c23 -fsyntax-only -fdiagnostics-parseable-fixits %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXES
#include <ka/ka.h>

// Names that programs have themselves keep what clang says of them, and so does what is no such word.
float clampf(float x, float low, float high); // expected-note {{'clampf' declared here}}
int constants[3]; // expected-note {{'constants' declared here}}
int ordinary(float x) {
  int local = elsewhere; // expected-error-re {{use of undeclared identifier 'elsewhere'{{$}}}}
  local += kernel * 2; // expected-error-re {{use of undeclared identifier 'kernel'{{$}}}}
  max = 1; // expected-error-re {{use of undeclared identifier 'max'{{$}}}}
  return clamp(x, 0, 1) + constant[0] + local; // expected-error-re {{use of undeclared identifier 'clamp'; did you mean 'clampf'?{{$}}}} expected-error-re {{use of undeclared identifier 'constant'; did you mean 'constants'?{{$}}}}
}
int unknown(void) { return x << ; } // expected-error-re {{undeclared identifier 'x'{{$}}}} expected-error-re {{expected expression{{$}}}}

// What clang takes for similar (a type of ka's, int, functions of ka's own) is
// neither named nor offered as a fix, and nothing is said of what would follow from it.
// FIXES: unknown type name '__kernel'
// FIXES-NOT: fix-it:{{.*}}:"{{ka|int}}
__kernel void k(int *x); // expected-error {{unknown type name '__kernel'; in kernels of ka it is '[[ka::kernel]]'}}
kernel void l(int *x); // expected-error {{unknown type name 'kernel'; in kernels of ka it is '[[ka::kernel]]'}}
__global__ void c(int *x); // expected-error {{unknown type name '__global__'; in kernels of ka it is '[[ka::kernel]]'}}
void g(__global int *x, global int *y, local float *z); // expected-error {{unknown type name '__global'; in kernels of ka it is left out}} expected-error {{unknown type name 'global'; in kernels of ka it is left out}} expected-error {{unknown type name 'local'; in kernels of ka it is 'ka_local'}}
void u(uint x); // expected-error-re {{unknown type name 'uint'; in kernels of ka it is 'unsigned int'{{$}}}}
__constant__ float table[3]; // expected-error {{unknown type name '__constant__'; in kernels of ka it is 'const', and 'static const' outside of functions}}
__attribute__((reqd_work_group_size(64, 1, 1))) void r(int *x); // expected-error {{'reqd_work_group_size' can only be applied to an OpenCL kernel function; in kernels of ka it is '[[ka::group_size(64)]]'}}
[[ka::kernel]] void opencl(int *x, float *y) {
  __local int t[4]; // expected-error {{use of undeclared identifier '__local'; in kernels of ka it is 'ka_local'}}
  barrier(CLK_LOCAL_MEM_FENCE); // expected-error {{use of undeclared identifier 'barrier'; in kernels of ka it is 'ka_barrier()'}} expected-error {{'CLK_LOCAL_MEM_FENCE'; in kernels of ka it is left out: 'ka_barrier()' orders}}
  x[get_global_id(0)] = 1; // expected-error-re {{use of undeclared identifier 'get_global_id'; in kernels of ka it is 'ka_global_id'{{$}}}}
  work_group_barrier(1); // expected-error-re {{use of undeclared identifier 'work_group_barrier'; in kernels of ka it is 'ka_barrier()'{{$}}}}
  sub_group_shuffle(x[0], 1); // expected-error-re {{use of undeclared identifier 'sub_group_shuffle'; in kernels of ka it is 'ka_sub_group_shuffle'{{$}}}}
  sub_group_scan_inclusive_add(x[0]); // expected-error {{'ka_sub_group_scan_add'}}
  work_group_reduce_max(x[0]); // expected-error {{'ka_group_reduce_max'}}
  uchar16 v; // expected-error {{'unsigned char __attribute__((ext_vector_type(16)))'}}
  y[0] = native_sin(y[1]); // expected-error {{'sinf'}}
  y[0] = rsqrt(y[1]); // expected-error {{in kernels of ka it is '1 / sqrtf(x)'}}
  x[1] = get_work_dim(); // expected-error {{in kernels of ka it is left out: dimensions that a launch does not have are of size 1}}
  atomic_inc(x); // expected-error {{'__atomic_fetch_add(p, 1, __ATOMIC_RELAXED)'}}
  atomic_fetch_add(x, 1); // expected-error {{; it is declared in <stdatomic.h>}}
}
[[ka::kernel]] void cuda(int *x, float *y) {
  __shared__ int t[4]; // expected-error {{use of undeclared identifier '__shared__'; in kernels of ka it is 'ka_local'}}
  int i = blockIdx.x * blockDim.x + threadIdx.x; // expected-error {{'ka_group_id(dimension)'}} expected-error {{'ka_local_size(dimension)'}} expected-error {{'ka_local_id(dimension)'}}
  __syncthreads(); // expected-error {{use of undeclared identifier '__syncthreads'; in kernels of ka it is 'ka_barrier()'}}
  x[i] = __shfl_down_sync(~0u, x[i], 1); // expected-error {{'ka_sub_group_shuffle_down'}}
  x[i] = __reduce_add_sync(~0u, x[i]); // expected-error {{'ka_sub_group_reduce_add'}}
  y[i] = __expf(__ldg(&y[i])); // expected-error {{'expf'}} expected-error {{'*p'}}
  atomicExch(x, warpSize); // expected-error {{'__atomic_exchange_n(p, x, __ATOMIC_RELAXED)'}} expected-error {{'ka_sub_group_size()'}}
  atomicCAS(x, 1, 2); // expected-error {{'__atomic_compare_exchange_n(}}
}

// Behind the type the parser takes such a word for a name.
void behind(float __global *x); // expected-error {{expected ')' at '__global'; in kernels of ka it is left out}} expected-note {{to match this '('}}
void behind_const(const float __constant *x); // expected-error {{expected ')' at '__constant'; in kernels of ka it is 'const'}} expected-note {{to match this '('}}
[[ka::kernel]] void behind_local(void) {
  float __shared__ t[4]; // expected-error {{expected ';' at end of declaration at '__shared__'; in kernels of ka it is 'ka_local'}}
}
void launch(void) {
  cuda<<<1, 64>>>(0); // expected-error {{expected expression; with ka a launch is 'ka_launch(be, }} expected-error {{expected expression}}
}

// Behind this the parser does not find its way back.
void __launch_bounds__(64) bounds(int *x) {} // expected-error {{expected parameter declarator at '__launch_bounds__'; in kernels of ka it is '[[ka::group_size(64)]]'}} expected-error {{expected ')'}} expected-note {{to match this '('}} expected-error 1+ {{expected}}

// Before C23 it is a function that is not declared, and the similar name a note.
// CHECK: call to undeclared function 'clamp'; ISO C99 {{.*}}; in kernels of ka it is 'fminf
// CHECK: note: did you mean 'clampf'?
// CHECK: call to undeclared function 'get_global_id'; in kernels of ka it is 'ka_global_id'
// CHECK-NOT: note: did you mean 'ka_
// CHECK: call to undeclared function '__syncthreads'; in kernels of ka it is 'ka_barrier()'
