// Pointers to the host's stack that can be seen in a launch.
// RUN: %ka-verify -std=c23 %s
// RUN: %ka-cc -fsyntax-only -std=c23 -fplugin-arg-ka-warn=ka-host-stack=ignored %s 2>&1 | count 0
#include <ka/ka.h>

struct s { int n, v[4]; };
[[ka::kernel]] void k(int *p, const void *q, long n) { p[n] = *(const int *)q; }

int elsewhere[10];
int host(ka_backend *be, int *parameter, int array_parameter[3], size_t n) {
  int x = 1; // expected-note {{declared here}}
  int a[10]; // expected-note 2 {{declared here}}
  struct s s = {0}, *p = &s, t[3] = {{0}}; // expected-note {{declared here}} expected-note {{declared here}}
  static int kept[10];
  int *pointers[2] = {kept, elsewhere};
  ka_launch(be, ka_range(1), k(&x, elsewhere, 0)); // expected-warning {{'x' is on the host's stack, but kernel 'k' runs after ka_launch has returned, and not every device sees the stack; pass memory from ka_alloc [-Wka-host-stack]}}
  ka_launch(be, ka_range(1), k(a, kept, 0)); // expected-warning {{'a' is on the host's stack}}
  ka_launch(be, ka_range(1), k(parameter, (char *)&a[n], 0)); // expected-warning {{'a' is on the host's stack}}
  ka_launch(be, ka_range(1), k(array_parameter, s.v, 0)); // expected-warning {{'s' is on the host's stack}}
  ka_launch(be, ka_range(1), k(&t[1].v[2], p->v, 0)); // expected-warning {{'t' is on the host's stack}}
  // Values, and pointers that are not seen to lead there.
  return ka_launch(be, ka_range(1), k(pointers[1], &p->n, x + a[1] + (long)&x));
}
