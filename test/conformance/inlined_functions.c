// Functions that the driver must make part of the kernel; inlined_functions.py looks whether it
// did.
#include "check.h"
#include <math.h>

static float functions(float x) {
  return sqrtf(x) + fmaf(x, x, 1.5f) + expf(x) + fdimf(x, 1) + sinf(x);
}

[[ka::kernel]] void apply(const float *restrict x, float *restrict y) {
  size_t i = ka_global_id(0);
  y[i] = functions(x[i]);
}

int main(void) {
  enum { n = 100 };
  float *x = device_memory(n * sizeof *x), *y = device_memory(n * sizeof *y);
  for (int i = 0; i < n; i++)
    x[i] = (float)i / 16;
  KA_CHECK(ka_launch(backend(), ka_range(n), apply(x, y)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    float expected = functions(x[i]);
    if (!(fabsf(y[i] - expected) <= 1e-5f * fabsf(expected)))
      fprintf(stderr, "%a: expected %a, got %a\n", x[i], expected, y[i]), check_failures++;
  }
  return check_result();
}
