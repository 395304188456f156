// The third argument of ka_launch is the call of a kernel.
// RUN: %ka-verify -std=c23 -Wno-unused-value %s
#include <ka/ka.h>

[[ka::kernel]] void k(int *p) { *p = 1; }
[[ka::kernel]] void scratch(ka_local float *s, int *p) { *p = (int)s[0]; } // expected-note 2 {{parameter declared here}}
void plain(int *p); // expected-note {{'plain' declared here}}
void (*pointer)(int *);

int f(ka_backend *be, int *p) {
  ka_status s = ka_launch(be, ka_range(1), p); // expected-error {{the third argument of ka_launch must be the call of a kernel, as in ka_launch(backend, range, kernel(arguments))}}
  s = ka_launch(be, ka_range(1), k); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), 3 + 4); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), pointer(p)); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), k(p), k(p)); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), p ? k(p) : k(0)); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), (&k)(p)); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), ({ k(p); })); // expected-error {{the third argument of ka_launch must be the call of a kernel}}
  s = ka_launch(be, ka_range(1), (k)(p));
  s = ka_launch(be, ka_range(1), ((k(p))));
  s = ka_launch(be, ka_range(1), plain(p)); // expected-error {{ka_launch of 'plain', which is not a kernel; mark its first declaration with [[ka::kernel]]}}
  s = ka_launch(be, ka_range(1), scratch((float *)p, p)); // expected-error {{parameter 's' of kernel 'scratch' is group memory: pass ka_scratch(bytes)}}
  s = ka_launch(be, ka_range(1), scratch(ka_scratch(64), ka_scratch(64))); // expected-error {{ka_scratch gives group memory, but parameter 'p' of kernel 'scratch' is not marked ka_local}}
  return s;
}
