// Warnings of what is legal but costs or limits: double, where it is asked for, and pointers that nobody
// uses.
// RUN: %ka-verify -std=c23 -fplugin-arg-ka-warn=ka-double=warning %s
// RUN: %ka-cc -fsyntax-only -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=ignored %s 2>&1 | count 0
// RUN: not %ka-cc -fsyntax-only -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=error -fplugin-arg-ka-warn=ka-double=error %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}} [-Werror,-Wka-unused-pointer]
// CHECK: error: {{.*}} [-Werror,-Wka-double]
#include <ka/ka.h>

static float half(float x) { return x * 0.5; } // expected-warning {{a value of type 'double' in a kernel, which not every device can compute [-Wka-double]}}
static float third(float x) { return x / 3.0f; }
double on_the_host(double x) { return x * 2.0; }

[[ka::kernel]] void k(float *x) {
  x[0] = half(third(x[1])); // expected-note {{'half' is called by kernel 'k' here}}
}

[[ka::kernel]] void pointers(float *x, const float *forgotten, [[maybe_unused]] int *known, ka_local int *scratch, // expected-warning {{parameter 'forgotten' of kernel 'pointers' is not used, but each launch keeps alive what it points to [-Wka-unused-pointer]}}
                             int number, int *) {
  x[0] = sizeof(double);
}
