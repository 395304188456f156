/* What a program does whose start is measured. */
#ifndef KA_BENCHMARK_START_SAXPY_H
#define KA_BENCHMARK_START_SAXPY_H

#include <stdbool.h>

/* One launch of saxpy, from ka's first call on. Whether the result is right; says why not. */
bool start_saxpy(void);

#endif
