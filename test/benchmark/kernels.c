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
