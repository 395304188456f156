// A cycle of calls is printed whole, once.
// RUN: %ka-verify -std=c23 %s
#include <ka/ka.h>

static int fact(int n) { return n ? n * fact(n - 1) : 1; } // expected-error {{recursion is not supported in kernels: 'fact' calls 'fact'}}
static int c(int n);
static int a(int n) { return c(n - 1); } // expected-note {{'a' calls 'c' here}}
static int b(int n) { return n ? a(n - 1) : 0; } // expected-error {{recursion is not supported in kernels: 'b' calls 'a', which leads back to it}}
static int c(int n) { return b(n - 1); } // expected-note {{'c' calls 'b' here}}
static int twice(int n) { return n + n; }

[[ka::kernel]] void k(int *p) {
  p[0] = fact(3); // expected-note {{'fact' is called by kernel 'k' here}}
  p[1] = a(3);    // expected-note {{'a' is called by kernel 'k' here}}
  p[2] = twice(twice(4));
}
[[ka::kernel]] void again(int *p) { again(p); } // expected-error {{recursion is not supported in kernels: 'again' calls 'again'}}
[[ka::kernel]] void second(int *p) { p[0] = fact(4); }

int host(int n) { return n ? host(n - 1) : 0; }
