/* The benchmark's kernels, written for ka: each does what its namesake in peer_kernels.cl does.
 *
 * Compiled four times: as it is, without assertions; with those about ids, and with those about
 * data (kernels_with_ids_asserted.c, kernels_with_data_asserted.c); and with the latter's
 * conditions as checks that tell nobody, where no barrier follows (kernels_with_data_checked.c). */
#include "kernels.h"

#undef NDEBUG
#if !defined ASSERTED_IDS && !defined ASSERTED_DATA
#define NDEBUG 1
#endif
#ifndef KERNEL_LAUNCHES
#define KERNEL_LAUNCHES kernel_launches
#endif
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#ifdef ASSERTED_IDS
#define ASSERT_IDS(condition) assert(condition)
#else
#define ASSERT_IDS(condition) ((void)0)
#endif
#ifdef ASSERTED_DATA
#define ASSERT_DATA(condition) assert(condition)
#elif defined CHECKED_DATA
#define ASSERT_DATA(condition)                                                                     \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return;                                                                                      \
  } while (0)
#else
#define ASSERT_DATA(condition) ((void)0)
#endif
/* Where a barrier follows. */
#ifdef CHECKED_DATA
#define ASSERT_DATA_BEFORE_BARRIER(condition) ((void)0)
#else
#define ASSERT_DATA_BEFORE_BARRIER(condition) ASSERT_DATA(condition)
#endif

[[ka::kernel]] static void saxpy(float a, const float *restrict x, float *restrict y) {
  size_t i = ka_global_id(0);
  ASSERT_IDS(i < ka_global_size(0));
  ASSERT_DATA(x[i] >= 0);
  y[i] += a * x[i];
}

[[ka::kernel, ka::group_size(TILE, TILE)]] static void
matmul(size_t n, const float *restrict a, const float *restrict b, float *restrict c) {
  ka_local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  size_t column = ka_global_id(0), row = ka_global_id(1);
  size_t x = ka_local_id(0), y = ka_local_id(1);
  ASSERT_IDS(column < n && row < n);
  float sum = 0;
  for (size_t start = 0; start < n; start += TILE) {
    a_tile[y][x] = a[row * n + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    ASSERT_DATA_BEFORE_BARRIER(a_tile[y][x] <= 8 && b_tile[y][x] <= 6);
    ka_barrier();
    for (size_t i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    ka_barrier();
  }
  c[row * n + column] = sum;
}

[[ka::kernel, ka::group_size(GROUP)]] static void histogram(const unsigned char *restrict values,
                                                            size_t count, unsigned *restrict bins) {
  ka_local unsigned own[BINS];
  size_t lane = ka_local_id(0);
  own[lane] = 0;
  ka_barrier();
  size_t first = ka_group_id(0) * GROUP * VALUES_PER_ITEM + lane;
  ASSERT_IDS(first < count);
  for (size_t i = 0; i < VALUES_PER_ITEM; ++i) {
    size_t at = first + i * GROUP;
    if (at < count)
      __atomic_fetch_add(&own[values[at]], 1, __ATOMIC_RELAXED);
  }
  ka_barrier();
  ASSERT_DATA(own[lane] <= GROUP * VALUES_PER_ITEM);
  __atomic_fetch_add(&bins[lane], own[lane], __ATOMIC_RELAXED);
}

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

[[ka::kernel]] static void bilateral(const unsigned char *restrict in, unsigned char *restrict out,
                                     int width, int height, const float *restrict nearness,
                                     const float *restrict likeness) {
  int x = (int)ka_global_id(0), y = (int)ka_global_id(1);
  ASSERT_IDS(x < width && y < height);
  const unsigned char *centre = &in[3 * (y * width + x)];
  float sum[3] = {0, 0, 0}, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      const unsigned char *pixel =
          &in[3 * (clamp(y + dy, height - 1) * width + clamp(x + dx, width - 1))];
      int difference =
          abs(pixel[0] - centre[0]) + abs(pixel[1] - centre[1]) + abs(pixel[2] - centre[2]);
      float weight = nearness[(dy + RADIUS) * DIAMETER + dx + RADIUS] * likeness[difference];
      for (int colour = 0; colour < 3; ++colour)
        sum[colour] += weight * (float)pixel[colour];
      weights += weight;
    }
  ASSERT_DATA(weights > 0);
  for (int colour = 0; colour < 3; ++colour)
    out[3 * (y * width + x) + colour] = (unsigned char)(sum[colour] / weights + 0.5f);
}

/* The same filter without tables: an expf for each pixel of the neighbourhood. */
[[ka::kernel]] static void bilateral_exp(const unsigned char *restrict in,
                                         unsigned char *restrict out, int width, int height,
                                         float nearness, float likeness) {
  int x = (int)ka_global_id(0), y = (int)ka_global_id(1);
  const unsigned char *centre = &in[3 * (y * width + x)];
  float sum[3] = {0, 0, 0}, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      const unsigned char *pixel =
          &in[3 * (clamp(y + dy, height - 1) * width + clamp(x + dx, width - 1))];
      float difference = (float)(abs(pixel[0] - centre[0]) + abs(pixel[1] - centre[1]) +
                                 abs(pixel[2] - centre[2]));
      float weight =
          expf(nearness * (float)(dx * dx + dy * dy) + likeness * difference * difference);
      for (int colour = 0; colour < 3; ++colour)
        sum[colour] += weight * (float)pixel[colour];
      weights += weight;
    }
  for (int colour = 0; colour < 3; ++colour)
    out[3 * (y * width + x) + colour] = (unsigned char)(sum[colour] / weights + 0.5f);
}

/* One function of <math.h> for each element. */
#define FOR_EACH_ELEMENT(name, result)                                                             \
  [[ka::kernel]] static void name(const float *restrict x, float *restrict y) {                    \
    size_t i = ka_global_id(0);                                                                    \
    y[i] = result;                                                                                 \
  }
FOR_EACH_ELEMENT(exponential, expf(x[i]))
FOR_EACH_ELEMENT(square_root, sqrtf(x[i]))
FOR_EACH_ELEMENT(multiply_add, fmaf(x[i], x[i], x[i]))
FOR_EACH_ELEMENT(sine, sinf(x[i]))
FOR_EACH_ELEMENT(logarithm, logf(x[i]))

[[ka::kernel, ka::group_size(TILE, TILE)]] static void transpose(size_t n, const float *restrict in,
                                                                 float *restrict out) {
  ka_local float tile[TILE][TILE + 1];
  size_t x = ka_local_id(0), y = ka_local_id(1);
  size_t left = ka_group_id(0) * TILE, top = ka_group_id(1) * TILE;
  ASSERT_IDS(left + x < n && top + y < n);
  tile[y][x] = in[(top + y) * n + left + x];
  ASSERT_DATA_BEFORE_BARRIER(tile[y][x] >= 0);
  ka_barrier();
  out[(left + y) * n + top + x] = tile[x][y];
}

[[ka::kernel]] static void stencil(size_t n, const float *restrict in, float *restrict out) {
  size_t x = ka_global_id(0), y = ka_global_id(1), at = y * n + x;
  ASSERT_IDS(x < n && y < n);
  ASSERT_DATA(in[at] >= 0);
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    out[at] = in[at];
  else
    out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

[[ka::kernel, ka::group_size(GROUP)]] static void
nbody(size_t n, const struct body *restrict bodies, struct body *restrict pulls) {
  ka_local struct body near[GROUP];
  size_t lane = ka_local_id(0), i = ka_global_id(0);
  ASSERT_IDS(i < n);
  struct body own = bodies[i], pull = {0, 0, 0, 0};
  for (size_t start = 0; start < n; start += GROUP) {
    near[lane] = bodies[start + lane];
    ASSERT_DATA_BEFORE_BARRIER(near[lane].mass >= 0);
    ka_barrier();
    for (size_t j = 0; j < GROUP; ++j) {
      float x = near[j].x - own.x, y = near[j].y - own.y, z = near[j].z - own.z;
      float inverse = 1.0f / sqrtf(x * x + y * y + z * z + 0.01f);
      float weight = near[j].mass * inverse * inverse * inverse;
      pull.x += weight * x;
      pull.y += weight * y;
      pull.z += weight * z;
    }
    ka_barrier();
  }
  pulls[i] = pull;
}

[[ka::kernel]] static void spmv(const unsigned *restrict row_start,
                                const unsigned *restrict columns, const float *restrict values,
                                const float *restrict x, float *restrict y) {
  size_t row = ka_global_id(0);
  ASSERT_IDS(row < ka_global_size(0));
  ASSERT_DATA(row_start[row] <= row_start[row + 1]);
  float sum = 0;
  for (unsigned i = row_start[row]; i < row_start[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

/* The normal distribution below d, by Abramowitz and Stegun 26.2.17. */
static float normal_below(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) * k *
               (0.31938153f +
                k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - tail : tail;
}

[[ka::kernel]] static void black_scholes(const float *restrict spots, const float *restrict strikes,
                                         const float *restrict years, float *restrict calls,
                                         float *restrict puts) {
  size_t i = ka_global_id(0);
  ASSERT_IDS(i < ka_global_size(0));
  ASSERT_DATA(spots[i] > 0 && strikes[i] > 0 && years[i] > 0);
  float deviation = VOLATILITY * sqrtf(years[i]);
  float d1 = (logf(spots[i] / strikes[i]) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * years[i]) /
             deviation;
  float below1 = normal_below(d1), below2 = normal_below(d1 - deviation);
  float discounted = strikes[i] * expf(-RATE * years[i]);
  calls[i] = spots[i] * below1 - discounted * below2;
  puts[i] = discounted * (1.0f - below2) - spots[i] * (1.0f - below1);
}

/* Without contraction, so that the count of steps is the same everywhere. */
[[ka::kernel]] static void mandelbrot(size_t n, unsigned *restrict steps) {
#pragma STDC FP_CONTRACT OFF
  size_t column = ka_global_id(0), row = ka_global_id(1);
  ASSERT_IDS(column < n && row < n);
  float a = -2.0f + 3.0f * (float)column / (float)n, b = -1.5f + 3.0f * (float)row / (float)n;
  float x = 0, y = 0;
  unsigned step = 0;
  while (step < MOST_STEPS && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + a;
    y = 2.0f * x * y + b;
    x = next;
    ++step;
  }
  ASSERT_DATA(x * x + y * y <= 64.0f);
  steps[row * n + column] = step;
}

/* A sum for each group. */
[[ka::kernel, ka::group_size(GROUP)]] static void reduction(const float *restrict in,
                                                            float *restrict sums) {
  ka_local float part[GROUP];
  size_t lane = ka_local_id(0), first = ka_group_id(0) * GROUP * VALUES_PER_ITEM + lane;
  ASSERT_IDS(first < ka_global_size(0) * VALUES_PER_ITEM);
  float sum = 0;
  for (size_t i = 0; i < VALUES_PER_ITEM; ++i)
    sum += in[first + i * GROUP];
  ASSERT_DATA_BEFORE_BARRIER(sum >= 0);
  part[lane] = sum;
  ka_barrier();
  for (size_t half = GROUP / 2; half > 0; half /= 2) {
    if (lane < half)
      part[lane] += part[lane + half];
    ka_barrier();
  }
  if (lane == 0)
    sums[ka_group_id(0)] = part[0];
}

/* Inclusive sums within each group. */
[[ka::kernel, ka::group_size(GROUP)]] static void scan(const unsigned *restrict in,
                                                       unsigned *restrict out) {
  ka_local unsigned sums[GROUP];
  size_t lane = ka_local_id(0), i = ka_global_id(0);
  ASSERT_IDS(i < ka_global_size(0));
  sums[lane] = in[i];
  ASSERT_DATA_BEFORE_BARRIER(sums[lane] < 1 << 24);
  ka_barrier();
  for (size_t step = 1; step < GROUP; step *= 2) {
    unsigned before = lane >= step ? sums[lane - step] : 0;
    ka_barrier();
    sums[lane] += before;
    ka_barrier();
  }
  out[i] = sums[lane];
}

/* Sorts each group's values. */
[[ka::kernel, ka::group_size(GROUP)]] static void bitonic_sort(const unsigned *restrict in,
                                                               unsigned *restrict out) {
  ka_local unsigned values[GROUP];
  size_t lane = ka_local_id(0), i = ka_global_id(0);
  ASSERT_IDS(i < ka_global_size(0));
  values[lane] = in[i];
  ka_barrier();
  for (size_t run = 2; run <= GROUP; run *= 2)
    for (size_t step = run / 2; step > 0; step /= 2) {
      size_t other = lane ^ step;
      unsigned mine = values[lane], its = values[other];
      bool wants_less = (lane < other) == ((lane & run) == 0);
      ka_barrier();
      values[lane] = (mine < its) == wants_less ? mine : its;
      ka_barrier();
    }
  ASSERT_DATA(lane == 0 || values[lane - 1] <= values[lane]);
  out[i] = values[lane];
}

/* ---- How each is launched: with the buffers `b` of the work `w` ---- */

#define LAUNCH(kernel, ...)                                                                        \
  static void launch_##kernel(struct work *w, ka_ndrange range) {                                  \
    unsigned char **b = w->buffer[0];                                                              \
    KA_CHECK(ka_launch(work_backend, range, kernel(__VA_ARGS__)));                                 \
  }
LAUNCH(saxpy, 0.5f, (const float *)b[0], (float *)b[1])
LAUNCH(matmul, w->n, (const float *)b[0], (const float *)b[1], (float *)b[2])
LAUNCH(histogram, b[0], w->n, (unsigned *)b[1])
LAUNCH(bilateral, b[0], b[1], (int)w->n, (int)w->n, (const float *)b[2],
       (const float *)b[2] + NEARNESS_WEIGHTS)
LAUNCH(bilateral_exp, b[0], b[1], (int)w->n, (int)w->n, NEARNESS_FACTOR, LIKENESS_FACTOR)
LAUNCH(exponential, (const float *)b[0], (float *)b[1])
LAUNCH(square_root, (const float *)b[0], (float *)b[1])
LAUNCH(multiply_add, (const float *)b[0], (float *)b[1])
LAUNCH(sine, (const float *)b[0], (float *)b[1])
LAUNCH(logarithm, (const float *)b[0], (float *)b[1])
LAUNCH(transpose, w->n, (const float *)b[0], (float *)b[1])
LAUNCH(stencil, w->n, (const float *)b[0], (float *)b[1])
LAUNCH(nbody, w->n, (const struct body *)b[0], (struct body *)b[1])
LAUNCH(spmv, (const unsigned *)b[0], (const unsigned *)b[1], (const float *)b[2],
       (const float *)b[3], (float *)b[4])
LAUNCH(black_scholes, (const float *)b[0], (const float *)b[1], (const float *)b[2], (float *)b[3],
       (float *)b[4])
LAUNCH(mandelbrot, w->n, (unsigned *)b[0])
LAUNCH(reduction, (const float *)b[0], (float *)b[1])
LAUNCH(scan, (const unsigned *)b[0], (unsigned *)b[1])
LAUNCH(bitonic_sort, (const unsigned *)b[0], (unsigned *)b[1])

#define NAMED(kernel) {#kernel, launch_##kernel}
const struct kernel_launch KERNEL_LAUNCHES[] = {
    NAMED(saxpy),       NAMED(matmul),       NAMED(histogram),    NAMED(bilateral),
    NAMED(exponential), NAMED(square_root),  NAMED(sine),         NAMED(bilateral_exp),
    NAMED(logarithm),   NAMED(multiply_add), NAMED(transpose),    NAMED(stencil),
    NAMED(nbody),       NAMED(spmv),         NAMED(mandelbrot),   NAMED(black_scholes),
    NAMED(reduction),   NAMED(scan),         NAMED(bitonic_sort), {NULL, NULL}};
