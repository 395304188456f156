// The second argument of ka_kernel_of is the name of a kernel.
// RUN: %ka-verify -std=c23 %s
#include <ka/ka.h>

[[ka::kernel]] void k(int *p) { *p = 1; }
void plain(int *p); // expected-note {{'plain' declared here}}
void (*pointer)(int *);
[[ka::kernel]] static void undefined(int *p); // expected-error {{kernel 'undefined' is launched but not defined}}

void f(ka_backend *be, int *p) {
  ka_kernel *h = ka_kernel_of(be, k);
  h = ka_kernel_of(be, k(p)); // expected-error {{the second argument of ka_kernel_of must be the name of a kernel}}
  h = ka_kernel_of(be, pointer); // expected-error {{the second argument of ka_kernel_of must be the name of a kernel}}
  h = ka_kernel_of(be, &k); // expected-error {{the second argument of ka_kernel_of must be the name of a kernel}}
  h = ka_kernel_of(be, 5); // expected-error {{the second argument of ka_kernel_of must be the name of a kernel}}
  h = ka_kernel_of(be, plain); // expected-error {{ka_kernel_of of 'plain', which is not a kernel; mark its first declaration with [[ka::kernel]]}}
  h = ka_kernel_of(be, undefined);
  (void)h;
}
