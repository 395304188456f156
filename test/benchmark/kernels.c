/* The benchmark's kernels, written for ka: each does what its namesake in peer_kernels.cl does. */
#include "kernels.h"

#include <math.h>
#include <stdlib.h>

[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y) {
  size_t i = ka_global_id(0);
  y[i] += a * x[i];
}

[[ka::kernel, ka::group_size(TILE, TILE)]] void matmul(size_t n, const float *restrict a,
                                                       const float *restrict b, float *restrict c) {
  ka_local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  size_t column = ka_global_id(0), row = ka_global_id(1);
  size_t x = ka_local_id(0), y = ka_local_id(1);
  float sum = 0;
  for (size_t start = 0; start < n; start += TILE) {
    a_tile[y][x] = a[row * n + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    ka_barrier();
    for (size_t i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    ka_barrier();
  }
  c[row * n + column] = sum;
}

[[ka::kernel, ka::group_size(GROUP)]] void histogram(const unsigned char *restrict values,
                                                     size_t count, unsigned *restrict bins) {
  ka_local unsigned own[BINS];
  size_t lane = ka_local_id(0);
  own[lane] = 0;
  ka_barrier();
  size_t first = ka_group_id(0) * GROUP * VALUES_PER_ITEM + lane;
  for (size_t i = 0; i < VALUES_PER_ITEM; ++i) {
    size_t at = first + i * GROUP;
    if (at < count)
      __atomic_fetch_add(&own[values[at]], 1, __ATOMIC_RELAXED);
  }
  ka_barrier();
  __atomic_fetch_add(&bins[lane], own[lane], __ATOMIC_RELAXED);
}

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

[[ka::kernel]] void bilateral(const unsigned char *restrict in, unsigned char *restrict out,
                              int width, int height, const float *restrict nearness,
                              const float *restrict likeness) {
  int x = (int)ka_global_id(0), y = (int)ka_global_id(1);
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
  for (int colour = 0; colour < 3; ++colour)
    out[3 * (y * width + x) + colour] = (unsigned char)(sum[colour] / weights + 0.5f);
}

/* The same filter without tables: an expf for each pixel of the neighbourhood. */
[[ka::kernel]] void bilateral_exp(const unsigned char *restrict in, unsigned char *restrict out,
                                  int width, int height, float nearness, float likeness) {
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
  [[ka::kernel]] void name(const float *restrict x, float *restrict y) {                           \
    size_t i = ka_global_id(0);                                                                    \
    y[i] = result;                                                                                 \
  }
FOR_EACH_ELEMENT(exponential, expf(x[i]))
FOR_EACH_ELEMENT(square_root, sqrtf(x[i]))
FOR_EACH_ELEMENT(multiply_add, fmaf(x[i], x[i], x[i]))
FOR_EACH_ELEMENT(sine, sinf(x[i]))
FOR_EACH_ELEMENT(logarithm, logf(x[i]))

[[ka::kernel, ka::group_size(TILE, TILE)]] void transpose(size_t n, const float *restrict in,
                                                          float *restrict out) {
  ka_local float tile[TILE][TILE + 1];
  size_t x = ka_local_id(0), y = ka_local_id(1);
  size_t left = ka_group_id(0) * TILE, top = ka_group_id(1) * TILE;
  tile[y][x] = in[(top + y) * n + left + x];
  ka_barrier();
  out[(left + y) * n + top + x] = tile[x][y];
}

[[ka::kernel]] void stencil(size_t n, const float *restrict in, float *restrict out) {
  size_t x = ka_global_id(0), y = ka_global_id(1), at = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    out[at] = in[at];
  else
    out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

[[ka::kernel, ka::group_size(GROUP)]] void nbody(size_t n, const struct body *restrict bodies,
                                                 struct body *restrict pulls) {
  ka_local struct body near[GROUP];
  size_t lane = ka_local_id(0), i = ka_global_id(0);
  struct body own = bodies[i], pull = {0, 0, 0, 0};
  for (size_t start = 0; start < n; start += GROUP) {
    near[lane] = bodies[start + lane];
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

[[ka::kernel]] void spmv(const unsigned *restrict row_start, const unsigned *restrict columns,
                         const float *restrict values, const float *restrict x, float *restrict y) {
  size_t row = ka_global_id(0);
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

[[ka::kernel]] void black_scholes(const float *restrict spots, const float *restrict strikes,
                                  const float *restrict years, float *restrict calls,
                                  float *restrict puts) {
  size_t i = ka_global_id(0);
  float deviation = VOLATILITY * sqrtf(years[i]);
  float d1 = (logf(spots[i] / strikes[i]) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * years[i]) /
             deviation;
  float below1 = normal_below(d1), below2 = normal_below(d1 - deviation);
  float discounted = strikes[i] * expf(-RATE * years[i]);
  calls[i] = spots[i] * below1 - discounted * below2;
  puts[i] = discounted * (1.0f - below2) - spots[i] * (1.0f - below1);
}

/* Without contraction, so that the count of steps is the same everywhere. */
[[ka::kernel]] void mandelbrot(size_t n, unsigned *restrict steps) {
#pragma STDC FP_CONTRACT OFF
  size_t column = ka_global_id(0), row = ka_global_id(1);
  float a = -2.0f + 3.0f * (float)column / (float)n, b = -1.5f + 3.0f * (float)row / (float)n;
  float x = 0, y = 0;
  unsigned step = 0;
  while (step < MOST_STEPS && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + a;
    y = 2.0f * x * y + b;
    x = next;
    ++step;
  }
  steps[row * n + column] = step;
}

/* A sum for each group. */
[[ka::kernel, ka::group_size(GROUP)]] void reduction(const float *restrict in,
                                                     float *restrict sums) {
  ka_local float part[GROUP];
  size_t lane = ka_local_id(0), first = ka_group_id(0) * GROUP * VALUES_PER_ITEM + lane;
  float sum = 0;
  for (size_t i = 0; i < VALUES_PER_ITEM; ++i)
    sum += in[first + i * GROUP];
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
[[ka::kernel, ka::group_size(GROUP)]] void scan(const unsigned *restrict in,
                                                unsigned *restrict out) {
  ka_local unsigned sums[GROUP];
  size_t lane = ka_local_id(0), i = ka_global_id(0);
  sums[lane] = in[i];
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
[[ka::kernel, ka::group_size(GROUP)]] void bitonic_sort(const unsigned *restrict in,
                                                        unsigned *restrict out) {
  ka_local unsigned values[GROUP];
  size_t lane = ka_local_id(0), i = ka_global_id(0);
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
  out[i] = values[lane];
}
