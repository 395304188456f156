/* The group "traps": what assertions cost that hold. The same kernels as in the group "kernels",
 * with an assertion each, beside themselves without. */
#include "groups.h"
#include "kernel_rows.h"

static double run_without(void *state) {
  struct work plain = *(struct work *)state;
  plain.launch = kernel_launch(&(struct kernel_rows){.launches = kernel_launches}, plain.name);
  return work_run_ka(&plain);
}

static bool rows_with(const char *suffix, const struct kernel_launch *launches) {
  const double bound = 1.02;
  struct kernel_rows rows = {.group = "traps",
                             .suffix = suffix,
                             .launches = launches,
                             .peer_name = "the same without",
                             .peer = run_without,
                             .bound = bound};
  return twelve_rows(&rows) && bilateral_row(&rows) && kernel_mean(&rows, bound);
}

bool group_traps(void) {
  return rows_with(", ids", kernel_launches_ids) && rows_with(", data", kernel_launches_data);
}
