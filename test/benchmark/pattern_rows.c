/* Rows of the group "kernels" for the usual patterns of access and of work: each with its data, and
 * with what plain C expects. All ranges are multiples of the group size. */
#include "kernel_rows.h"
#include "kernels.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pattern {
  const char *name;
  struct work work;
  bool takes_count; /* as the kernel's first parameter, before the buffers */
  void (*fill)(const struct work *work, unsigned char *const buffer[]);
  int output;
  float tolerance; /* of work_agree_with */
  void (*expect)(const struct work *work, unsigned char *const buffer[], void *expected);
};

static size_t pick(size_t quick, size_t whole) { return measure_effort()->quick ? quick : whole; }

static void set_pointers(struct work *w, cl_kernel kernel) {
  for (cl_uint b = 0; b < WORK_BUFFERS && w->bytes[b]; ++b)
    work_set_pointer(kernel, b, w->buffer[1][b]);
}
static void set_count_and_pointers(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(cl_ulong), &(cl_ulong){w->n});
  for (cl_uint b = 0; b < WORK_BUFFERS && w->bytes[b]; ++b)
    work_set_pointer(kernel, b + 1, w->buffer[1][b]);
}

static bool bench(struct pattern p, struct kernel_rows *rows) {
  struct work *w = &p.work;
  w->launches = 1;
  w->launch = kernel_launch(rows, w->name);
  w->set_arguments = p.takes_count ? set_count_and_pointers : set_pointers;
  if (!work_prepare(w))
    return false;
  for (int side = 0; side < 2; ++side)
    p.fill(w, w->buffer[side]);
  void *expected = calloc(w->bytes[p.output], 1);
  if (expected)
    p.expect(w, w->buffer[0], expected);
  bool good = expected && work_agree_with(w, p.output, expected, p.tolerance) &&
              kernel_row(rows, w, p.name, 1.15);
  free(expected);
  work_release(w);
  return good;
}

/* ---- Data ---- */

static unsigned next_number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void fill_words(const struct work *w, unsigned char *const buffer[]) {
  unsigned seed = 1, *words = (unsigned *)buffer[0];
  for (size_t i = 0; i < w->bytes[0] / sizeof *words; ++i)
    words[i] = next_number(&seed);
}

/* Small integers, so that sums are exact in any order. */
static void fill_floats(const struct work *w, unsigned char *const buffer[]) {
  unsigned seed = 1;
  float *values = (float *)buffer[0];
  for (size_t i = 0; i < w->bytes[0] / sizeof *values; ++i)
    values[i] = (float)(next_number(&seed) % 64);
}

static void fill_nothing(const struct work *w, unsigned char *const buffer[]) {
  (void)w;
  (void)buffer;
}

/* ---- transpose ---- */

static void expect_transpose(const struct work *w, unsigned char *const buffer[], void *expected) {
  const float *in = (const float *)buffer[0];
  float *out = expected;
  for (size_t y = 0; y < w->n; ++y)
    for (size_t x = 0; x < w->n; ++x)
      out[x * w->n + y] = in[y * w->n + x];
}
static bool bench_transpose(struct kernel_rows *rows) {
  size_t n = pick(64, 1024), bytes = n * n * sizeof(float);
  return bench((struct pattern){"transpose",
                                {.name = "transpose",
                                 .bytes = {bytes, bytes},
                                 .n = n,
                                 .size = {n, n},
                                 .group = {TILE, TILE}},
                                true,
                                fill_floats,
                                1,
                                0,
                                expect_transpose},
               rows);
}

/* ---- stencil ---- */

static void expect_stencil(const struct work *w, unsigned char *const buffer[], void *expected) {
  const float *in = (const float *)buffer[0];
  float *out = expected;
  size_t n = w->n;
  memcpy(out, in, w->bytes[1]);
  for (size_t y = 1; y < n - 1; ++y)
    for (size_t x = 1; x < n - 1; ++x)
      out[y * n + x] = 0.5f * in[y * n + x] + 0.125f * (in[y * n + x - 1] + in[y * n + x + 1] +
                                                        in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
static bool bench_stencil(struct kernel_rows *rows) {
  size_t n = pick(64, 1024), bytes = n * n * sizeof(float);
  return bench(
      (struct pattern){
          "stencil",
          {.name = "stencil", .bytes = {bytes, bytes}, .n = n, .size = {n, n}, .group = {64, 4}},
          true,
          fill_floats,
          1,
          1e-6f,
          expect_stencil},
      rows);
}

/* ---- n-body ---- */

static void fill_bodies(const struct work *w, unsigned char *const buffer[]) {
  unsigned seed = 1;
  float *values = (float *)buffer[0];
  for (size_t i = 0; i < 4 * w->n; ++i)
    values[i] = (float)(next_number(&seed) % 1024) / 512 - (i % 4 == 3 ? 0 : 1);
}
static void expect_nbody(const struct work *w, unsigned char *const buffer[], void *expected) {
  const struct body *bodies = (const struct body *)buffer[0];
  struct body *pulls = expected;
  for (size_t i = 0; i < w->n; ++i) {
    double pull[3] = {0, 0, 0};
    for (size_t j = 0; j < w->n; ++j) {
      double x = bodies[j].x - bodies[i].x, y = bodies[j].y - bodies[i].y,
             z = bodies[j].z - bodies[i].z;
      double distance = sqrt(x * x + y * y + z * z + 0.01);
      double weight = bodies[j].mass / (distance * distance * distance);
      pull[0] += weight * x;
      pull[1] += weight * y;
      pull[2] += weight * z;
    }
    pulls[i] = (struct body){(float)pull[0], (float)pull[1], (float)pull[2], 0};
  }
}
static bool bench_nbody(struct kernel_rows *rows) {
  size_t n = pick(512, 4096), bytes = n * sizeof(struct body);
  return bench(
      (struct pattern){
          "n-body",
          {.name = "nbody", .bytes = {bytes, bytes}, .n = n, .size = {n}, .group = {GROUP}},
          true,
          fill_bodies,
          1,
          1e-3f,
          expect_nbody},
      rows);
}

/* ---- SpMV ---- */

enum { MOST_IN_ROW = 32 };

static void fill_matrix(const struct work *w, unsigned char *const buffer[]) {
  unsigned seed = 1, used = 0, *row_start = (unsigned *)buffer[0], *columns = (unsigned *)buffer[1];
  float *values = (float *)buffer[2], *x = (float *)buffer[3];
  for (size_t row = 0; row < w->n; ++row) {
    row_start[row] = used;
    for (unsigned left = next_number(&seed) % MOST_IN_ROW; left > 0; --left, ++used) {
      columns[used] = next_number(&seed) % (unsigned)w->n;
      values[used] = (float)(next_number(&seed) % 16);
    }
    x[row] = (float)(row % 31);
  }
  row_start[w->n] = used;
}
static void expect_spmv(const struct work *w, unsigned char *const buffer[], void *expected) {
  const unsigned *row_start = (const unsigned *)buffer[0], *columns = (const unsigned *)buffer[1];
  const float *values = (const float *)buffer[2], *x = (const float *)buffer[3];
  float *y = expected;
  for (size_t row = 0; row < w->n; ++row)
    for (unsigned i = row_start[row]; i < row_start[row + 1]; ++i)
      y[row] += values[i] * x[columns[i]];
}
static bool bench_spmv(struct kernel_rows *rows) {
  size_t n = pick(1024, 65536);
  return bench((struct pattern){"SpMV",
                                {.name = "spmv",
                                 .bytes = {(n + 1) * 4, n * MOST_IN_ROW * 4, n * MOST_IN_ROW * 4,
                                           n * 4, n * 4},
                                 .n = n,
                                 .size = {n},
                                 .group = {GROUP}},
                                false,
                                fill_matrix,
                                4,
                                0,
                                expect_spmv},
               rows);
}

/* ---- Black-Scholes ---- */

static void fill_options(const struct work *w, unsigned char *const buffer[]) {
  unsigned seed = 1;
  for (size_t i = 0; i < w->n; ++i) {
    ((float *)buffer[0])[i] = 5 + (float)(next_number(&seed) % 2500) / 100;
    ((float *)buffer[1])[i] = 1 + (float)(next_number(&seed) % 9900) / 100;
    ((float *)buffer[2])[i] = 0.25f + (float)(next_number(&seed) % 975) / 100;
  }
}
/* Of the puts, which the calls' numbers go into. The C library's erfc stands for the polynomial,
 * whose error is below 1e-7. */
static void expect_black_scholes(const struct work *w, unsigned char *const buffer[],
                                 void *expected) {
  for (size_t i = 0; i < w->n; ++i) {
    double spot = ((const float *)buffer[0])[i], strike = ((const float *)buffer[1])[i];
    double years = ((const float *)buffer[2])[i], deviation = (double)VOLATILITY * sqrt(years);
    double drift = (double)RATE + 0.5 * (double)VOLATILITY * (double)VOLATILITY;
    double d1 = (log(spot / strike) + drift * years) / deviation, d2 = d1 - deviation;
    double put = strike * exp(-(double)RATE * years) * 0.5 * erfc(d2 / sqrt(2)) -
                 spot * 0.5 * erfc(d1 / sqrt(2));
    ((float *)expected)[i] = (float)put;
  }
}
static bool bench_black_scholes(struct kernel_rows *rows) {
  size_t n = pick(4096, 1 << 18), bytes = n * sizeof(float);
  return bench((struct pattern){"Black-Scholes",
                                {.name = "black_scholes",
                                 .bytes = {bytes, bytes, bytes, bytes, bytes},
                                 .n = n,
                                 .size = {n},
                                 .group = {GROUP}},
                                false,
                                fill_options,
                                4,
                                1e-4f,
                                expect_black_scholes},
               rows);
}

/* ---- Mandelbrot ---- */

static void expect_mandelbrot(const struct work *w, unsigned char *const buffer[], void *expected) {
#pragma STDC FP_CONTRACT OFF
  (void)buffer;
  for (size_t at = 0; at < w->n * w->n; ++at) {
    float a = -2.0f + 3.0f * (float)(at % w->n) / (float)w->n;
    float b = -1.5f + 3.0f * (float)(at / w->n) / (float)w->n;
    float x = 0, y = 0;
    unsigned step = 0;
    for (; step < MOST_STEPS && x * x + y * y <= 4.0f; ++step) {
      float next = x * x - y * y + a;
      y = 2.0f * x * y + b;
      x = next;
    }
    ((unsigned *)expected)[at] = step;
  }
}
static bool bench_mandelbrot(struct kernel_rows *rows) {
  size_t n = pick(64, 512);
  return bench((struct pattern){"Mandelbrot",
                                {.name = "mandelbrot",
                                 .bytes = {n * n * sizeof(unsigned)},
                                 .n = n,
                                 .size = {n, n},
                                 .group = {16, 16}},
                                true,
                                fill_nothing,
                                0,
                                0,
                                expect_mandelbrot},
               rows);
}

/* ---- reduction, scan, bitonic sort ---- */

static void expect_reduction(const struct work *w, unsigned char *const buffer[], void *expected) {
  for (size_t i = 0; i < w->n; ++i)
    ((float *)expected)[i / (GROUP * VALUES_PER_ITEM)] += ((const float *)buffer[0])[i];
}

static void expect_scan(const struct work *w, unsigned char *const buffer[], void *expected) {
  unsigned sum = 0;
  for (size_t i = 0; i < w->n; ++i) {
    sum = (i % GROUP ? sum : 0) + ((const unsigned *)buffer[0])[i];
    ((unsigned *)expected)[i] = sum;
  }
}

static int by_value(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}
static void expect_bitonic_sort(const struct work *w, unsigned char *const buffer[],
                                void *expected) {
  memcpy(expected, buffer[0], w->bytes[1]);
  for (size_t i = 0; i < w->n; i += GROUP)
    qsort((unsigned *)expected + i, GROUP, sizeof(unsigned), by_value);
}

static bool bench_in_groups(struct kernel_rows *rows) {
  size_t n = pick(1 << 14, 1 << 20), sums = n / GROUP / VALUES_PER_ITEM;
  size_t few = pick(1 << 14, 1 << 18);
  struct pattern summed = {"reduction",
                           {.name = "reduction",
                            .bytes = {n * 4, sums * 4},
                            .n = n,
                            .size = {n / VALUES_PER_ITEM},
                            .group = {GROUP}},
                           false,
                           fill_floats,
                           1,
                           0,
                           expect_reduction};
  struct pattern scanned = {
      "scan",
      {.name = "scan", .bytes = {few * 4, few * 4}, .n = few, .size = {few}, .group = {GROUP}},
      false,
      fill_words,
      1,
      0,
      expect_scan};
  struct pattern sorted = scanned;
  sorted.name = "bitonic sort";
  sorted.work.name = "bitonic_sort";
  sorted.expect = expect_bitonic_sort;
  return bench(summed, rows) && bench(scanned, rows) && bench(sorted, rows);
}

bool pattern_rows(struct kernel_rows *rows) {
  return bench_transpose(rows) && bench_nbody(rows) && pattern_rows_without_barriers(rows) &&
         bench_in_groups(rows);
}

bool pattern_rows_without_barriers(struct kernel_rows *rows) {
  return bench_stencil(rows) && bench_spmv(rows) && bench_black_scholes(rows) &&
         bench_mandelbrot(rows);
}
