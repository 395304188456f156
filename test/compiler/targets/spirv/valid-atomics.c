// Atomics of 64 bits need a capability that the validator knows only from SPIR-V itself.
// RUN: %ka-emit=spirv %s > %t.spv
// RUN: spirv-val --target-env spv1.2 %t.spv
// RUN: %spirv-dis %t.spv | FileCheck %s
#include <ka/kernel.h>
#include <stdatomic.h>

// CHECK: OpCapability Int64Atomics
// CHECK: OpAtomicIAdd
// CHECK: OpAtomicCompareExchange
// CHECK: OpMemoryBarrier
[[ka::kernel]] void all(_Atomic long *l, _Atomic float *f, atomic_uchar *c, _Atomic double *d)
{
    atomic_fetch_add(l, 1);
    *f += 2.0f;
    atomic_fetch_xor_explicit(c, 3, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    double old = 1;
    atomic_compare_exchange_weak(d, &old, 2.0);
}
