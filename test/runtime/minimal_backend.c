/* The core over a backend that has only what a backend must have: it runs everything at once, in
 * the calling thread, and knows no fill, poll or wait. What the core does by itself shows here:
 * defaults, the bound on operations under way, the pool of queues, and that a launch whose kernel
 * is built allocates nothing. */
#include "test/runtime/support/empty_backend.h"
#include "test/runtime/support/faulty_allocator.h"
#include "test/runtime/support/module_writer.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- The backend ---- */

static int queues, synchronisations, frees, copies, launches;
static uint64_t late; /* the ticket of a launch that fails when it is waited for, or 0 */
static struct ka__launch last;
static struct ka_mailbox message; /* what launches put into their mailbox, if `failed`, */
static bool stores_over;          /* whatever there is */
static void (*print)(struct ka__print_buffer *); /* what launches do to their print buffer */
static char last_entry[64];

#define MEMORY ((uint64_t)1 << 30)

static bool has_no_unified_memory;

static ka_status open_backend(ka_backend *backend) {
  static struct ka__device devices[2];
  for (int d = 0; d < 2; d++) {
    ka__device_init(&devices[d], backend, d);
    devices[d].properties = (ka_device_properties){
        .name = "minimal",
        .compute_units = 1,
        .max_dimensions = 3,
        .max_group_size = 1024,
        .max_group_extent = {1024, 1024, 64},
        .local_bytes = 1024,
        .memory_bytes = MEMORY,
        .max_alloc_bytes = MEMORY / 4,
        .unified = !has_no_unified_memory,
        .host_pointers = true,
    };
  }
  backend->devices = devices;
  backend->device_count = 2;
  return KA_OK;
}

static void free_memory(struct ka__device *device, void *pointer) {
  frees++;
  empty_free(device, pointer);
}

static ka_status create_queue(struct ka__queue *queue) {
  queues++;
  return empty_queue_create(queue);
}

static ka_status copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *source, size_t bytes) {
  copies++;
  return empty_copy(queue, ticket, destination, source, bytes);
}

static ka_status launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *launch_) {
  launches++;
  last = *launch_;
  strncpy(last_entry, function->entry, sizeof last_entry - 1);
  if (strncmp(function->entry, "broken", 6) == 0)
    ka__queue_failed(queue, launch_->ticket, KA_ERROR_KERNEL_FAILED,
                     "kernel '%s' broke at launch %d", function->kernel->name, launches);
  if (strcmp(function->entry, "late") == 0)
    late = launch_->ticket;
  if (launch_->prints)
    print(launch_->mailbox->prints);
  uint32_t none = 0;
  if (message.failed &&
      (stores_over || __atomic_compare_exchange_n(&launch_->mailbox->failed, &none, message.failed,
                                                  false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))) {
    *launch_->mailbox = message;
    if (message.launch == 0)
      launch_->mailbox->launch = launch_->ticket;
  }
  return KA_OK;
}

/* Where a thread of the test waits inside libka until the program ends, and then takes its time. */
static _Atomic bool hold, is_held, is_through;

static void stay_inside(void) {
  atomic_store(&is_held, true);
  while (!ka__exiting())
    sched_yield();
  for (int i = 0; i < 1000; i++)
    sched_yield();
  atomic_store(&is_through, true);
}

static ka_status synchronize(struct ka__queue *queue) {
  synchronisations++;
  if (atomic_exchange(&hold, false))
    stay_inside();
  if (late)
    ka__queue_failed(queue, late, KA_ERROR_KERNEL_FAILED, "the kernel broke later");
  late = 0;
  return KA_OK;
}

static ka_status create_function(struct ka__function *function) {
  function->max_group_size = 512;
  return KA_OK;
}

static const struct ka__backend_table minimal = {
    .name = "minimal",
    .image = "none",
    .open = open_backend,
    .alloc = empty_alloc,
    .free = free_memory,
    .queue_create = create_queue,
    .copy = copy,
    .launch = launch,
    .synchronize = synchronize,
    .program_create = empty_program_create,
    .program_release = empty_program_release,
    .function_create = create_function,
    .function_release = empty_function_release,
};

/* Takes the place of libka's own list. */
const struct ka__backend_table *const ka__backend_tables[] = {&minimal, NULL};

/* ---- A module for it ---- */

struct tuple {
  void *p;
  double d;
};

static const struct param_spec params[] = {
    {.name = "p", .kind = KA_METADATA_POINTER, .offset = 0, .size = 8},
    {.name = "d", .kind = KA_METADATA_SCALAR, .offset = 8, .size = 8},
};
static const struct site_spec sites[] = {{KA_METADATA_ABORT, "abort()", "talks.c", "talks", 5}};
static const struct kernel_spec specs[] = {
    {.name = "plain", .tuple_bytes = 16, .param_count = 2, .params = params},
    {.name = "padded",
     .flags = KA_METADATA_PADDED,
     .tuple_bytes = 16,
     .param_count = 2,
     .params = params},
    {.name = "broken", .tuple_bytes = 16, .param_count = 2, .params = params},
    {.name = "late", .tuple_bytes = 16, .param_count = 2, .params = params},
    {.name = "doubles", .flags = KA_METADATA_FP64, .tuple_bytes = 0},
    {.name = "halves", .flags = KA_METADATA_FP16, .tuple_bytes = 0},
    {.name = "sub_groups", .flags = KA_METADATA_SUB_GROUP, .tuple_bytes = 0},
    {.name = "atomics", .flags = KA_METADATA_INT64_ATOMICS, .tuple_bytes = 0},
    {.name = "talks",
     .flags = KA_METADATA_MAILBOX,
     .tuple_bytes = 16,
     .param_count = 2,
     .params = params,
     .site_count = 1,
     .sites = sites},
    {.name = "prints", .flags = KA_METADATA_MAILBOX | KA_METADATA_PRINTS, .tuple_bytes = 0},
    {.name = "local", .local_bytes = 1025, .tuple_bytes = 0},
};
enum {
  PLAIN,
  PADDED,
  BROKEN,
  LATE,
  DOUBLES,
  HALVES,
  SUB_GROUPS,
  ATOMICS,
  TALKS,
  PRINTS,
  LOCAL,
  KERNELS
};

static struct written_module module;

static void make_module(void) {
  struct blob metadata = write_metadata(specs, KERNELS);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "none", .start = "image", .bytes = 5},
  };
  module_create_from(&module, specs, KERNELS, write_bundle(images, 2));
  free(metadata.start);
}

static ka_status launch_kernel(ka_backend *be, ka_ndrange range, int kernel, void *p) {
  if (!module.kernels)
    make_module();
  struct tuple tuple = {p, 1};
  return ka__launch(be, range, &module.kernels[kernel], &tuple, sizeof tuple);
}

/* ---- Tests ---- */

TEST(is_the_default) {
  CHECK_STRING(ka_backend_name(test_backend()), "minimal");
  CHECK_INT(ka_num_devices(test_backend()), 2);
}

TEST(chooses_the_entry_point) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_with_group(ka_range(64), 16), PADDED, NULL));
  CHECK_STRING(last_entry, "padded");
  CHECK(!last.extents);
  CHECK_OK(launch_kernel(be, ka_with_group(ka_range(65), 16), PADDED, NULL));
  CHECK_STRING(last_entry, "padded__ka_padded");
  CHECK(last.extents);
  CHECK_INT(last.items[0], 80);
  CHECK_INT(last.group[0], 16);
  CHECK_OK(launch_kernel(be, ka_with_group(ka_range(65), 16), PLAIN, NULL));
  CHECK_STRING(last_entry, "plain");
  CHECK(!last.extents);
  CHECK_INT(last.items[0], 80);
}

TEST(counts_dimensions) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  CHECK_INT(last.dimensions, 1);
  CHECK_OK(launch_kernel(be, ka_range(7, 1, 1), PLAIN, NULL));
  CHECK_INT(last.dimensions, 1);
  CHECK_OK(launch_kernel(be, ka_range(1, 7), PLAIN, NULL));
  CHECK_INT(last.dimensions, 2);
  CHECK_OK(launch_kernel(be, ka_range(1, 1, 7), PLAIN, NULL));
  CHECK_INT(last.dimensions, 3);
  CHECK_OK(launch_kernel(be, ka_with_offset(ka_range(1, 1, 1), 0, 5), PLAIN, NULL));
  CHECK_INT(last.dimensions, 2);
}

TEST(respects_the_limit_of_the_kernel) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_with_group(ka_range(1024), 512), PLAIN, NULL));
  CHECK_STATUS(launch_kernel(be, ka_with_group(ka_range(1024), 513), PLAIN, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("'plain'", "513", "512", "'minimal'");
  CHECK_STATUS(launch_kernel(be, ka_with_group(ka_range(64, 64, 65), 1, 1, 65), PLAIN, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("along z is 65", "64");
}

TEST(chosen_groups_are_within_all_limits) {
  ka_backend *be = test_backend();
  for (size_t x = 1; x < 3000; x = x * 3 / 2 + 1)
    for (size_t y = 1; y < 3000; y = y * 2 + 1)
      for (size_t z = 1; z < 300; z = z * 3 + 1) {
        CHECK_OK(launch_kernel(be, ka_range(x, y, z), PADDED, NULL));
        CHECK(last.group[0] * last.group[1] * last.group[2] <= 512);
        CHECK(last.group[2] <= 64);
        const size_t size[3] = {x, y, z};
        for (int d = 0; d < 3; d++) {
          CHECK(last.group[d] >= 1 && last.group[d] <= size[d]);
          CHECK_INT(last.items[d] % last.group[d], 0);
          CHECK(last.items[d] >= size[d] && last.items[d] < size[d] + last.group[d]);
        }
      }
}

TEST(names_what_the_device_lacks) {
  ka_backend *be = test_backend();
  make_module();
  static const struct {
    int kernel;
    const char *text;
  } cases[] = {{DOUBLES, "double arithmetic"},
               {HALVES, "_Float16"},
               {SUB_GROUPS, "sub-groups"},
               {ATOMICS, "64-bit"},
               {LOCAL, "1025 bytes of group memory"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_STATUS(ka__launch(be, ka_range(1), &module.kernels[cases[i].kernel], NULL, 0),
                 KA_ERROR_UNSUPPORTED);
    CHECK_MESSAGE(specs[cases[i].kernel].name, "'minimal'", cases[i].text);
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
  CHECK_INT(copies, 1 + 9); /* the value, then twice as much each time */
}

TEST(a_launch_of_a_built_kernel_allocates_nothing) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 1000);
  CHECK_OK(launch_kernel(be, ka_range(1000), PADDED, p));
  int before = faulty_allocations();
  for (int i = 0; i < 5000; i++)
    CHECK_OK(launch_kernel(be, ka_range(1000 + (size_t)i), PADDED, (char *)p + i % 1000));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(faulty_allocations() - before, 0);
}

TEST(bounds_what_is_under_way) {
  ka_backend *be = test_backend();
  for (int i = 0; i < 1024; i++)
    CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  CHECK_INT(synchronisations, 0);
  for (int i = 0; i < 9000; i++)
    CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  CHECK(synchronisations >= 9);
  CHECK(synchronisations <= 40);
}

/* Memory that is freed before its last use is over may be a sixteenth of the device's. */
TEST(bounds_freed_memory_in_use) {
  ka_backend *be = test_backend();
  const size_t bytes = MEMORY / 256;
  for (int i = 0; i < 160; i++) {
    void *p = ka_alloc(be, bytes);
    CHECK(p);
    CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, p));
    CHECK_OK(ka_free(p));
    CHECK_INT(synchronisations > 0, i > 16);
  }
  CHECK(frees >= 160 - 17);
}

TEST(refuses_more_than_one_piece_can_be) {
  CHECK(!ka_alloc(test_backend(), MEMORY / 4 + 1));
  CHECK_MESSAGE("268435457 bytes", "'minimal'", "in one piece (268435456 bytes)");
}

TEST(frees_when_the_last_use_is_known_to_be_over) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10), *q = ka_alloc(be, 10);
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_free(q));
  CHECK_INT(frees, 1);
  CHECK_OK(ka_free(p));
  CHECK_INT(frees, 1); /* without poll nothing is known before the queue is synchronised */
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(frees, 2);
}

TEST(frees_after_the_last_of_many_queues) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10);
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(frees, 0);
  CHECK_OK(ka_set_device(be, 0));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(frees, 1);
}

static void *use_and_end(void *p) {
  CHECK_OK(launch_kernel(ka_default_backend(), ka_range(1), PLAIN, p));
  return NULL;
}

TEST(threads_that_end_give_their_queues_back) {
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10);
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, p));
  CHECK_INT(queues, 1);
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, use_and_end, p), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_INT(queues, 2);
}

TEST(the_first_error_is_returned_once) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("kernel 'broken' broke at launch 2");
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("launch 4");
}

TEST(a_failure_for_which_there_is_no_memory_is_told) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  faulty_allocation_at(1);
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("no host memory to say which");
  CHECK_OK(ka_synchronize(be));
}

static void *expect_no_error(void *backend) {
  CHECK_OK(launch_kernel(backend, ka_range(1), PLAIN, NULL));
  CHECK_OK(ka_synchronize(backend));
  return NULL;
}

static void *break_and_end(void *backend) {
  CHECK_OK(launch_kernel(backend, ka_range(1), BROKEN, NULL));
  return NULL;
}

TEST(an_error_belongs_to_its_own_thread) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), BROKEN, NULL));
  void *(*const steps[])(void *) = {expect_no_error, break_and_end, expect_no_error};
  for (int i = 0; i < 3; i++) { /* the third gets the queue of the second */
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, steps[i], be), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
}

static void *break_later_and_end(void *backend) {
  CHECK_OK(launch_kernel(backend, ka_range(1), LATE, NULL));
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
  CHECK_INT(queues, 1);
  CHECK_OK(launch_kernel(be, ka_range(1), LATE, NULL));
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
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  ka_event *event = (ka_event *)&queues;
  int before = synchronisations;
  CHECK_OK(ka_record_event(be, &event));
  CHECK(!event);
  CHECK_INT(synchronisations, before + 1);
  CHECK_OK(ka_wait_event(be, event));
  CHECK_OK(ka_event_wait(event));
  CHECK(ka_event_query(event));
  CHECK_INT(synchronisations, before + 1); /* waiting is nothing */
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

static void expect_synchronised(void) { CHECK_INT(synchronisations, 1); }

static void launch_and_exit(void) {
  CHECK_INT(atexit(expect_synchronised), 0); /* runs after libka's own function */
  ka_backend *be = test_backend();
  void *p = ka_alloc(be, 10);
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, p));
  CHECK_OK(ka_free(p));
}

TEST(the_end_waits_for_what_is_in_flight) { check_child(launch_and_exit); }

static void *synchronise_for_long(void *backend) {
  CHECK_OK(launch_kernel(backend, ka_range(1), PLAIN, NULL));
  atomic_store(&hold, true);
  CHECK_OK(ka_synchronize(backend));
  return NULL;
}

static void expect_through(void) { CHECK(atomic_load(&is_through)); }

static void exit_beside_a_thread(void) {
  CHECK_INT(atexit(expect_through), 0);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, synchronise_for_long, test_backend()), 0);
  CHECK_INT(pthread_detach(thread), 0);
  while (!atomic_load(&is_held))
    sched_yield();
}

TEST(the_end_waits_for_threads_that_are_inside) { check_child(exit_beside_a_thread); }

static void expect_refusal(void) {
  ka_backend *be = ka_backend_open("minimal");
  CHECK(!be);
  CHECK_MESSAGE("ka_backend_open", "fork()");
  CHECK_INT(synchronisations, 0);
}

TEST(a_forked_child_is_refused) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  check_child(expect_refusal);
  CHECK_OK(ka_synchronize(be));
}

/* Lets each allocation of a first use fail in turn: no call may crash, and all works afterwards. */
static void use_everything(void) {
  ka_backend *be = ka_default_backend();
  void *p = ka_alloc(be, 100);
  (void)launch_kernel(be, ka_range(3), PADDED, p);
  (void)ka_fill(be, p, "abc", 3, 5);
  (void)ka_free(p);
  (void)ka_synchronize(be);
}

TEST(survives_any_allocation_that_fails) {
  int all = faulty_allocations();
  make_module();
  use_everything();
  all = faulty_allocations() - all;
  CHECK(all >= 6);
  module_release(&module);
  module.kernels = NULL;
  for (int n = 1; n < all + 2; n++) {
    faulty_allocation_at(n);
    make_module();
    use_everything();
    faulty_allocation_at(0);
    ka_backend *be = test_backend();
    void *p = ka_alloc(be, 10);
    CHECK(p);
    CHECK_OK(launch_kernel(be, ka_range(3), PADDED, p));
    CHECK_OK(ka_free(p));
    CHECK_OK(ka_synchronize(be));
    module_release(&module);
    module.kernels = NULL;
  }
}

/* ---- The mailbox ---- */

TEST(a_launch_has_a_mailbox_if_its_kernel_asks) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  CHECK(!last.mailbox);
  CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
  CHECK(last.mailbox);
  const struct ka_mailbox *mailbox = last.mailbox;
  CHECK_INT(mailbox->failed, 0);
  int before = faulty_allocations();
  for (int i = 0; i < 5000; i++)
    CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
  CHECK_OK(ka_synchronize(be));
  CHECK(last.mailbox == mailbox);
  CHECK_INT(faulty_allocations() - before, 0);
  /* Another queue has another one. */
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
  CHECK(last.mailbox != mailbox);
}

TEST(a_mailbox_is_read_when_the_launch_has_completed) {
  ka_backend *be = test_backend();
  message = (struct ka_mailbox){.failed = 1, .global_id = {7, 8, 9}, .group_id = {1, 2, 3}};
  CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
  message.failed = 0;
  CHECK_INT(last.mailbox->failed, 1);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_STRING(ka_error_message(), "kernel 'talks' stopped at talks.c:5, item (7, 8, 9) "
                                   "of group (1, 2, 3): abort()");
  CHECK_INT(last.mailbox->failed, 0);
  CHECK_OK(ka_synchronize(be));
}

/* A kernel may write anywhere. */
TEST(nonsense_in_a_mailbox) {
  ka_backend *be = test_backend();
  message = (struct ka_mailbox){.failed = 77, .site = UINT32_MAX};
  stores_over = true;
  CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'talks' stopped, item (0, 0, 0)");
  /* One that is over, one to come, and none. */
  static const uint64_t tickets[] = {1, 12345, KA__NO_LAUNCH};
  for (int i = 0; i < 3; i++) {
    message = (struct ka_mailbox){.failed = 1, .launch = tickets[i]};
    stores_over = true;
    CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
    CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
    CHECK_MESSAGE("a kernel stored into the mailbox");
    CHECK_OK(ka_synchronize(be));
    message = (struct ka_mailbox){.failed = 1};
    stores_over = false;
    CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
    CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
    CHECK_MESSAGE("kernel 'talks' stopped at talks.c:5");
  }
}

static void *fail_and_leave(void *backend) {
  CHECK_OK(launch_kernel(backend, ka_range(1), TALKS, NULL));
  return NULL;
}

static void *fail_in_the_same_queue(void *backend) {
  int before = queues;
  CHECK_OK(launch_kernel(backend, ka_range(1), TALKS, NULL));
  CHECK_INT(queues, before);
  CHECK_STATUS(ka_synchronize(backend), KA_ERROR_KERNEL_TRAP);
  CHECK_OK(ka_synchronize(backend));
  return NULL;
}

TEST(a_failure_of_the_thread_before_hides_none) {
  ka_backend *be = test_backend();
  message = (struct ka_mailbox){.failed = 1};
  void *(*const threads[])(void *) = {fail_and_leave, fail_in_the_same_queue};
  for (int t = 0; t < 2; t++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, threads[t], be), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
}

TEST(a_mailbox_needs_memory_that_the_host_sees) {
  has_no_unified_memory = true;
  ka_backend *be = test_backend();
  CHECK_STATUS(launch_kernel(be, ka_range(1), TALKS, NULL), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("kernel 'talks'", "'minimal' shares no memory with the host", "-DNDEBUG");
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
}

TEST(a_mailbox_that_cannot_be_had) {
  ka_backend *be = test_backend();
  CHECK_OK(launch_kernel(be, ka_range(1), PLAIN, NULL));
  int attempts = 0;
  ka_status status;
  do {
    faulty_allocation_at(++attempts);
    status = launch_kernel(be, ka_range(1), TALKS, NULL);
    faulty_allocation_at(0);
    if (status != KA_OK) {
      CHECK_STATUS(status, KA_ERROR_OUT_OF_MEMORY);
      CHECK_MESSAGE("no host memory");
    }
  } while (status != KA_OK);
  CHECK(attempts > 2); /* of the kernel as built, and of the mailbox */
  message = (struct ka_mailbox){.failed = 1};
  CHECK_OK(launch_kernel(be, ka_range(1), TALKS, NULL));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'talks' stopped at talks.c:5");
}

/* ---- Printing ---- */

/* As kernels do it. */
static void say_hi(struct ka__print_buffer *buffer) {
  static const uint32_t head[2] = {16, 4};
  CHECK(buffer->used <= buffer->capacity);
  char *record = (char *)(buffer + 1) + __atomic_fetch_add(&buffer->used, 16, __ATOMIC_ACQ_REL);
  for (int i = 0; i < 16; i++)
    CHECK(!record[i]);
  memcpy(record + 8, "hi\n", 4);
  memcpy(record, head, sizeof head);
}

static void claim_more(struct ka__print_buffer *buffer) {
  say_hi(buffer);
  buffer->capacity = UINT32_MAX;
  buffer->used = 1u << 30;
}
static void claim_none(struct ka__print_buffer *buffer) { buffer->capacity = 0; }
static void use_more(struct ka__print_buffer *buffer) { buffer->used = UINT32_MAX; }
static void use_less(struct ka__print_buffer *buffer) { buffer->used = 0; }
static void lose(struct ka__print_buffer *buffer) { memset(buffer, 0xff, sizeof *buffer + 64); }
static void spoil_records(struct ka__print_buffer *buffer) {
  buffer->used = 64;
  memset(buffer + 1, 0x77, 64);
}

static void print_once(ka_backend *be, void (*what)(struct ka__print_buffer *)) {
  print = what;
  CHECK_OK(ka__launch(be, ka_range(1), &module.kernels[PRINTS], NULL, 0));
}

enum { BY_ONE_THAT_HAS_COMPLETED, BY_ONE_THAT_RUNS, BY_ONE_THAT_DOES_NOT_PRINT, WAYS };

/* The host goes by what it knows, and the next kernels print as ever. */
TEST(a_print_buffer_that_kernels_have_damaged) {
  ka_backend *be = test_backend();
  make_module();
  static void (*const damages[])(struct ka__print_buffer *) = {
      claim_more, claim_none, use_more, use_less, lose, spoil_records};
  FILE *file = tmpfile();
  CHECK(file && fflush(stdout) == 0);
  int terminal = dup(STDOUT_FILENO);
  CHECK(dup2(fileno(file), STDOUT_FILENO) >= 0);
  int expected = 0;
  for (size_t d = 0; d < sizeof damages / sizeof *damages; d++)
    for (int way = 0; way < WAYS; way++) {
      print_once(be, say_hi);
      CHECK_OK(ka_synchronize(be));
      if (way == BY_ONE_THAT_DOES_NOT_PRINT)
        damages[d](last.mailbox->prints);
      else
        print_once(be, damages[d]);
      if (way == BY_ONE_THAT_HAS_COMPLETED)
        CHECK_OK(ka_synchronize(be));
      print_once(be, say_hi);
      CHECK_OK(ka_synchronize(be));
      print_once(be, say_hi);
      CHECK_OK(ka_synchronize(be));
      /* What is behind a bad record, and was printed before anybody looked, is lost. */
      expected += damages[d] == spoil_records && way == BY_ONE_THAT_RUNS ? 2 : 3;
    }
  CHECK(fflush(stdout) == 0 && dup2(terminal, STDOUT_FILENO) >= 0);
  char text[256] = "";
  ssize_t bytes = pread(fileno(file), text, sizeof text - 1, 0);
  CHECK_INT(bytes, 3 * expected);
  for (int i = 0; i < expected; i++)
    CHECK(strncmp(text + 3 * i, "hi\n", 3) == 0);
}
