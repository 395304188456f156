/* One launch of saxpy. */
#include "start_saxpy.h"

#include <ka/ka.h>
#include <stdio.h>

[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y) {
  size_t i = ka_global_id(0);
  y[i] += a * x[i];
}

bool start_saxpy(void) {
  enum { N = 1024 };
  ka_backend *be = ka_default_backend();
  float *x = ka_alloc(be, N * sizeof *x), *y = ka_alloc(be, N * sizeof *y);
  if (!x || !y) {
    fprintf(stderr, "start_saxpy: %s\n", ka_error_message());
    return false;
  }
  for (size_t i = 0; i < N; ++i)
    x[i] = (float)i, y[i] = 1;
  KA_CHECK(ka_launch(be, ka_with_group(ka_range(N), 256), saxpy(2, x, y)));
  KA_CHECK(ka_synchronize(be));
  return y[N - 1] == 2 * (N - 1) + 1;
}
