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
#include <string.h>

/* For a row, so that all of them take 45 s at most. */
static const double seconds_of_row = 1.5;

kernel_launcher *kernel_launch(const struct kernel_rows *rows, const char *kernel) {
  const struct kernel_launch *l = rows->launches;
  while (l->kernel && strcmp(l->kernel, kernel) != 0)
    ++l;
  return l->launch;
}

bool kernel_row(struct kernel_rows *rows, struct work *w, const char *name, double bound) {
  char whole[64];
  snprintf(whole, sizeof whole, "%s%s", name, rows->suffix);
  struct figure f;
  measure_limit(seconds_of_row);
  bool good = measure(&(struct comparison){rows->group, whole, "us", rows->peer_name,
                                           rows->bound > 0 ? rows->bound : bound, work_run_ka,
                                           rows->peer, w},
                      &f) &&
              measure_report(&f);
  measure_limit(0);
  if (good) {
    rows->ka += log(f.ka);
    rows->peer_time += log(f.peer);
    rows->ratio += log(f.ratio);
    rows->fewest_runs = rows->count == 0 || f.runs < rows->fewest_runs ? f.runs : rows->fewest_runs;
    ++rows->count;
  }
  return good;
}

bool kernel_mean(const struct kernel_rows *rows, double bound) {
  char name[64];
  snprintf(name, sizeof name, "geometric mean of %d%s", rows->count, rows->suffix);
  return measure_report(&(struct figure){.group = rows->group,
                                         .name = name,
                                         .unit = "us",
                                         .ka = exp(rows->ka / rows->count),
                                         .peer_name = rows->peer_name,
                                         .peer = exp(rows->peer_time / rows->count),
                                         .ratio = exp(rows->ratio / rows->count),
                                         .bound = bound,
                                         .runs = rows->fewest_runs});
}

static void set_saxpy(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(float), &(float){0.5f});
  work_set_pointer(kernel, 1, w->buffer[1][0]);
  work_set_pointer(kernel, 2, w->buffer[1][1]);
}

static bool bench_saxpy(struct kernel_rows *rows) {
  size_t n = measure_effort()->quick ? 4096 : 262144;
  struct work w = {.name = "saxpy",
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = kernel_launch(rows, "saxpy"),
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
      expected && work_agree_with(&w, 1, expected, 1e-6f) && kernel_row(rows, &w, "saxpy", 1.10);
  free(expected);
  work_release(&w);
  return good;
}

static void set_matmul(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(cl_ulong), &(cl_ulong){w->n});
  for (cl_uint b = 0; b < 3; ++b)
    work_set_pointer(kernel, b + 1, w->buffer[1][b]);
}

static bool bench_matmul(struct kernel_rows *rows) {
  size_t n = measure_effort()->quick ? 64 : 512, bytes = n * n * sizeof(float);
  struct work w = {.name = "matmul",
                   .bytes = {bytes, bytes, bytes},
                   .n = n,
                   .size = {n, n},
                   .group = {TILE, TILE},
                   .launches = 1,
                   .launch = kernel_launch(rows, "matmul"),
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
      expected && work_agree_with(&w, 2, expected, 0) && kernel_row(rows, &w, "matmul", 1.10);
  free(expected);
  work_release(&w);
  return good;
}

static void set_histogram(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set(kernel, 1, sizeof(cl_ulong), &(cl_ulong){w->n});
  work_set_pointer(kernel, 2, w->buffer[1][1]);
}

static bool bench_histogram(struct kernel_rows *rows) {
  size_t n = measure_effort()->quick ? 1 << 14 : 1 << 22;
  struct work w = {.name = "histogram",
                   .bytes = {n, BINS * sizeof(unsigned)},
                   .n = n,
                   .size = {n / VALUES_PER_ITEM},
                   .group = {GROUP},
                   .launches = 1,
                   .launch = kernel_launch(rows, "histogram"),
                   .set_arguments = set_histogram};
  if (!work_prepare(&w))
    return false;
  unsigned seed = 1, expected[BINS] = {0};
  for (size_t i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    w.buffer[0][0][i] = w.buffer[1][0][i] = (unsigned char)(seed >> 24);
    ++expected[seed >> 24];
  }
  bool good = work_agree_with(&w, 1, expected, 0) && kernel_row(rows, &w, "histogram", 1.10);
  work_release(&w);
  return good;
}

/* Both tables of weights are in the third buffer, one behind the other. */
static void set_bilateral(struct work *w, cl_kernel kernel) {
  const float *weights = (const float *)w->buffer[1][2];
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
  work_set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set_pointer(kernel, 4, weights);
  work_set_pointer(kernel, 5, weights + NEARNESS_WEIGHTS);
}

bool bilateral_row(struct kernel_rows *rows) {
  size_t n = measure_effort()->quick ? 32 : 256;
  struct work w = {
      .name = "bilateral",
      .bytes = {3 * n * n, 3 * n * n, (NEARNESS_WEIGHTS + LIKENESS_WEIGHTS) * sizeof(float)},
      .n = n,
      .size = {n, n},
      .group = {16, 16},
      .launches = 1,
      .launch = kernel_launch(rows, "bilateral"),
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
  bool good = work_agree_bytes(&w, 1, 1) && kernel_row(rows, &w, "bilateral", 1.10);
  work_release(&w);
  return good;
}

static void set_bilateral_exp(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
  work_set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 4, sizeof(float), &(float){NEARNESS_FACTOR});
  work_set(kernel, 5, sizeof(float), &(float){LIKENESS_FACTOR});
}

static bool bench_bilateral_exp(struct kernel_rows *rows) {
  size_t n = measure_effort()->quick ? 32 : 256;
  struct work w = {.name = "bilateral_exp",
                   .bytes = {3 * n * n, 3 * n * n},
                   .n = n,
                   .size = {n, n},
                   .group = {16, 16},
                   .launches = 1,
                   .launch = kernel_launch(rows, "bilateral_exp"),
                   .set_arguments = set_bilateral_exp};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < 3 * n * n; ++i)
      w.buffer[side][0][i] = (unsigned char)(i * i >> 8);
  bool good = work_agree_bytes(&w, 1, 1) && kernel_row(rows, &w, "bilateral, expf within", 1.10);
  work_release(&w);
  return good;
}

static void set_for_each_element(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
}

/* One function of <math.h>, for arguments spread evenly from `low` to `high`. */
static bool bench_function(struct kernel_rows *rows, const char *kernel, const char *name,
                           float low, float high) {
  size_t n = measure_effort()->quick ? 4096 : 1 << 20;
  struct work w = {.name = kernel,
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = kernel_launch(rows, kernel),
                   .set_arguments = set_for_each_element};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = low + (high - low) * (float)i / (float)n;
  bool good = work_agree_floats(&w, 1, 1e-6f) && kernel_row(rows, &w, name, 1.10);
  work_release(&w);
  return good;
}

bool twelve_rows(struct kernel_rows *rows) {
  return work_open() && bench_saxpy(rows) && bench_matmul(rows) && bench_histogram(rows) &&
         pattern_rows(rows);
}

bool rows_without_barriers(struct kernel_rows *rows) {
  return work_open() && bench_saxpy(rows) && pattern_rows_without_barriers(rows) &&
         bilateral_row(rows);
}

bool group_kernels(void) {
  struct kernel_rows rows = {.group = "kernels",
                             .suffix = "",
                             .launches = kernel_launches,
                             .peer_name = "OpenCL C by hand",
                             .peer = work_run_peer};
  return twelve_rows(&rows) && kernel_mean(&rows, 1.0) && bilateral_row(&rows) &&
         bench_bilateral_exp(&rows) && bench_function(&rows, "exponential", "expf", -8, 0) &&
         bench_function(&rows, "square_root", "sqrtf", 0, 2) &&
         bench_function(&rows, "multiply_add", "fmaf", -1, 1) &&
         bench_function(&rows, "sine", "sinf", -8, 8) &&
         bench_function(&rows, "logarithm", "logf", 0.5f, 8);
}
