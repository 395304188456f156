// Group memory has a size that the compiler knows.
// RUN: %ka-verify -std=gnu23 %s
#include <ka/ka.h>
[[ka::kernel]] void k(int *p, int n) {
  ka_local float tile[n]; // expected-error {{variable length array declaration cannot have 'static' storage duration}}
  p[0] = tile[0];
}
