/* The benchmark's kernels with the conditions about data as checks of the items' own. */
#define CHECKED_DATA    1
#define KERNEL_LAUNCHES kernel_launches_checked
#include "kernels.c" // NOLINT(bugprone-suspicious-include)
