/* saxpy of each type, launched by ka: as it is, and with a static group of 1024. */
#ifndef KA_BENCHMARK_SAXPY_KERNELS_H
#define KA_BENCHMARK_SAXPY_KERNELS_H

#include <ka/ka.h>

enum { SAXPY_STATIC_GROUP = 1024 };

/* Named after OpenCL's types. */
#define SAXPY_TYPES(X) X(half, _Float16) X(float, float) X(double, double)

#define SAXPY_DECLARE(name, type)                                                                  \
  [[ka::kernel]] void saxpy_##name(type a, const type *restrict x, type *restrict y);              \
  [[ka::kernel, ka::group_size(SAXPY_STATIC_GROUP)]] void saxpy_##name##_1024(                     \
      type a, const type *restrict x, type *restrict y);
SAXPY_TYPES(SAXPY_DECLARE)
#undef SAXPY_DECLARE

#endif
