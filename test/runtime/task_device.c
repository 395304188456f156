/* Tasks and devices: other tasks go on while one waits for its kernels, and a child's work follows
 * what its parent had put in its queue. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <stdio.h>
#include <stdlib.h>

static int *zeros(ka_backend *be, size_t count) {
  int *p = ka_alloc_zeroed(be, count * sizeof *p);
  CHECK(p);
  return p;
}

/* ---- Waiting lets other tasks run ---- */

struct slow_job {
  ka_backend *be;
  int *p;
  uint64_t rounds;
};

static ka_status run_slow_kernel(void *argument, void **result) {
  (void)result;
  const struct slow_job *job = argument;
  CHECK_OK(LAUNCH(job->be, ka_range(1), slow, job->p, job->rounds));
  CHECK_OK(ka_synchronize(job->be));
  CHECK_INT(job->p[0], 1);
  return KA_OK;
}

static ka_status tick_meanwhile(void *argument, void **result) {
  (void)argument, (void)result;
  ka_backend *be = test_backend();
  struct slow_job job = {be, zeros(be, 2), test_slow_rounds(be, 200)};
  ka_task *task = test_spawn(be, run_slow_kernel, &job);
  int ticks = 0;
  while (!ka_task_done(task)) {
    CHECK_OK(ka_sleep(5000000));
    ticks++;
  }
  test_wait_and_release(task);
  /* Were the thread blocked, there would be one. */
  printf("%d ticks of 5 ms during a kernel of some 200 ms\n", ticks);
  CHECK(ticks >= 5);
  CHECK_OK(ka_free(job.p));
  return KA_OK;
}

TEST(a_ticker_ticks_while_a_kernel_runs) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(tick_meanwhile, NULL));
}

/* ---- Queues of tasks ---- */

static ka_status launch_with_own_arguments(void *argument, void **result) {
  (void)result;
  ka_backend *be = test_backend();
  unsigned number = (unsigned)(uintptr_t)argument;
  uint64_t *out = ka_alloc_zeroed(be, 10 * sizeof *out);
  CHECK(out);
  for (unsigned i = 0; i < 10; i++) {
    struct args_many args = {.out = &out[i]};
    for (unsigned k = 0; k < 39; k++)
      args.a[k] = number * 1000 + i;
    CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_many), &args, sizeof args));
    ka_yield();
  }
  CHECK_OK(ka_synchronize(be));
  for (unsigned i = 0; i < 10; i++)
    CHECK_INT(out[i], 40 * (number * 1000 + i));
  return ka_free(out);
}

static ka_status thirty_two_tasks(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task *tasks[32];
  for (uintptr_t t = 0; t < 32; t++)
    tasks[t] = test_spawn(test_backend(), launch_with_own_arguments, (void *)t);
  for (int t = 0; t < 32; t++)
    test_wait_and_release(tasks[t]);
  return KA_OK;
}

TEST(thirty_two_tasks_launch_one_kernel_and_see_their_own_arguments) {
  CHECK_OK(ka_run(thirty_two_tasks, NULL));
}

static ka_status fail_here(void *argument, void **result) {
  (void)result;
  CHECK_STRING(ka_error_message(), ""); /* the parent's failure is not the child's */
  ka_free(argument);
  CHECK_MESSAGE("ka_free", "not a live allocation");
  ka_yield();
  CHECK_MESSAGE("ka_free", "not a live allocation");
  return KA_OK;
}

static ka_status texts_are_apart(void *argument, void **result) {
  (void)argument, (void)result;
  int local;
  CHECK_STATUS(ka_set_device(NULL, 0), KA_ERROR_INVALID_ARGUMENT);
  ka_task *task = test_spawn(NULL, fail_here, &local);
  ka_yield();
  CHECK_MESSAGE("ka_set_device");
  test_wait_and_release(task);
  CHECK_MESSAGE("ka_set_device");
  return KA_OK;
}

TEST(each_task_has_an_error_text_of_its_own) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(texts_are_apart, NULL));
}

/* ---- A child's work follows its parent's ---- */

struct following {
  ka_backend *be;
  int *p, *copy;
};

static ka_status copy_after_parent(void *argument, void **result) {
  (void)result;
  const struct following *f = argument;
  /* Asynchronous: only the order of the queues puts it behind the parent's kernels. */
  return ka_copy(f->be, f->copy, f->p, sizeof *f->p);
}

static ka_status spawn_behind_slow_kernels(void *argument, void **result) {
  (void)argument, (void)result;
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 2);
  struct following f = {be, zeros(be, 2), zeros(be, 1)};
  for (int i = 0; i < 20; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, f.p, rounds));
  ka_task *task = test_spawn(be, copy_after_parent, &f);
  test_wait_and_release(task);
  CHECK_INT(*f.copy, 20); /* a finished task has finished device work */
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(ka_free(f.p));
  CHECK_OK(ka_free(f.copy));
  return KA_OK;
}

TEST(a_child_works_after_what_its_parent_launched) {
  CHECK_OK(ka_run(spawn_behind_slow_kernels, NULL));
}

TEST(a_child_of_a_plain_thread_works_after_what_it_launched) {
  CHECK_OK(spawn_behind_slow_kernels(NULL, NULL));
}

static ka_status check_device(void *argument, void **result) {
  (void)result;
  CHECK_INT(ka_get_device(test_backend()), (int)(intptr_t)argument);
  return KA_OK;
}

static ka_status devices_of_children(void *argument, void **result) {
  (void)argument, (void)result;
  ka_backend *be = test_backend();
  if (ka_num_devices(be) < 2)
    test_skip("there is one device only");
  CHECK_OK(ka_set_device(be, 1));
  test_wait_and_release(test_spawn(be, check_device, (void *)1));
  ka_task *task =
      ka_spawn_with(be, &(ka_spawn_options){.device = KA_DEVICE(0)}, check_device, (void *)0);
  CHECK(task);
  test_wait_and_release(task);
  CHECK_INT(ka_get_device(be), 1);
  CHECK(!ka_spawn_with(be, &(ka_spawn_options){.device = KA_DEVICE(9)}, check_device, NULL));
  CHECK_MESSAGE("ka_spawn_with: ", "no device 9", "KA_DEVICE(number)");
  CHECK(!ka_spawn_with(NULL, &(ka_spawn_options){.device = KA_DEVICE(0)}, check_device, NULL));
  return KA_OK;
}

TEST(a_child_has_its_parents_device_or_the_one_asked_for) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  CHECK_OK(ka_run(devices_of_children, NULL));
}

/* It leaves another device active than the one that works. */
static ka_status work_on_both(void *argument, void **result) {
  (void)result;
  const struct slow_job *jobs = argument;
  for (int d = 1; d >= 0; d--) {
    CHECK_OK(ka_set_device(jobs->be, d));
    CHECK_OK(LAUNCH(jobs->be, ka_range(1), slow, jobs[d].p, jobs[d].rounds));
  }
  return KA_OK;
}

static ka_status work_on_both_and_fail(void *argument, void **result) {
  ka_status status = work_on_both(argument, result);
  return status == KA_OK ? KA_ERROR_UNSUPPORTED : status;
}

TEST(a_task_ends_with_its_work_on_all_devices_even_if_it_fails) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  ka_backend *be = test_backend();
  if (ka_num_devices(be) < 2)
    test_skip("there is one device only");
  uint64_t rounds = test_slow_rounds(be, 20);
  struct slow_job jobs[2] = {{be, zeros(be, 6), 1}, {be, zeros(be, 6), rounds}};
  test_wait_and_release(test_spawn(be, work_on_both, jobs));
  CHECK_INT(*jobs[1].p, 1);
  jobs[0].p += 2, jobs[1].p += 2;
  ka_task *task = test_spawn(be, work_on_both_and_fail, jobs);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("returned KA_ERROR_UNSUPPORTED");
  CHECK_INT(*jobs[1].p, 1);
  ka_task_release(task);
  /* So does the first task, which was not given a backend. */
  jobs[0].p += 2, jobs[1].p += 2;
  CHECK_OK(ka_run(work_on_both, jobs));
  CHECK_INT(*jobs[1].p, 1);
}

/* ---- Events ---- */

TEST(an_event_passes_when_what_was_before_it_is_complete) {
  ka_backend *be = test_backend();
  int *p = zeros(be, 2);
  ka_event *event;
  CHECK_OK(ka_record_event(be, &event));
  CHECK_OK(ka_event_wait(event)); /* nothing was before it */
  CHECK(ka_event_query(event));
  ka_event_release(event);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, test_slow_rounds(be, 20)));
  CHECK_OK(ka_record_event(be, &event));
  CHECK_OK(ka_event_wait(event));
  CHECK_INT(p[0], 1);
  CHECK(ka_event_query(event));
  ka_event_release(event);
  ka_event_release(NULL);
  CHECK(ka_event_query(NULL));
  CHECK_OK(ka_event_wait(NULL));
  CHECK_OK(ka_wait_event(be, NULL));
  CHECK_STATUS(ka_record_event(NULL, &event), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_record_event(be, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_wait_event(NULL, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_OK(ka_free(p));
}

/* ---- Many, nested, let go ---- */

static ka_status launch_once(void *argument, void **result) {
  (void)result;
  ka_backend *be = test_backend();
  int *p = argument;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 10));
  return KA_OK; /* what ends it synchronises */
}

static ka_status a_thousand(void *argument, void **result) {
  (void)argument, (void)result;
  enum { TASKS = 1000 };
  ka_backend *be = test_backend();
  ka_task **tasks = malloc(TASKS * sizeof(ka_task *));
  int *p = zeros(be, 2 * TASKS);
  CHECK(tasks);
  for (int t = 0; t < TASKS; t++)
    tasks[t] = test_spawn(be, launch_once, p + (ptrdiff_t)2 * t);
  for (int t = 0; t < TASKS; t++) {
    test_wait_and_release(tasks[t]);
    CHECK_INT(p[2 * t], 1);
  }
  free(tasks);
  return ka_free(p);
}

TEST(a_thousand_tasks_launch_at_once) { CHECK_OK(ka_run(a_thousand, NULL)); }

/* Each level adds nothing: the text is that of the innermost. */
static ka_status fail_at_depth(void *argument, void **result) {
  (void)result;
  ka_backend *be = test_backend();
  int *depth = argument;
  if (*depth == 0)
    return ka_free(depth);
  --*depth;
  ka_task *task = test_spawn(be, fail_at_depth, depth);
  ka_status status = ka_task_wait(task);
  ka_task_release(task);
  return status;
}

TEST(a_failure_comes_through_nested_spawns) {
  int depth = 20;
  ka_task *task = test_spawn(test_backend(), fail_at_depth, &depth);
  void *result = &depth;
  CHECK_STATUS(ka_task_fetch(task, &result), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "not a live allocation");
  CHECK(!result);
  ka_task_release(task);
}

static ka_status let_go(void *argument, void **result) {
  (void)result;
  for (int t = 0; t < 100; t++)
    ka_task_release(test_spawn(test_backend(), launch_once, (int *)argument + (ptrdiff_t)2 * t));
  return KA_OK;
}

TEST(tasks_that_are_let_go_at_once_do_their_work) {
  int *p = zeros(test_backend(), 200);
  CHECK_OK(ka_run(let_go, p)); /* waits for all */
  for (int t = 0; t < 100; t++)
    CHECK_INT(p[2 * t], 1);
  CHECK_OK(ka_free(p));
}
