/* The kernel of the group "tasks": one that takes as long as is asked for. */
#ifndef KA_BENCHMARK_TASK_KERNELS_H
#define KA_BENCHMARK_TASK_KERNELS_H

#include <ka/ka.h>

[[ka::kernel]] void compute(uint64_t rounds, unsigned *out);

#endif
