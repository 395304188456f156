/* The program whose start is measured: one launch of saxpy, then a line when the result is right.
 */
#include <ka/ka.h>
#include <stdio.h>
#include <unistd.h>

[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y) {
  size_t i = ka_global_id(0);
  y[i] += a * x[i];
}

int main(void) {
  enum { N = 1024 };
  ka_backend *be = ka_default_backend();
  float *x = ka_alloc(be, N * sizeof *x), *y = ka_alloc(be, N * sizeof *y);
  if (!x || !y) {
    fprintf(stderr, "start_ka: %s\n", ka_error_message());
    return 1;
  }
  for (size_t i = 0; i < N; ++i)
    x[i] = (float)i, y[i] = 1;
  KA_CHECK(ka_launch(be, ka_with_group(ka_range(N), 256), saxpy(2, x, y)));
  KA_CHECK(ka_synchronize(be));
  if (y[N - 1] != 2 * (N - 1) + 1)
    return 1;
  return write(STDOUT_FILENO, "ready\n", 6) == 6 ? 0 : 1;
}
