/* saxpy of each type, written for ka. */
#include "saxpy_kernels.h"

#define DEFINE(name, type)                                                                         \
  [[ka::kernel]] void saxpy_##name(type a, const type *restrict x, type *restrict y) {             \
    size_t i = ka_global_id(0);                                                                    \
    y[i] += a * x[i];                                                                              \
  }                                                                                                \
  [[ka::kernel, ka::group_size(SAXPY_STATIC_GROUP)]] void saxpy_##name##_1024(                     \
      type a, const type *restrict x, type *restrict y) {                                          \
    size_t i = ka_global_id(0);                                                                    \
    y[i] += a * x[i];                                                                              \
  }
SAXPY_TYPES(DEFINE)
