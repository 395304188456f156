/* Lets everything that libka-task calls, and what libka calls for it, fail in turn in a program
 * that uses all of its interface: see support/fault_runs.h. */
#include "test/runtime/support/fault_runs.h"
#include "test/runtime/support/test.h"

/* Of the driver only what a task waits with is called differently than without tasks. */
TEST(entries_fail_1) {
  fault_entries(FAULT_CPU, 0, 2, &(struct fault_sample){.warm = 4, .all_calls = true});
}
TEST(entries_fail_2) {
  fault_entries(FAULT_CPU, 1, 2, &(struct fault_sample){.warm = 4, .all_calls = true});
}

TEST(allocations_fail) { fault_allocations(FAULT_CPU, &(struct fault_sample){30, 8, 200, false}); }

TEST(operations_fail_while_they_run) { fault_operations(FAULT_CPU, 20); }
