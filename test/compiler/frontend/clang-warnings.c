// Clang's own warnings see kernels as they see functions.
// RUN: %ka-verify -std=c23 -Wall -Wextra -fplugin-arg-ka-warn=ka-unused-pointer=ignored %s
#include <ka/ka.h>
#include <stdlib.h>

[[ka::kernel]] void k(int *p, int *unused, [[maybe_unused]] int *known) { // expected-warning {{unused parameter 'unused'}}
  ka_local int tile[4][2]; // expected-note 2 {{array 'tile' declared here}}
  tile[4][0] = 1; // expected-warning {{array index 4 is past the end of the array}}
  tile[0][-1] = 1; // expected-warning {{array index -1 is before the beginning of the array}}
  int x; // expected-note {{initialize the variable 'x' to silence this warning}}
  p[0] = x + 1 / 0; // expected-warning {{variable 'x' is uninitialized when used here}} expected-warning {{division by zero is undefined}}
}
