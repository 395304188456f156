/* The kernel of the group "tasks". */
#include "task_kernels.h"

[[ka::kernel]] void compute(uint64_t rounds, unsigned *out) {
  size_t i = ka_global_id(0);
  unsigned x = out[i] + (unsigned)i;
  for (uint64_t r = 0; r < rounds; ++r)
    x = x * 1664525u + 1013904223u;
  out[i] = x;
}
