// The device's code does not depend on the host's options.
// RUN: %ka-emit=llvm %s -O0 > %t.O0
// RUN: %ka-emit=llvm %s -O3 -march=native -fsanitize=undefined -fstack-protector-all -fPIC > %t.O3
// RUN: diff %t.O0 %t.O3
// RUN: FileCheck %s < %t.O0
#include <ka/kernel.h>

// CHECK-NOT: target-cpu
// CHECK-LABEL: define spir_kernel void @saxpy(float %a, ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %y)
// CHECK-NOT: alloca
// CHECK: fmul contract float
// CHECK-NEXT: fadd contract float
// CHECK-NOT: target-cpu
[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y)
{
    size_t i = ka_global_id(0);
    y[i] += a * x[i];
}
