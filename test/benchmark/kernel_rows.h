/* Rows of groups that have one for each of the benchmark's kernels, and the mean of them. */
#ifndef KA_BENCHMARK_KERNEL_ROWS_H
#define KA_BENCHMARK_KERNEL_ROWS_H

#include "kernels.h"

/* A group's part of its own, and the sums of what was measured. */
struct kernel_rows {
  const char *group;
  const char *suffix;                   /* of the rows' names */
  const struct kernel_launch *launches; /* of the kernels that are measured */
  const char *peer_name;
  double (*peer)(void *work);
  double bound; /* of all rows; 0: each has its own */
  /* Sums of the logarithms of medians and ratios. */
  double ka, peer_time, ratio;
  int count, fewest_runs;
};

/* How the group launches a kernel. */
kernel_launcher *kernel_launch(const struct kernel_rows *rows, const char *kernel);
/* Measures and reports a row, and adds it to the sums. */
bool kernel_row(struct kernel_rows *rows, struct work *work, const char *name, double bound);
/* Reports the mean of the rows so far. */
bool kernel_mean(const struct kernel_rows *rows, double bound);

/* All kernels of the mean of the group "kernels", saxpy to bitonic sort. */
bool twelve_rows(struct kernel_rows *rows);
/* Those of them from transpose to bitonic sort. */
bool pattern_rows(struct kernel_rows *rows);
bool bilateral_row(struct kernel_rows *rows);
/* Those of all that have no barriers; of the patterns alone. */
bool rows_without_barriers(struct kernel_rows *rows);
bool pattern_rows_without_barriers(struct kernel_rows *rows);

#endif
