// Barriers stay where they are, each of them, in helpers and in both branches of an if.
// RUN: %ka-emit=llvm %s | FileCheck %s
#include <ka/kernel.h>

static void meet(void)
{
    ka_barrier();
}

// CHECK-LABEL: define spir_kernel void @k(
// CHECK-COUNT-3: call spir_func void @_Z7barrierj(i32 3)
// CHECK-NOT: barrier
// CHECK: ret void
[[ka::kernel, ka::unsafe_indices]] void k(int *p, int mode)
{
    if (mode)
        meet();
    else
        meet();
    p[ka_local_id(0)] = 1;
    meet();
}
