// Group memory becomes a variable in a section of its own, in device code only.
// RUN: %ka-emit=frontend-llvm -std=c23 %s | FileCheck %s
// RUN: %ka-cc -std=c23 -O0 -S -emit-llvm %s -o - | FileCheck --check-prefix=HOST %s
#include <ka/ka.h>

// CHECK-DAG: @k.tile = internal global [16 x [17 x float]] zeroinitializer, section ".ka.local"
// CHECK-DAG: @k.counts = internal global [4 x i32] [i32 1, i32 2, i32 0, i32 0], section ".ka.local.init"
// CHECK-DAG: @helper.shared = internal global [3 x i32] zeroinitializer, section ".ka.local"
// HOST-NOT: .ka.local
static void helper(int *p) {
  ka_local int shared[3];
  shared[1] = *p;
  *p = shared[2];
}
[[ka::kernel]] void k(int *p, ka_local float *scratch) {
  ka_local float tile[16][17];
  ka_local int counts[4] = {1, 2};
  tile[1][2] = scratch[3];
  helper(p);
  p[0] = counts[1] + (int)tile[0][0];
}
void host(int *p) { helper(p); }
