// Words of OpenCL C and CUDA: what ka has in their place.
// RUN: %ka-verify -std=c23 %s
// RUN: not %ka-cc -std=c17 -fsyntax-only %s 2>&1 | FileCheck %s
#include <ka/ka.h>

__kernel void k(int *x); // expected-error {{unknown type name '__kernel'; in kernels of ka it is '[[ka::kernel]]'}} expected-error {{cannot combine with previous 'type-name'}} expected-note@ka/ka.h:* {{'ka_kernel' declared here}}
__global__ void c(int *x); // expected-error {{unknown type name '__global__'; in kernels of ka it is '[[ka::kernel]]'}}
void g(__global int *x); // expected-error {{unknown type name '__global'; in kernels of ka it is left out}}
[[ka::kernel]] void opencl(int *x) {
  __local int t[4]; // expected-error {{use of undeclared identifier '__local'; in kernels of ka it is 'ka_local'}}
  barrier(1); // expected-error {{use of undeclared identifier 'barrier'; in kernels of ka it is 'ka_barrier()'}}
  x[get_global_id(0)] = 1; // expected-error {{did you mean 'ka_global_id'?}} expected-note@ka/kernel.h:* {{'ka_global_id' declared here}}
}
[[ka::kernel]] void cuda(int *x) {
  __shared__ int t[4]; // expected-error {{use of undeclared identifier '__shared__'; in kernels of ka it is 'ka_local'}}
  int i = blockIdx.x * blockDim.x + threadIdx.x; // expected-error {{'ka_group_id(dimension)'}} expected-error {{'ka_local_size(dimension)'}} expected-error {{'ka_local_id(dimension)'}}
  __syncthreads(); // expected-error {{use of undeclared identifier '__syncthreads'; in kernels of ka it is 'ka_barrier()'}}
  x[i] = elsewhere; // expected-error-re {{use of undeclared identifier 'elsewhere'{{$}}}}
}
// Before C23 it is a function that is not declared.
// CHECK: call to undeclared function '__syncthreads'; in kernels of ka it is 'ka_barrier()'
