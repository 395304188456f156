// Types that clang has refused are not looked into again: they may hold themselves.
// RUN: not %ka-cc -std=c++17 -c %s -o %t.o 2>&1 | FileCheck %s
#include <ka/ka.h>
// CHECK: error: field has incomplete type 'self'
struct self {
  self inside;
};
// CHECK: error:
struct odd {
  float x;
  odd(0 a) : x(a) {}
};
// CHECK-NOT: cannot be passed
[[ka::kernel]] void k(self s, odd o, int *p) { *p = 1; }
int f(ka_backend *be, self *s, odd *o) { return ka_launch(be, ka_range(1), k(*s, *o, nullptr)); }
[[ka::kernel]] void local(int *p) {
  ka_local self s;
  ka_local odd o;
  *p = 1;
}
