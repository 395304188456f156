// Images pass the validator and are of a version that PoCL takes.
// RUN: %ka-emit=spirv %s > %t.spv
// RUN: %spirv-val %t.spv
// RUN: %spirv-dis %t.spv | FileCheck %s
#include <ka/kernel.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// CHECK: ; Version: 1.{{[0-2]$}}
// CHECK-NOT: OpExtension
// CHECK-DAG: OpEntryPoint Kernel %{{.*}} "everything"
// CHECK-DAG: OpEntryPoint Kernel %{{.*}} "everything__ka_padded"
// CHECK: OpExecutionMode %{{.*}} LocalSize 8 4 1
// CHECK: OpSource OpenCL_C 200000
// CHECK-NOT: OpSource
// CHECK: OpControlBarrier

struct inner { char c; const float *data; int bits : 11, more : 3; };
static const struct inner table[3] = {{'a', 0, 1, 2}, {'b', 0, -1, 1}};
static const char *const names[] = {"one", "three"};

[[ka::kernel, ka::group_size(8, 4)]] void everything(double *restrict out, struct inner in, bool b,
                                                     ka_local int *scratch, const int *n)
{
    ka_local float tile[8][4];
    ka_local int seeds[3] = {1, 2, 3};
    size_t x = ka_local_id(0), y = ka_local_id(1);
    tile[x][y] = in.data[ka_global_linear_id()];
    scratch[x] = names[*n & 1][x & 1];
    ka_barrier();
    struct inner copy[2];
    memset(copy, 0, sizeof copy);
    for (int i = 0; i < *n; i++) {
        copy[i & 1].bits += seeds[i % 3] + table[i % 3].bits;
        if (b)
            copy[i & 1] = in;
        ka_barrier();
    }
    __atomic_fetch_add(&scratch[0], copy[x & 1].bits, __ATOMIC_RELAXED);
    *out += sin(tile[y][x]) + copy[y & 1].more;
    switch (*n & 7) {
    case 1: out[1] = pow(out[0], 0.5); break;
    case 5: memmove(out + 1, out, (size_t)*n); break;
    }
}
