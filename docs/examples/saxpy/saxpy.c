/* saxpy: y = a x + y, the "hello, world" of parallel programs.
 *
 * Every element can be computed on its own, so each gets a work-item of its own.
 */
#include "../example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs once for each i of the range. There is no loop, and no check whether i is still within the
 * array: items outside the range do not exist, whatever the size of the groups. */
[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y) {
  size_t i = ka_global_id(0);
  y[i] += a * x[i];
}

/* The same in plain C. */
static void saxpy_on_host(size_t n, float a, const float *restrict x, float *restrict y) {
  for (size_t i = 0; i < n; ++i)
    y[i] += a * x[i];
}

int main(int argc, char **argv) {
  example_options(argc, argv, "Adds a multiple of one vector to another.", NULL);
  ka_backend *be = ka_default_backend();
  example_print_device(be);

  size_t n = 1000003; /* a prime: no size of group divides it */
  printf("size:    %zu elements\n", n);
  float *x = ka_alloc(be, n * sizeof *x);
  float *y = ka_alloc(be, n * sizeof *y);
  float *expected = malloc(n * sizeof *expected);
  if (!x || !y || !expected) {
    fprintf(stderr, "out of memory: %s\n", ka_error_message());
    return 1;
  }
  for (size_t i = 0; i < n; ++i) {
    x[i] = (float)i / (float)n;
    y[i] = expected[i] = 1.0f - x[i];
  }

  /* The first launch also builds the kernel for the device; the second shows its real speed. A
   * launch returns at once; ka_synchronize waits until the result is there. */
  for (int run = 0; run < 2; ++run) {
    double start = example_now();
    KA_CHECK(ka_launch(be, ka_range(n), saxpy(2.0f, x, y)));
    KA_CHECK(ka_synchronize(be));
    example_print_run(run, example_now() - start);
  }

  double start = example_now();
  saxpy_on_host(n, 2.0f, x, expected);
  printf("plain C: %.3f ms\n", example_now() - start);
  saxpy_on_host(n, 2.0f, x, expected);

  /* A device may compute a * x + y with one rounding, plain C uses two. Each of the two runs can
   * differ by half an ulp of the product (at most 2) and of the sum (at most 5). */
  float tolerance = 2 * (2 + 5) * 0x1p-24f, largest = 0;
  for (size_t i = 0; i < n; ++i)
    largest = fmaxf(largest, fabsf(y[i] - expected[i]));
  printf("largest difference %g, tolerance %g\n", (double)largest, (double)tolerance);

  ka_free(x);
  ka_free(y);
  free(expected);
  return example_finish(largest <= tolerance);
}
