// What becomes of hints at loops, and of loops with barriers: each `fetch` stands for one turn.
// RUN: %ka-emit=llvm -std=gnu23 %s | FileCheck %s
#include <ka/kernel.h>

// All turns, in each spelling.
// CHECK-LABEL: define spir_kernel void @whole(
// CHECK-COUNT-5: load i32, ptr addrspace(1)
// CHECK-NOT: br {{.*}}label
// CHECK: ret void
[[ka::kernel]] void whole(int *out, const int *restrict in) {
  int sum = 0;
  KA_UNROLL
  for (int k = 0; k < 5; k++)
    sum = sum * 3 + in[k * 7];
  out[ka_global_id(0)] = sum;
}
// CHECK-LABEL: define spir_kernel void @whole_by_pragma(
// CHECK-COUNT-5: load i32, ptr addrspace(1)
// CHECK-NOT: br {{.*}}label
// CHECK: ret void
[[ka::kernel]] void whole_by_pragma(int *out, const int *restrict in) {
  int sum = 0;
#pragma clang loop unroll(full)
  for (int k = 0; k < 5; k++)
    sum = sum * 3 + in[k * 7];
  out[ka_global_id(0)] = sum;
}

// A loop around a hinted one keeps its turns.
// CHECK-LABEL: define spir_kernel void @inner(
// CHECK: [[LOOP:.*]]:{{.*}}preds
// CHECK-COUNT-3: load i32, ptr addrspace(1)
// CHECK-NOT: load
// CHECK: br {{.*}}label %[[LOOP]]
// CHECK: ret void
[[ka::kernel]] void inner(int *out, const int *restrict in, int n) {
  int sum = 0;
  for (int j = 0; j < n; j++) {
#pragma unroll
    for (int k = 0; k < 3; k++)
      sum = sum * 3 + in[j * 5 + k * 7];
  }
  out[ka_global_id(0)] = sum;
}

// Four of an unknown number, and a second loop for the rest.
// CHECK-LABEL: define spir_kernel void @by_four(
// CHECK: {{^}}[[FOUR:for.body.i]]:{{.*}}preds
// CHECK-COUNT-4: load i32, ptr addrspace(1)
// CHECK-NOT: load
// CHECK: br {{.*}}label %[[FOUR]]
// CHECK: load i32, ptr addrspace(1)
// CHECK-NOT: load
// CHECK: ret void
[[ka::kernel]] void by_four(int *out, const int *restrict in, int n) {
  int sum = 0;
  KA_UNROLL_N(4)
  for (int k = 0; k < n; k++)
    sum = sum * 3 + in[k * 7];
  out[ka_global_id(0)] = sum;
}

// No hint, and a hint against.
// CHECK-LABEL: define spir_kernel void @not_asked(
// CHECK: load i32, ptr addrspace(1)
// CHECK-NOT: load
// CHECK: ret void
[[ka::kernel]] void not_asked(int *out, const int *restrict in) {
  int sum = 0;
  for (int k = 0; k < 5; k++)
    sum = sum * 3 + in[k * 7];
  out[ka_global_id(0)] = sum;
}
// CHECK-LABEL: define spir_kernel void @once(
// CHECK: load i32, ptr addrspace(1)
// CHECK-NOT: load
// CHECK: ret void
[[ka::kernel]] void once(int *out, const int *restrict in) {
  int sum = 0;
  KA_UNROLL_N(1)
  for (int k = 0; k < 5; k++)
    sum = sum * 3 + in[k * 7];
  out[ka_global_id(0)] = sum;
}
