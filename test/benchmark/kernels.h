/* The benchmark's kernels, launched by ka: each does what its namesake in peer_kernels.cl does. */
#ifndef KA_BENCHMARK_KERNELS_H
#define KA_BENCHMARK_KERNELS_H

#include <ka/ka.h>

enum { TILE = 16, BINS = 256, GROUP = 256, VALUES_PER_ITEM = 16, RADIUS = 5, DIAMETER = 11 };

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

#endif
