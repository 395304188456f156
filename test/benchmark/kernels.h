/* The benchmark's kernels, launched by ka: each does what its namesake in peer_kernels.cl does. */
#ifndef KA_BENCHMARK_KERNELS_H
#define KA_BENCHMARK_KERNELS_H

#include <ka/ka.h>

/* Of black_scholes. */
#define RATE       0.02f
#define VOLATILITY 0.30f

enum {
  TILE = 16,
  BINS = 256,
  GROUP = 256,
  VALUES_PER_ITEM = 16,
  RADIUS = 5,
  DIAMETER = 11,
  MOST_STEPS = 256
};

/* In nbody's result the mass is 0. */
struct body {
  float x, y, z, mass;
};

[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y);
[[ka::kernel, ka::group_size(TILE, TILE)]] void matmul(size_t n, const float *restrict a,
                                                       const float *restrict b, float *restrict c);
[[ka::kernel, ka::group_size(GROUP)]] void histogram(const unsigned char *restrict values,
                                                     size_t count, unsigned *restrict bins);
[[ka::kernel]] void bilateral(const unsigned char *restrict in, unsigned char *restrict out,
                              int width, int height, const float *restrict nearness,
                              const float *restrict likeness);
[[ka::kernel]] void bilateral_exp(const unsigned char *restrict in, unsigned char *restrict out,
                                  int width, int height, float nearness, float likeness);
[[ka::kernel]] void exponential(const float *restrict x, float *restrict y);
[[ka::kernel]] void square_root(const float *restrict x, float *restrict y);
[[ka::kernel]] void multiply_add(const float *restrict x, float *restrict y);
[[ka::kernel]] void sine(const float *restrict x, float *restrict y);
[[ka::kernel]] void logarithm(const float *restrict x, float *restrict y);

[[ka::kernel, ka::group_size(TILE, TILE)]] void transpose(size_t n, const float *restrict in,
                                                          float *restrict out);
[[ka::kernel]] void stencil(size_t n, const float *restrict in, float *restrict out);
[[ka::kernel, ka::group_size(GROUP)]] void nbody(size_t n, const struct body *restrict bodies,
                                                 struct body *restrict pulls);
[[ka::kernel]] void spmv(const unsigned *restrict row_start, const unsigned *restrict columns,
                         const float *restrict values, const float *restrict x, float *restrict y);
[[ka::kernel]] void black_scholes(const float *restrict spots, const float *restrict strikes,
                                  const float *restrict years, float *restrict calls,
                                  float *restrict puts);
[[ka::kernel]] void mandelbrot(size_t n, unsigned *restrict steps);
[[ka::kernel, ka::group_size(GROUP)]] void reduction(const float *restrict in,
                                                     float *restrict sums);
[[ka::kernel, ka::group_size(GROUP)]] void scan(const unsigned *restrict in,
                                                unsigned *restrict out);
[[ka::kernel, ka::group_size(GROUP)]] void bitonic_sort(const unsigned *restrict in,
                                                        unsigned *restrict out);

#endif
