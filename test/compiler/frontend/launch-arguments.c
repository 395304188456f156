// Arguments that do not fit are C's own errors, at the line of the launch.
// RUN: %ka-verify -std=c23 -Werror=incompatible-pointer-types %s
#include <ka/ka.h>
[[ka::kernel]] void k(int n, float *p) { p[n] = 1; } // expected-note 2 {{'k' declared here}} expected-note {{passing argument to parameter 'p' here}}
int f(ka_backend *be, float *p) {
  ka_status s = ka_launch(be, ka_range(1), k(1)); // expected-error {{too few arguments to function call, expected 2, have 1}}
  s = ka_launch(be, ka_range(1), k(1, p, 2)); // expected-error {{too many arguments to function call, expected 2, have 3}}
  s = ka_launch(be, ka_range(1), k(1, &s)); // expected-error {{incompatible pointer types passing 'ka_status *' (aka 'enum ka_status *') to parameter of type 'float *'}}
  return s;
}
