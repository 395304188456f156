/* The benchmark's kernels with an assertion about data in each. */
#define ASSERTED_DATA   1
#define KERNEL_LAUNCHES kernel_launches_data
#include "kernels.c" // NOLINT(bugprone-suspicious-include)
