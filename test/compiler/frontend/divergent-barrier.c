// A finding of the lowering has a caret and the way from the kernel.
// RUN: not %ka-cc -std=c23 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %ka-cc -std=c23 -save-temps=obj -c %s -o %t.o 2>&1 | FileCheck %s
#include <ka/ka.h>
static void meet(float *x) {
  x[0] = 1;
  ka_barrier();
}
static void helper(float *x) { meet(x); }
[[ka::kernel]] void k(float *x) {
  if (x[ka_global_id(0)] > 0)
    helper(x);
}
// CHECK: divergent-barrier.c:7:3: error: {{.*}}barrier
// CHECK: divergent-barrier.c:9:32: note: 'meet' is called by 'helper' here
// CHECK: divergent-barrier.c:12:5: note: 'helper' is called by kernel 'k' here
