/* The benchmark's kernels with an assertion about ids in each. */
#define ASSERTED_IDS    1
#define KERNEL_LAUNCHES kernel_launches_ids
#include "kernels.c" // NOLINT(bugprone-suspicious-include)
