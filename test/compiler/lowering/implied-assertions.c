// An assertion that a check before it implies costs nothing: not even the mailbox.
// RUN: %ka-emit=llvm -std=c23 -O2 %s | FileCheck %s
#include <assert.h>
#include <ka/ka.h>

// CHECK-NOT: mailbox
[[ka::kernel]] void checked(float *x, size_t n) {
  size_t i = ka_global_id(0);
  if (i >= n)
    return;
  assert(i < n);
  x[i] = 1;
}
[[ka::kernel]] void in_a_branch(float *x, int n) {
  int i = (int)ka_global_id(0);
  if (i < n) {
    assert(i < n && i <= n);
    x[i] = 1;
  }
}
[[ka::kernel]] void twice(float *x, size_t n) {
  size_t i = ka_global_id(0);
  for (size_t k = 0; k < n; ++k) {
    assert(k < n);
    x[i] += 1;
  }
}

// And one that nothing implies.
// CHECK: define {{.*}}@unchecked({{.*}}mailbox
[[ka::kernel]] void unchecked(float *x, size_t n) {
  size_t i = ka_global_id(0);
  assert(i < n);
  x[i] = 1;
}
