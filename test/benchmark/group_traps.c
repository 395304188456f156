/* The group "traps": what assertions cost that hold. The same kernels as in the group "kernels",
 * with an assertion each, beside themselves without; and beside themselves with a check instead
 * that ends the item and tells nobody, which leaves the cost of telling. */
#include "groups.h"
#include "kernel_rows.h"

static const double bound = 1.02;

static double run_instead(const struct work *asserted, const struct kernel_launch *launches) {
  struct work other = *asserted;
  other.launch = kernel_launch(&(struct kernel_rows){.launches = launches}, other.name);
  return work_run_ka(&other);
}

static double run_without(void *state) { return run_instead(state, kernel_launches); }

static double run_checked(void *state) { return run_instead(state, kernel_launches_checked); }

static bool rows_beside_none(const char *suffix, const struct kernel_launch *launches) {
  struct kernel_rows rows = {.group = "traps",
                             .suffix = suffix,
                             .launches = launches,
                             .peer_name = "the same without",
                             .peer = run_without,
                             .bound = bound};
  return twelve_rows(&rows) && bilateral_row(&rows) && kernel_mean(&rows, bound);
}

static bool rows_beside_checks(void) {
  struct kernel_rows rows = {.group = "traps",
                             .suffix = ", data, telling",
                             .launches = kernel_launches_data,
                             .peer_name = "a check that tells nobody",
                             .peer = run_checked,
                             .bound = bound};
  return rows_without_barriers(&rows) && kernel_mean(&rows, bound);
}

bool group_traps(void) {
  return rows_beside_none(", ids", kernel_launches_ids) &&
         rows_beside_none(", data", kernel_launches_data) && rows_beside_checks();
}
