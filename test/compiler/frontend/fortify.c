// The C library's checking forms of memcpy and its kin become plain ones.
// RUN: %ka-emit=frontend-llvm -std=c17 -O2 -D_FORTIFY_SOURCE=2 %s | FileCheck %s
#include <ka/ka.h>
#include <string.h>
// CHECK-NOT: __memcpy_chk
// CHECK: @memcpy
__attribute__((ka_kernel)) void k(int *p, int n) {
  int a[8];
  memcpy(a, p, n);
  memset(p, a[1], n);
}
