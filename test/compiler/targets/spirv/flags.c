// What a kernel asks of its device is in its metadata.
// RUN: %ka-emit=metadata %s | FileCheck %s
#include <ka/kernel.h>

// CHECK: "name": "plain"
// CHECK: "flags": [
// CHECK-NEXT: "padded"
// CHECK-NEXT: ],
[[ka::kernel]] void plain(float *p) { p[ka_global_id(0)] = 1; }
// CHECK: "name": "doubles"
// CHECK: "padded",
// CHECK-NEXT: "fp64"
// CHECK-NEXT: ],
[[ka::kernel]] void doubles(double *p) { p[ka_global_id(0)] += 1; }
// CHECK: "name": "halves"
// CHECK: "fp16"
// CHECK-NEXT: ],
[[ka::kernel]] void halves(_Float16 *p) { p[ka_global_id(0)] += 1; }
// CHECK: "name": "wide"
// CHECK: "int64_atomics"
// CHECK-NEXT: ],
[[ka::kernel]] void wide(long *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
// CHECK: "name": "meets"
// CHECK: "padded",
// CHECK-NEXT: "barrier"
// CHECK-NEXT: ],
// CHECK: "local_bytes": 68,
[[ka::kernel]] void meets(int *p)
{
    ka_local int tile[17];
    tile[ka_local_id(0)] = 1;
    ka_barrier();
    p[0] = tile[3];
}
// CHECK: "name": "unsafe"
// CHECK: "flags": [
// CHECK-NEXT: "unsafe_indices"
// CHECK-NEXT: ],
[[ka::kernel, ka::unsafe_indices]] void unsafe(int *p) { p[ka_global_id(0)] = 1; }
// CHECK: "name": "mixed"
// CHECK: "generic"
[[ka::kernel]] void mixed(int **p, int *q) { *p[ka_global_id(0)] = *q; }
