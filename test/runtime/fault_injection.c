/* Lets everything that libka calls fail in turn in a program that uses all of its interface: see
 * support/fault_runs.h. */
#include "runtime/backends/opencl/opencl.h"
#include "test/runtime/support/fault_runs.h"
#include "test/runtime/support/test.h"

TEST(the_shim_knows_every_entry) {
#define KNOWN(function)                                                                            \
  if (!fault_known_entry(#function))                                                               \
    test_fail(__FILE__, __LINE__, "libka uses %s: let support/faulty_opencl.c fail it", #function);
  KA__CL_FUNCTIONS(KNOWN)
#undef KNOWN
}

static const struct fault_sample of_entries = {6, 6, 8, true};

TEST(entries_of_a_cpu_fail_1) { fault_entries(FAULT_CPU, 0, 6, &of_entries); }
TEST(entries_of_a_cpu_fail_2) { fault_entries(FAULT_CPU, 1, 6, &of_entries); }
TEST(entries_of_a_cpu_fail_3) { fault_entries(FAULT_CPU, 2, 6, &of_entries); }
TEST(entries_of_a_cpu_fail_4) { fault_entries(FAULT_CPU, 3, 6, &of_entries); }
TEST(entries_of_a_cpu_fail_5) { fault_entries(FAULT_CPU, 4, 6, &of_entries); }
TEST(entries_of_a_cpu_fail_6) { fault_entries(FAULT_CPU, 5, 6, &of_entries); }
TEST(entries_of_a_device_with_buffers_fail_1) { fault_entries(FAULT_BUFFERS, 0, 6, &of_entries); }
TEST(entries_of_a_device_with_buffers_fail_2) { fault_entries(FAULT_BUFFERS, 1, 6, &of_entries); }
TEST(entries_of_a_device_with_buffers_fail_3) { fault_entries(FAULT_BUFFERS, 2, 6, &of_entries); }
TEST(entries_of_a_device_with_buffers_fail_4) { fault_entries(FAULT_BUFFERS, 3, 6, &of_entries); }
TEST(entries_of_a_device_with_buffers_fail_5) { fault_entries(FAULT_BUFFERS, 4, 6, &of_entries); }
TEST(entries_of_a_device_with_buffers_fail_6) { fault_entries(FAULT_BUFFERS, 5, 6, &of_entries); }

/* The way through libka is that of a device with buffers, but for allocations: a few calls of what
 * is called while it works. */
TEST(entries_of_a_device_with_own_memory_fail) {
  fault_entries(FAULT_COARSE, 0, 1, &(struct fault_sample){.warm = 3});
}

static const struct fault_sample of_allocations = {20, 20, 40, false};

TEST(allocations_fail_on_a_cpu) { fault_allocations(FAULT_CPU, &of_allocations); }
TEST(allocations_fail_on_a_device_with_buffers) {
  fault_allocations(FAULT_BUFFERS, &of_allocations);
}
TEST(allocations_fail_on_a_device_with_own_memory) {
  fault_allocations(FAULT_COARSE, &of_allocations);
}

TEST(operations_fail_while_they_run_on_a_cpu) { fault_operations(FAULT_CPU, 40); }
TEST(operations_fail_while_they_run_on_a_device_with_buffers) {
  fault_operations(FAULT_BUFFERS, 40);
}
