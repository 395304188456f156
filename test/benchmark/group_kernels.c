/* The group "kernels": ka beside OpenCL by hand, same device, same group sizes, same kind of
 * memory. The time is from before the launch to after the wait for its end. */
#include "groups.h"
#include "kernel_rows.h"
#include "kernels.h"
#include "measure.h"
#include "work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_OF_MEAN = 12 };
/* For a row, so that all of them take 45 s at most. */
static const double seconds_of_row = 1.5;

bool kernel_row(struct work *w, const char *name, double bound, struct kernel_mean *mean) {
  struct figure f;
  measure_limit(seconds_of_row);
  bool good = measure(&(struct comparison){"kernels", name, "us", "OpenCL C by hand", bound,
                                           work_run_ka, work_run_peer, w},
                      &f) &&
              measure_report(&f);
  measure_limit(0);
  if (good && mean) {
    mean->ka += log(f.ka);
    mean->peer += log(f.peer);
    mean->ratio += log(f.ratio);
    mean->fewest_runs = mean->count == 0 || f.runs < mean->fewest_runs ? f.runs : mean->fewest_runs;
    ++mean->count;
  }
  return good;
}

static bool report_mean(const struct kernel_mean *mean) {
  if (mean->count != ROWS_OF_MEAN) {
    fprintf(stderr, "ka-bench: the mean is one of %d kernels, not of %d\n", mean->count,
            ROWS_OF_MEAN);
    return false;
  }
  return measure_report(&(struct figure){.group = "kernels",
                                         .name = "geometric mean of 12",
                                         .unit = "us",
                                         .ka = exp(mean->ka / mean->count),
                                         .peer_name = "OpenCL C by hand",
                                         .peer = exp(mean->peer / mean->count),
                                         .ratio = exp(mean->ratio / mean->count),
                                         .bound = 1.0,
                                         .runs = mean->fewest_runs});
}

static void launch_saxpy(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     saxpy(0.5f, (const float *)w->buffer[0][0], (float *)w->buffer[0][1])));
}
static void set_saxpy(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(float), &(float){0.5f});
  work_set_pointer(kernel, 1, w->buffer[1][0]);
  work_set_pointer(kernel, 2, w->buffer[1][1]);
}

static bool bench_saxpy(struct kernel_mean *mean) {
  size_t n = measure_effort()->quick ? 4096 : 262144;
  struct work w = {.name = "saxpy",
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = launch_saxpy,
                   .set_arguments = set_saxpy};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = (float)i / (float)n;
  float *expected = malloc(n * sizeof(float));
  for (size_t i = 0; i < n && expected; ++i)
    expected[i] = 0.5f * ((float)i / (float)n);
  bool good =
      expected && work_agree_with(&w, 1, expected, 1e-6f) && kernel_row(&w, "saxpy", 1.10, mean);
  free(expected);
  work_release(&w);
  return good;
}

static void launch_matmul(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     matmul(w->n, (const float *)w->buffer[0][0], (const float *)w->buffer[0][1],
                            (float *)w->buffer[0][2])));
}
static void set_matmul(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(cl_ulong), &(cl_ulong){w->n});
  for (cl_uint b = 0; b < 3; ++b)
    work_set_pointer(kernel, b + 1, w->buffer[1][b]);
}

static bool bench_matmul(struct kernel_mean *mean) {
  size_t n = measure_effort()->quick ? 64 : 512, bytes = n * n * sizeof(float);
  struct work w = {.name = "matmul",
                   .bytes = {bytes, bytes, bytes},
                   .n = n,
                   .size = {n, n},
                   .group = {TILE, TILE},
                   .launches = 1,
                   .launch = launch_matmul,
                   .set_arguments = set_matmul};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n * n; ++i) {
      ((float *)w.buffer[side][0])[i] = (float)(i % 17) - 8;
      ((float *)w.buffer[side][1])[i] = (float)(i % 13) - 6;
    }
  /* All sums are of small integers, and exact. */
  const float *a = (const float *)w.buffer[0][0], *b = (const float *)w.buffer[0][1];
  float *expected = calloc(n * n, sizeof(float));
  for (size_t row = 0; row < n && expected; ++row)
    for (size_t i = 0; i < n; ++i)
      for (size_t column = 0; column < n; ++column)
        expected[row * n + column] += a[row * n + i] * b[i * n + column];
  bool good =
      expected && work_agree_with(&w, 2, expected, 0) && kernel_row(&w, "matmul", 1.10, mean);
  free(expected);
  work_release(&w);
  return good;
}

static void launch_histogram(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     histogram(w->buffer[0][0], w->n, (unsigned *)w->buffer[0][1])));
}
static void set_histogram(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set(kernel, 1, sizeof(cl_ulong), &(cl_ulong){w->n});
  work_set_pointer(kernel, 2, w->buffer[1][1]);
}

static bool bench_histogram(struct kernel_mean *mean) {
  size_t n = measure_effort()->quick ? 1 << 14 : 1 << 22;
  struct work w = {.name = "histogram",
                   .bytes = {n, BINS * sizeof(unsigned)},
                   .n = n,
                   .size = {n / VALUES_PER_ITEM},
                   .group = {GROUP},
                   .launches = 1,
                   .launch = launch_histogram,
                   .set_arguments = set_histogram};
  if (!work_prepare(&w))
    return false;
  unsigned seed = 1, expected[BINS] = {0};
  for (size_t i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    w.buffer[0][0][i] = w.buffer[1][0][i] = (unsigned char)(seed >> 24);
    ++expected[seed >> 24];
  }
  bool good = work_agree_with(&w, 1, expected, 0) && kernel_row(&w, "histogram", 1.10, mean);
  work_release(&w);
  return good;
}

/* Both tables of weights are in the third buffer, one behind the other. */
enum { NEARNESS_WEIGHTS = DIAMETER * DIAMETER, LIKENESS_WEIGHTS = 3 * 255 + 1 };

static void launch_bilateral(struct work *w, ka_ndrange range) {
  const float *weights = (const float *)w->buffer[0][2];
  KA_CHECK(ka_launch(work_backend, range,
                     bilateral(w->buffer[0][0], w->buffer[0][1], (int)w->n, (int)w->n, weights,
                               weights + NEARNESS_WEIGHTS)));
}
static void set_bilateral(struct work *w, cl_kernel kernel) {
  const float *weights = (const float *)w->buffer[1][2];
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
  work_set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set_pointer(kernel, 4, weights);
  work_set_pointer(kernel, 5, weights + NEARNESS_WEIGHTS);
}

static bool bench_bilateral(void) {
  size_t n = measure_effort()->quick ? 32 : 256;
  struct work w = {
      .name = "bilateral",
      .bytes = {3 * n * n, 3 * n * n, (NEARNESS_WEIGHTS + LIKENESS_WEIGHTS) * sizeof(float)},
      .n = n,
      .size = {n, n},
      .group = {16, 16},
      .launches = 1,
      .launch = launch_bilateral,
      .set_arguments = set_bilateral};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side) {
    for (size_t i = 0; i < 3 * n * n; ++i)
      w.buffer[side][0][i] = (unsigned char)(i * i >> 8);
    float *weights = (float *)w.buffer[side][2];
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
      for (int dx = -RADIUS; dx <= RADIUS; ++dx)
        *weights++ = expf(-(float)(dx * dx + dy * dy) / 18);
    for (int difference = 0; difference < LIKENESS_WEIGHTS; ++difference)
      *weights++ = expf(-(float)(difference * difference) / 3200);
  }
  bool good = work_agree_bytes(&w, 1, 1) && kernel_row(&w, "bilateral", 1.10, NULL);
  work_release(&w);
  return good;
}

static void launch_bilateral_exp(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     bilateral_exp(w->buffer[0][0], w->buffer[0][1], (int)w->n, (int)w->n,
                                   -1.0f / 18, -1.0f / 3200)));
}
static void set_bilateral_exp(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
  work_set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 4, sizeof(float), &(float){-1.0f / 18});
  work_set(kernel, 5, sizeof(float), &(float){-1.0f / 3200});
}

static bool bench_bilateral_exp(void) {
  size_t n = measure_effort()->quick ? 32 : 256;
  struct work w = {.name = "bilateral_exp",
                   .bytes = {3 * n * n, 3 * n * n},
                   .n = n,
                   .size = {n, n},
                   .group = {16, 16},
                   .launches = 1,
                   .launch = launch_bilateral_exp,
                   .set_arguments = set_bilateral_exp};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < 3 * n * n; ++i)
      w.buffer[side][0][i] = (unsigned char)(i * i >> 8);
  bool good = work_agree_bytes(&w, 1, 1) && kernel_row(&w, "bilateral, expf within", 1.10, NULL);
  work_release(&w);
  return good;
}

#define LAUNCH_FOR_EACH_ELEMENT(name)                                                              \
  static void launch_##name(struct work *w, ka_ndrange range) {                                    \
    KA_CHECK(ka_launch(work_backend, range,                                                        \
                       name((const float *)w->buffer[0][0], (float *)w->buffer[0][1])));           \
  }
LAUNCH_FOR_EACH_ELEMENT(exponential)
LAUNCH_FOR_EACH_ELEMENT(square_root)
LAUNCH_FOR_EACH_ELEMENT(multiply_add)
LAUNCH_FOR_EACH_ELEMENT(sine)
LAUNCH_FOR_EACH_ELEMENT(logarithm)

static void set_for_each_element(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
}

/* One function of <math.h>, for arguments spread evenly from `low` to `high`. */
static bool bench_function(const char *kernel, const char *name,
                           void (*launch)(struct work *work, ka_ndrange range), float low,
                           float high) {
  size_t n = measure_effort()->quick ? 4096 : 1 << 20;
  struct work w = {.name = kernel,
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = launch,
                   .set_arguments = set_for_each_element};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = low + (high - low) * (float)i / (float)n;
  bool good = work_agree_floats(&w, 1, 1e-6f) && kernel_row(&w, name, 1.10, NULL);
  work_release(&w);
  return good;
}

bool group_kernels(void) {
  struct kernel_mean mean = {0};
  return work_open() && bench_saxpy(&mean) && bench_matmul(&mean) && bench_histogram(&mean) &&
         pattern_rows(&mean) && report_mean(&mean) && bench_bilateral() && bench_bilateral_exp() &&
         bench_function("exponential", "expf", launch_exponential, -8, 0) &&
         bench_function("square_root", "sqrtf", launch_square_root, 0, 2) &&
         bench_function("multiply_add", "fmaf", launch_multiply_add, -1, 1) &&
         bench_function("sine", "sinf", launch_sine, -8, 8) &&
         bench_function("logarithm", "logf", launch_logarithm, 0.5f, 8);
}
