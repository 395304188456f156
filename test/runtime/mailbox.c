/* What kernels tell the host through their queue's mailbox: which failure is told, to whom, when,
 * and how it reads. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/tasks.h"

#include <pthread.h>
#include <stdio.h>

enum { N = 100 };

TEST(a_failure_is_told_once_with_its_place) {
  ka_backend *be = test_backend();
  int p[N] = {0};
  CHECK_OK(LAUNCH(be, ka_with_group(ka_range(N), 16), picky, p, 99));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_STRING(ka_error_message(), "kernel 'picky' stopped at picky.c:34, item (99, 0, 0) of group "
                                   "(6, 0, 0): an odd item");
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < N; i++)
    CHECK_INT(p[i], i < 99);
}

TEST(ids_of_three_dimensions_and_an_offset) {
  ka_backend *be = test_backend();
  int p[N] = {0};
  ka_ndrange range = ka_with_group(ka_range(3, 1, 1), 2, 1, 1);
  CHECK_OK(LAUNCH(be, ka_with_offset(range, 10, 20, 30), picky, p, 12));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_STRING(ka_error_message(), "kernel 'picky' stopped at picky.c:12 in 'check', item (12, 20, "
                                   "30) of group (1, 0, 0): assertion 'i % 2' failed");
}

TEST(later_launches_work_and_may_fail_too) {
  ka_backend *be = test_backend();
  int p[N];
  for (int round = 0; round < 300; round++) {
    bool fails = round % 3 == 0;
    p[N - 1] = 0;
    CHECK_OK(LAUNCH(be, ka_range(N), picky, p, fails ? N - 1 : N));
    CHECK_STATUS(ka_synchronize(be), fails ? KA_ERROR_KERNEL_TRAP : KA_OK);
    CHECK_INT(p[N - 1], !fails);
  }
}

TEST(the_first_of_many_launches_is_told) {
  ka_backend *be = test_backend();
  int p[N] = {0};
  /* More than a queue holds at once. */
  for (int i = 0; i < 1100; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, (float *)p, (float *)p + 1));
    CHECK_OK(LAUNCH(be, ka_range(N), picky, p, i == 10 ? 99 : i > 10 ? 50 : N));
  }
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("item (99, 0, 0)");
  CHECK_OK(ka_synchronize(be));
}

/* One of them is described, whole. */
TEST(one_of_many_items_is_told) {
  ka_backend *be = test_backend();
  static int p[100000];
  CHECK_OK(LAUNCH(be, ka_with_group(ka_range(100000), 100), picky, p, 0));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  unsigned line, item, group;
  const char *at = strstr(ka_error_message(), "picky.c:");
  CHECK(at && sscanf(at, "picky.c:%u", &line) == 1);
  at = strstr(ka_error_message(), "item (");
  CHECK(at && sscanf(at, "item (%u, 0, 0) of group (%u, 0, 0)", &item, &group) == 2);
  CHECK_INT(group, item / 100);
  CHECK_INT(line, item % 2 ? 34 : 12);
}

TEST(events_after_the_launch_fail) {
  ka_backend *be = test_backend();
  int p[N] = {0};
  ka_event *before, *after;
  CHECK_OK(LAUNCH(be, ka_range(N), picky, p, N));
  CHECK_OK(ka_record_event(be, &before));
  CHECK_OK(LAUNCH(be, ka_range(N), picky, p, 5));
  CHECK_OK(ka_record_event(be, &after));
  CHECK_STATUS(ka_event_wait(after), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'picky'");
  CHECK_OK(ka_event_wait(before));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_STATUS(ka_event_wait(after), KA_ERROR_KERNEL_TRAP); /* it remains so */
  ka_event_release(before);
  ka_event_release(after);
}

/* ---- Several queues ---- */

static ka_backend *shared_backend;

static void *fail_in_thread(void *argument) {
  size_t first = (size_t)argument;
  int p[N] = {0};
  for (int round = 0; round < 25; round++) {
    CHECK_OK(LAUNCH(shared_backend, ka_with_group(ka_range(first + 1), 1), picky, p, first));
    CHECK_STATUS(ka_synchronize(shared_backend), KA_ERROR_KERNEL_TRAP);
    unsigned item;
    const char *at = strstr(ka_error_message(), "item (");
    CHECK(at && sscanf(at, "item (%u,", &item) == 1);
    CHECK_INT(item, first);
  }
  return NULL;
}

TEST(each_thread_is_told_of_its_own) {
  shared_backend = test_backend();
  int p[N] = {0};
  CHECK_OK(LAUNCH(shared_backend, ka_range(N), picky, p, 7));
  pthread_t threads[4];
  for (size_t t = 0; t < 4; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, fail_in_thread, (void *)(10 + t)), 0);
  for (size_t t = 0; t < 4; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  CHECK_STATUS(ka_synchronize(shared_backend), KA_ERROR_KERNEL_TRAP);
}

static ka_event *failed_event;

static void *fail_and_record(void *argument) {
  int *p = argument;
  CHECK_OK(LAUNCH(shared_backend, ka_range(N), picky, p, 7));
  CHECK_OK(ka_record_event(shared_backend, &failed_event));
  CHECK_STATUS(ka_synchronize(shared_backend), KA_ERROR_KERNEL_TRAP);
  return NULL;
}

TEST(a_queue_that_waits_for_it_fails) {
  shared_backend = test_backend();
  int p[N] = {0};
  CHECK_OK(ka_synchronize(shared_backend)); /* its own queue, not the one that fails */
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, fail_and_record, p), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  CHECK_OK(ka_wait_event(shared_backend, failed_event));
  CHECK_STATUS(ka_synchronize(shared_backend), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("before an event that the queue waits for", "kernel 'picky'");
  ka_event_release(failed_event);
}

static void *fail_and_leave(void *argument) {
  CHECK_OK(LAUNCH(shared_backend, ka_range(N), picky, (int *)argument, 7));
  return NULL;
}

/* The queue goes to the next thread; what failed does not. */
TEST(a_thread_that_ended_takes_its_failure_along) {
  shared_backend = test_backend();
  static int p[N];
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, fail_and_leave, p), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  for (int i = 0; i < 10; i++) {
    CHECK_OK(LAUNCH(shared_backend, ka_range(N), picky, p, N));
    CHECK_OK(ka_synchronize(shared_backend));
  }
}

/* ---- Tasks ---- */

/* One that synchronises is told; of one that does not, who waits for it. */
static ka_status fail_in_task(void *argument, void **result) {
  int *p = argument;
  (void)result;
  bool synchronises = p[0] >= 0; /* before the kernel writes there */
  CHECK_OK(LAUNCH(shared_backend, ka_range(N), picky, p, 99));
  if (!synchronises)
    return KA_OK;
  CHECK_STATUS(ka_synchronize(shared_backend), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("item (99, 0, 0)");
  return ka_synchronize(shared_backend);
}

TEST(a_task_fails_with_its_kernel) {
  shared_backend = test_backend();
  int p[2][N] = {0};
  p[1][0] = -1;
  ka_task *told = test_spawn(shared_backend, fail_in_task, p[0]);
  ka_task *fails = test_spawn(shared_backend, fail_in_task, p[1]);
  test_wait_and_release(told);
  CHECK_STATUS(ka_task_wait(fails), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'picky' stopped at picky.c:34, item (99, 0, 0) of group");
  ka_task_release(fails);
  CHECK_OK(ka_synchronize(shared_backend)); /* it was not this thread's */
}

static ka_status fail_with_number(void *number, void **result) {
  static int p[N];
  size_t first = (size_t)number;
  (void)result;
  return LAUNCH(shared_backend, ka_with_group(ka_range(first + 1), 1), picky, p, first);
}

/* Asked in the end, when others have long had the queues. */
TEST(each_of_many_tasks_keeps_its_failure) {
  shared_backend = test_backend();
  enum { TASKS = 20 };
  ka_task *tasks[TASKS];
  for (size_t t = 0; t < TASKS; t++)
    tasks[t] = test_spawn(shared_backend, fail_with_number, (void *)(10 + t));
  for (int round = 0; round < 2; round++)
    for (int t = TASKS - 1; t >= 0; t--) {
      char item[16];
      snprintf(item, sizeof item, "item (%d, 0, 0)", 10 + t);
      CHECK_STATUS(ka_task_wait(tasks[t]), KA_ERROR_KERNEL_TRAP);
      CHECK_MESSAGE("kernel 'picky'", item);
    }
  for (int t = 0; t < TASKS; t++)
    ka_task_release(tasks[t]);
  CHECK_OK(ka_synchronize(shared_backend));
}

/* A task begins behind what its parent has put in the queue, and fails with it. */
static ka_status do_nothing(void *argument, void **result) {
  (void)argument, (void)result;
  return KA_OK;
}

TEST(a_task_behind_a_failure_fails) {
  shared_backend = test_backend();
  int p[N] = {0};
  CHECK_OK(LAUNCH(shared_backend, ka_range(N), picky, p, 99));
  ka_task *task = test_spawn(shared_backend, do_nothing, NULL);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'picky'");
  ka_task_release(task);
  CHECK_STATUS(ka_synchronize(shared_backend), KA_ERROR_KERNEL_TRAP);
}

/* ---- Modules ---- */

static ka_status launch_of(struct written_module *module, ka_backend *be, int *p, uint64_t first) {
  struct args_picky arguments = {p, first};
  return ka__launch(be, ka_range(N), &module->kernels[K_picky], &arguments, sizeof arguments);
}

static void create(struct written_module *module) {
  module_create(module, test_kernel_specs, K_COUNT, test_spirv,
                (size_t)(test_spirv_end - test_spirv));
}

/* The message names what is gone when it is asked for. */
TEST(a_closed_module_is_still_named) {
  ka_backend *be = test_backend();
  int p[N] = {0};
  struct written_module module;
  create(&module);
  CHECK_OK(launch_of(&module, be, p, 6));
  module_release(&module);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'picky' stopped at picky.c:");
}
