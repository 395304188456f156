// An early return before a barrier, as programs for CUDA and OpenCL have it: what is said is what
// to do about the return, for there is no condition or loop around the barrier.
// RUN: not %ka-cc -std=c23 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %ka-cc -std=c23 -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %ka-cc -std=c23 -DUNSAFE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNSAFE %s
#include <ka/ka.h>

#ifdef UNSAFE
[[ka::kernel, ka::unsafe_indices]] void own_bounds(float *x, size_t n) {
  if (ka_global_id(0) >= n)
    return;
  ka_barrier();
  x[0] = 1;
}
// UNSAFE: [[@LINE-3]]:3: warning: {{.*}}'own_bounds', as some return before it; put only
// UNSAFE-NOT: items beyond the range
// UNSAFE: [[@LINE-6]]:5: note: items of a work-group return here
#else

[[ka::kernel]] void idiom(float *x, size_t n) {
  size_t i = ka_global_id(0);
  if (i >= n)
    return;
  x[i] = 1;
  ka_barrier();
  x[i] += x[i - ka_local_id(0)];
}
// CHECK: [[@LINE-3]]:3: error: not every item of a work-group may reach this barrier in kernel
// CHECK-SAME: 'idiom', as some return before it; items beyond the range do not exist, so leave out a
// CHECK-SAME: return that is meant for them, else put only the statements between the barriers under
// CHECK-SAME: the opposite condition
// CHECK: [[@LINE-9]]:5: note: items of a work-group return here

[[ka::kernel]] void two_dimensions(float *x, size_t w, size_t h) {
  if (ka_global_id(0) >= w || ka_global_id(1) >= h) {
    x[0] = 0;
    return;
  }
  x[ka_global_linear_id()] = 1;
  ka_barrier();
  x[0] += 1;
}
// CHECK: [[@LINE-3]]:3: error: {{.*}}'two_dimensions', as some return before it
// CHECK: [[@LINE-7]]:5: note: items of a work-group return here

static void meet(float *x) {
  x[ka_global_id(0)] += 1;
  ka_barrier();
}
[[ka::kernel]] void in_function(float *x, size_t n) {
  if (ka_global_id(0) >= n)
    return;
  meet(x);
}
// CHECK: [[@LINE-7]]:3: error: {{.*}}'in_function', as some return before it
// CHECK: [[@LINE-4]]:5: note: items of a work-group return here

// Where the barrier itself is under the condition, or nothing returns, the advice is another.
[[ka::kernel]] void within(float *x, size_t n) {
  if (ka_global_id(0) < n) {
    ka_barrier();
    x[ka_global_id(0)] = 1;
    return;
  }
  x[0] = 1;
}
// CHECK: [[@LINE-6]]:5: error: {{.*}}'within'; move the barrier out of the condition or loop
// CHECK-NOT: return here
[[ka::kernel]] void loop(float *x) {
  for (size_t k = 0; k < ka_local_id(0); ++k) {
    x[ka_global_id(0)] += 1;
    ka_barrier();
  }
}
// CHECK: [[@LINE-3]]:5: error: {{.*}}'loop'; move the barrier out of the condition or loop
// CHECK-NOT: return here
#endif
