/* Rows of the group "kernels", and the mean of twelve of them. */
#ifndef KA_BENCHMARK_KERNEL_ROWS_H
#define KA_BENCHMARK_KERNEL_ROWS_H

#include "work.h"

/* Sums of the logarithms of medians and ratios. */
struct kernel_mean {
  double ka, peer, ratio;
  int count, fewest_runs;
};

/* Measures and reports a row, and adds it to the mean unless that is NULL. */
bool kernel_row(struct work *work, const char *name, double bound, struct kernel_mean *mean);

/* transpose, stencil, n-body, SpMV, Black-Scholes, Mandelbrot, reduction, scan, bitonic sort. */
bool pattern_rows(struct kernel_mean *mean);

#endif
