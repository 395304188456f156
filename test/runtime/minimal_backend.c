/* The core over a backend that has only what a backend must have. What the core does by itself
 * shows here: defaults, the bound on operations under way, the pool of queues, and that a launch
 * whose kernel is built allocates nothing. */
#include "test/runtime/support/minimal_backend.h"
#include "test/runtime/support/faulty_allocator.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

TEST(is_the_default) {
  CHECK_STRING(ka_backend_name(test_backend()), "minimal");
  CHECK_INT(ka_num_devices(test_backend()), 2);
}

TEST(chooses_the_entry_point) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(64), 16), PADDED, NULL));
  CHECK_STRING(minimal.last_entry, "padded");
  CHECK(!minimal.last.extents);
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(65), 16), PADDED, NULL));
  CHECK_STRING(minimal.last_entry, "padded__ka_padded");
  CHECK(minimal.last.extents);
  CHECK_INT(minimal.last.items[0], 80);
  CHECK_INT(minimal.last.group[0], 16);
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(65), 16), PLAIN, NULL));
  CHECK_STRING(minimal.last_entry, "plain");
  CHECK(!minimal.last.extents);
  CHECK_INT(minimal.last.items[0], 80);
}

static void check_range(const size_t items[3], const uint64_t part[3], const uint64_t group[3]) {
  CHECK(minimal.last.range);
  CHECK(!minimal.last.extents);
  for (int d = 0; d < 3; d++) {
    CHECK_INT(minimal.last.items[d], items[d]);
    CHECK_INT(minimal.last.group[d], 1);
    CHECK_INT(minimal.last.offset[d], 0);
    CHECK_INT(minimal.last_range.part[d], part[d]);
    CHECK_INT(minimal.last_range.group[d], group[d]);
  }
}

/* Where the device is a CPU, and the range is one of whole groups. */
TEST(chooses_the_group_variant) {
  minimal.is_cpu = true;
  ka_backend *be = test_backend();
  ka_ndrange range = ka_with_offset(ka_with_group(ka_range(64, 6), 16, 2), 5, 7);
  CHECK_OK(minimal_launch(be, range, GROUPED, NULL));
  CHECK_STRING(minimal.last_entry, "grouped__ka_group");
  check_range((size_t[]){4, 3, 1}, (uint64_t[]){16, 2, 1}, (uint64_t[]){16, 2, 1});
  CHECK_INT(minimal.last.dimensions, 2);
  CHECK_INT(minimal.last_range.extent[0], 64);
  CHECK_INT(minimal.last_range.extent[1], 6);
  CHECK_INT(minimal.last_range.offset[0], 5);
  CHECK_INT(minimal.last_range.offset[1], 7);
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(65), 16), GROUPED, NULL));
  CHECK_STRING(minimal.last_entry, "grouped__ka_padded");
  CHECK(!minimal.last.range);
}

/* Where groups are only parts of the range: along x, as long as rows allow. */
TEST(chooses_parts_of_rows) {
  minimal.is_cpu = true;
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(65), 16), ANY_GROUP, NULL));
  CHECK_STRING(minimal.last_entry, "any_group__ka_group");
  check_range((size_t[]){2, 1, 1}, (uint64_t[]){64, 1, 1}, (uint64_t[]){16, 1, 1});
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(5000, 1000), 16, 4), ANY_GROUP, NULL));
  check_range((size_t[]){5, 1000, 1}, (uint64_t[]){1024, 1, 1}, (uint64_t[]){16, 4, 1});
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(3), 16), ANY_GROUP, NULL));
  check_range((size_t[]){1, 1, 1}, (uint64_t[]){3, 1, 1}, (uint64_t[]){16, 1, 1});
}

/* Else there would be as many groups of the driver as rows. */
TEST(short_rows_are_launched_in_groups) {
  minimal.is_cpu = true;
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(16, 4096), 16, 16), ANY_GROUP, NULL));
  CHECK_STRING(minimal.last_entry, "any_group");
  CHECK_OK(minimal_launch(be, ka_range(1, (size_t)1 << 33), ANY_GROUP, NULL));
  CHECK(minimal.last.items[1] / minimal.last.group[1] <= UINT32_MAX);
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(16, 4096), 16), ANY_GROUP, NULL));
  CHECK_STRING(minimal.last_entry, "any_group__ka_group");
}

TEST(other_devices_run_no_group_variant) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(64), 16), GROUPED, NULL));
  CHECK_STRING(minimal.last_entry, "grouped");
  CHECK(!minimal.last.range);
}

TEST(counts_dimensions) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  CHECK_INT(minimal.last.dimensions, 1);
  CHECK_OK(minimal_launch(be, ka_range(7, 1, 1), PLAIN, NULL));
  CHECK_INT(minimal.last.dimensions, 1);
  CHECK_OK(minimal_launch(be, ka_range(1, 7), PLAIN, NULL));
  CHECK_INT(minimal.last.dimensions, 2);
  CHECK_OK(minimal_launch(be, ka_range(1, 1, 7), PLAIN, NULL));
  CHECK_INT(minimal.last.dimensions, 3);
  CHECK_OK(minimal_launch(be, ka_with_offset(ka_range(1, 1, 1), 0, 5), PLAIN, NULL));
  CHECK_INT(minimal.last.dimensions, 2);
}

TEST(respects_the_limit_of_the_kernel) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_with_group(ka_range(1024), 512), PLAIN, NULL));
  CHECK_STATUS(minimal_launch(be, ka_with_group(ka_range(1024), 513), PLAIN, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("'plain'", "513", "512", "'minimal'");
  CHECK_STATUS(minimal_launch(be, ka_with_group(ka_range(64, 64, 65), 1, 1, 65), PLAIN, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("along z is 65", "64");
}

TEST(chosen_groups_are_within_all_limits) {
  ka_backend *be = test_backend();
  for (size_t x = 1; x < 3000; x = x * 3 / 2 + 1)
    for (size_t y = 1; y < 3000; y = y * 2 + 1)
      for (size_t z = 1; z < 300; z = z * 3 + 1) {
        CHECK_OK(minimal_launch(be, ka_range(x, y, z), PADDED, NULL));
        CHECK(minimal.last.group[0] * minimal.last.group[1] * minimal.last.group[2] <= 512);
        CHECK(minimal.last.group[2] <= 64);
        const size_t size[3] = {x, y, z};
        for (int d = 0; d < 3; d++) {
          CHECK(minimal.last.group[d] >= 1 && minimal.last.group[d] <= size[d]);
          CHECK_INT(minimal.last.items[d] % minimal.last.group[d], 0);
          CHECK(minimal.last.items[d] >= size[d] &&
                minimal.last.items[d] < size[d] + minimal.last.group[d]);
        }
      }
}

TEST(names_what_the_device_lacks) {
  ka_backend *be = test_backend();
  minimal_make_module();
  static const struct {
    int kernel;
    const char *text;
  } cases[] = {{DOUBLES, "double arithmetic"},
               {HALVES, "_Float16"},
               {SUB_GROUPS, "sub-groups"},
               {ATOMICS, "64-bit"},
               {LOCAL, "1025 bytes of group memory"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_STATUS(ka__launch(be, ka_range(1), &minimal_module.kernels[cases[i].kernel], NULL, 0),
                 KA_ERROR_UNSUPPORTED);
    CHECK_MESSAGE(minimal_specs[cases[i].kernel].name, "'minimal'", cases[i].text);
  }
}

TEST(fills_by_copies) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 1000);
  memset(p, '-', 1000);
  CHECK_OK(ka_fill(be, p + 1, "abc", 3, 300));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], '-');
  for (int i = 0; i < 900; i++)
    CHECK_INT(p[1 + i], "abc"[i % 3]);
  CHECK_INT(p[901], '-');
  CHECK_INT(minimal.copies, 1 + 9); /* the value, then twice as much each time */
}

TEST(a_launch_of_a_built_kernel_allocates_nothing) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 1000);
  CHECK_OK(minimal_launch(be, ka_range(1000), PADDED, p));
  int before = faulty_allocations();
  for (int i = 0; i < 5000; i++)
    CHECK_OK(minimal_launch(be, ka_range(1000 + (size_t)i), PADDED, (char *)p + i % 1000));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(faulty_allocations() - before, 0);
}

TEST(bounds_what_is_under_way) {
  ka_backend *be = test_backend();
  for (int i = 0; i < 1024; i++)
    CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  CHECK_INT(minimal.synchronisations, 0);
  for (int i = 0; i < 9000; i++)
    CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  CHECK(minimal.synchronisations >= 9);
  CHECK(minimal.synchronisations <= 40);
}

/* Memory that is freed before its last use is over may be a sixteenth of the device's. */
TEST(bounds_freed_memory_in_use) {
  ka_backend *be = test_backend();
  const size_t bytes = MINIMAL_MEMORY / 256;
  for (int i = 0; i < 160; i++) {
    void *p = ka_alloc(be, bytes);
    CHECK(p);
    CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, p));
    CHECK_OK(ka_free(p));
    CHECK_INT(minimal.synchronisations > 0, i > 16);
  }
  CHECK(minimal.frees >= 160 - 17);
}

TEST(refuses_more_than_one_piece_can_be) {
  CHECK(!ka_alloc(test_backend(), MINIMAL_MEMORY / 4 + 1));
  CHECK_MESSAGE("268435457 bytes", "'minimal'", "in one piece (268435456 bytes)");
}

TEST(frees_when_the_last_use_is_known_to_be_over) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10), *q = ka_alloc(be, 10);
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_free(q));
  CHECK_INT(minimal.frees, 1);
  CHECK_OK(ka_free(p));
  CHECK_INT(minimal.frees, 1); /* without poll nothing is known before the queue is synchronised */
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(minimal.frees, 2);
}

TEST(frees_after_the_last_of_many_queues) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10);
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(minimal.frees, 0);
  CHECK_OK(ka_set_device(be, 0));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(minimal.frees, 1);
}

static void *use_and_end(void *p) {
  CHECK_OK(minimal_launch(ka_default_backend(), ka_range(1), PLAIN, p));
  return NULL;
}

TEST(threads_that_end_give_their_queues_back) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10);
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, p));
  CHECK_INT(minimal.queues, 1);
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, use_and_end, p), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_INT(minimal.queues, 2);
}

TEST(the_first_error_is_returned_once) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("kernel 'broken' broke at launch 2");
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("launch 4");
}

TEST(a_failure_for_which_there_is_no_memory_is_told) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  faulty_allocation_at(1);
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("no host memory to say which");
  CHECK_OK(ka_synchronize(be));
}

static void *expect_no_error(void *backend) {
  CHECK_OK(minimal_launch(backend, ka_range(1), PLAIN, NULL));
  CHECK_OK(ka_synchronize(backend));
  return NULL;
}

static void *break_and_end(void *backend) {
  CHECK_OK(minimal_launch(backend, ka_range(1), BROKEN, NULL));
  return NULL;
}

TEST(an_error_belongs_to_its_own_thread) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), BROKEN, NULL));
  void *(*const steps[])(void *) = {expect_no_error, break_and_end, expect_no_error};
  for (int i = 0; i < 3; i++) { /* the third gets the queue of the second */
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, steps[i], be), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
}

static void *break_later_and_end(void *backend) {
  CHECK_OK(minimal_launch(backend, ka_range(1), LATE, NULL));
  return NULL;
}

TEST(an_error_that_shows_late_belongs_to_its_own_thread) {
  ka_backend *be = test_backend();
  void *(*const steps[])(void *) = {break_later_and_end, expect_no_error};
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, steps[i], be), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_INT(minimal.queues, 1);
  CHECK_OK(minimal_launch(be, ka_range(1), LATE, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("broke later");
}

/* ---- Events: without a way to ask how far a queue is, recording synchronises ---- */

static void count_call(ka_event *event, void *calls) {
  CHECK(!event);
  atomic_fetch_add((_Atomic int *)calls, 1);
}

TEST(recording_synchronises_and_gives_no_event) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  ka_event *event = (ka_event *)&minimal.queues;
  int before = minimal.synchronisations;
  CHECK_OK(ka_record_event(be, &event));
  CHECK(!event);
  CHECK_INT(minimal.synchronisations, before + 1);
  CHECK_OK(ka_wait_event(be, event));
  CHECK_OK(ka_event_wait(event));
  CHECK(ka_event_query(event));
  CHECK_INT(minimal.synchronisations, before + 1); /* waiting is nothing */
  _Atomic int calls = 0;
  CHECK_OK(ka_event_on_complete(event, count_call, &calls));
  while (!atomic_load(&calls))
    sched_yield();
  int64_t time;
  CHECK_STATUS(ka_event_elapsed(event, event, &time), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("first event is NULL");
  ka_event_release(event);
}

TEST(has_no_priorities) {
  ka_backend *be = test_backend();
  CHECK_STATUS(ka_priority(be, KA_PRIORITY_LOW), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("'minimal'", "no priorities");
  CHECK_OK(ka_priority(be, KA_PRIORITY_NORMAL));
}

/* ---- The life of the process; here Valgrind sees it too ---- */

static void check_child(void (*run)(void)) {
  char text[1000];
  int status = test_in_child(run, text, sizeof text);
  if (status != 0 || *text)
    test_fail(__FILE__, __LINE__, "the child ended with wait status %#x: %s", (unsigned)status,
              text);
}

static void expect_synchronised(void) { CHECK_INT(minimal.synchronisations, 1); }

static void launch_and_exit(void) {
  CHECK_INT(atexit(expect_synchronised), 0); /* runs after libka's own function */
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10);
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_free(p));
}

TEST(the_end_waits_for_what_is_in_flight) { check_child(launch_and_exit); }

static void *synchronise_for_long(void *backend) {
  CHECK_OK(minimal_launch(backend, ka_range(1), PLAIN, NULL));
  atomic_store(&minimal.hold, true);
  CHECK_OK(ka_synchronize(backend));
  return NULL;
}

static void expect_through(void) { CHECK(atomic_load(&minimal.is_through)); }

static void exit_beside_a_thread(void) {
  CHECK_INT(atexit(expect_through), 0);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, synchronise_for_long, test_backend()), 0);
  CHECK_INT(pthread_detach(thread), 0);
  while (!atomic_load(&minimal.is_held))
    sched_yield();
}

TEST(the_end_waits_for_threads_that_are_inside) { check_child(exit_beside_a_thread); }

static void expect_refusal(void) {
  ka_backend *be = ka_backend_open("minimal");
  CHECK(!be);
  CHECK_MESSAGE("ka_backend_open", "fork()");
  CHECK_INT(minimal.synchronisations, 0);
}

TEST(a_forked_child_is_refused) {
  ka_backend *be = test_backend();
  CHECK_OK(minimal_launch(be, ka_range(1), PLAIN, NULL));
  check_child(expect_refusal);
  CHECK_OK(ka_synchronize(be));
}

/* Lets each allocation of a first use fail in turn: no call may crash, and all works afterwards. */
static void use_everything(void) {
  ka_backend *be = ka_default_backend();
  void *p = ka_alloc(be, 100);
  (void)minimal_launch(be, ka_range(3), PADDED, p);
  (void)ka_fill(be, p, "abc", 3, 5);
  (void)ka_free(p);
  (void)ka_synchronize(be);
}

TEST(survives_any_allocation_that_fails) {
  int all = faulty_allocations();
  minimal_make_module();
  use_everything();
  all = faulty_allocations() - all;
  CHECK(all >= 6);
  module_release(&minimal_module);
  minimal_module.kernels = NULL;
  for (int n = 1; n < all + 2; n++) {
    faulty_allocation_at(n);
    minimal_make_module();
    use_everything();
    faulty_allocation_at(0);
    ka_backend *be = test_backend();
    void *p = ka_alloc(be, 10);
    CHECK(p);
    CHECK_OK(minimal_launch(be, ka_range(3), PADDED, p));
    CHECK_OK(ka_free(p));
    CHECK_OK(ka_synchronize(be));
    module_release(&minimal_module);
    minimal_module.kernels = NULL;
  }
}
