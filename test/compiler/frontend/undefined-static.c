// A static kernel that is launched must be defined.
// RUN: %ka-verify -std=c23 %s
#include <ka/ka.h>
[[ka::kernel]] static void k(int *p); // expected-error {{kernel 'k' is launched but not defined}} expected-warning {{function 'k' has internal linkage but is not defined}}
int f(ka_backend *be, int *p) { return ka_launch(be, ka_range(1), k(p)); } // expected-note {{used here}}
