/* Tasks without devices: spawn, wait, fetch, cancel, sleep, pools, and a program's own loop. */
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

static ka_status run(ka_task_function *function, void *argument) {
  return ka_run(function, argument);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static ka_status give_argument(void *argument, void **result) {
  *result = argument;
  return KA_OK;
}

/* ---- Results and errors ---- */

static int value;

static ka_status fetch_from_child(void *argument, void **result) {
  ka_task *child = test_spawn(NULL, give_argument, argument);
  CHECK_OK(ka_task_fetch(child, result));
  CHECK(*result == argument);
  CHECK(ka_task_done(child));
  CHECK_OK(ka_task_wait(child)); /* again */
  ka_task_release(child);
  return KA_OK;
}

TEST(a_result_goes_to_who_fetches_it) { CHECK_OK(run(fetch_from_child, &value)); }

TEST(plain_threads_spawn_and_wait_without_ka_run) {
  ka_task *task = test_spawn(NULL, fetch_from_child, &value);
  void *result;
  CHECK_OK(ka_task_fetch(task, &result));
  CHECK(result == &value);
  ka_task_release(task);
}

static ka_status fail(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_free(&value); /* no allocation: fails, with a text */
}

static ka_status wait_for_failure(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task *child = test_spawn(NULL, fail, NULL);
  ka_status status = ka_task_wait(child);
  CHECK_STATUS(status, KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "not a live allocation");
  ka_task_release(child);
  return status;
}

TEST(a_failure_goes_with_its_text_to_who_waits) {
  CHECK_STATUS(run(wait_for_failure, NULL), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "not a live allocation");
}

static ka_status fail_by_itself(void *argument, void **result) {
  (void)argument, (void)result;
  CHECK_STATUS(ka_task_wait(NULL), KA_ERROR_INVALID_ARGUMENT); /* dealt with */
  return KA_ERROR_UNSUPPORTED;
}

TEST(the_text_of_an_earlier_failure_does_not_go_with_another) {
  ka_task *task = ka_spawn_with(NULL, &(ka_spawn_options){.name = "reader"}, fail_by_itself, NULL);
  CHECK(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("task 'reader' returned KA_ERROR_UNSUPPORTED");
  ka_task_release(task);
}

static ka_status wait_for_oneself(void *argument, void **result) {
  (void)argument, (void)result;
  CHECK_STATUS(ka_task_wait(ka_task_self()), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_task_wait", "itself");
  return KA_OK;
}

TEST(wrong_arguments_are_refused) {
  CHECK(!ka_spawn(NULL, NULL, NULL));
  CHECK_MESSAGE("ka_spawn: ", "function", "NULL");
  CHECK(!ka_spawn_with(NULL, &(ka_spawn_options){.pool = (ka_pool)7}, give_argument, NULL));
  CHECK_MESSAGE("ka_spawn_with: ", "pool 7");
  CHECK_STATUS(ka_task_wait(NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_task_wait: ", "NULL");
  CHECK_STATUS(ka_task_fetch(NULL, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_task_fetch: ", "NULL");
  CHECK_STATUS(ka_run(NULL, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_run: ", "function", "NULL");
  CHECK_STATUS(ka_task_attach_loop(NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_task_detach_loop(), KA_ERROR_INVALID_ARGUMENT);
  CHECK_OK(run(wait_for_oneself, NULL));
  ka_task_release(NULL);
  ka_task_cancel(NULL);
  CHECK(!ka_task_self());
  CHECK(!ka_task_loop());
}

static ka_status run_inside(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_run(give_argument, NULL);
}

TEST(ka_run_in_a_task_is_refused) {
  CHECK_STATUS(run(run_inside, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_run", "runs tasks already");
}

/* ---- Many ---- */

static ka_status yield_often(void *argument, void **result) {
  (void)result;
  for (int i = 0; i < 100; i++)
    ka_yield();
  return ka_sleep(*(uint64_t *)argument);
}

static ka_status spawn_many(void *argument, void **result) {
  (void)result;
  uint64_t pause = 1000000;
  int count = *(int *)argument;
  ka_task **tasks = malloc((size_t)count * sizeof *tasks);
  CHECK(tasks);
  for (int i = 0; i < count; i++)
    tasks[i] = test_spawn(NULL, yield_often, &pause);
  for (int i = 0; i < count; i++) {
    CHECK_OK(ka_task_wait(tasks[i]));
    ka_task_release(tasks[i]);
  }
  free(tasks);
  return KA_OK;
}

TEST(a_thousand_tasks_at_once) {
  int count = 1000;
  CHECK_OK(run(spawn_many, &count));
}

static _Atomic int waiting;
static ka_task *gate;

static ka_status open_when_all_wait(void *argument, void **result) {
  (void)result;
  while (waiting < *(int *)argument)
    CHECK_OK(ka_sleep(1000000));
  return KA_OK;
}

static ka_status wait_at_gate(void *argument, void **result) {
  (void)argument, (void)result;
  waiting++;
  return ka_task_wait(gate);
}

static ka_status hold_many(void *argument, void **result) {
  (void)result;
  int count = *(int *)argument;
  gate = test_spawn(NULL, open_when_all_wait, argument);
  for (int i = 0; i < count; i++)
    ka_task_release(test_spawn(NULL, wait_at_gate, NULL));
  return KA_OK; /* ka_run waits for the others */
}

TEST(a_hundred_thousand_tasks_live_at_once) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  int count = 1000; /* sanitizers keep much memory for each stack */
#else
  int count = 100000;
#endif
  CHECK_OK(run(hold_many, &count));
  CHECK_INT(waiting, count);
  ka_task_release(gate);
}

static void *spawn_and_wait(void *argument) {
  for (int i = 0; i < 200; i++) {
    ka_task *task = test_spawn(NULL, give_argument, argument);
    void *result;
    CHECK_OK(ka_task_fetch(task, &result));
    CHECK(result == argument);
    ka_task_release(task);
  }
  return NULL;
}

TEST(threads_spawn_beside_each_other) {
  pthread_t threads[8];
  for (int t = 0; t < 8; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, spawn_and_wait, &threads[t]), 0);
  for (int t = 0; t < 8; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
}

TEST(ka_run_can_be_called_again) {
  int count = 10;
  for (int i = 0; i < 5; i++)
    CHECK_OK(run(spawn_many, &count));
}

/* ---- Where tasks run ---- */

static pthread_t thread_of_run;

static ka_status first_task_is_here(void *argument, void **result) {
  (void)argument, (void)result;
  CHECK(pthread_equal(pthread_self(), thread_of_run));
  CHECK_STRING(ka_task_name(ka_task_self()), ka_task_name(ka_task_self()));
  CHECK(ka_task_loop());
  return KA_OK;
}

TEST(the_first_task_runs_on_the_thread_of_ka_run) {
  thread_of_run = pthread_self();
  CHECK_OK(run(first_task_is_here, NULL));
}

static ka_status stay_on_thread(void *argument, void **result) {
  (void)argument, (void)result;
  pthread_t thread = pthread_self();
  for (int i = 0; i < 50; i++) {
    ka_yield();
    CHECK(pthread_equal(thread, pthread_self()));
    CHECK_OK(ka_sleep(10000));
    CHECK(pthread_equal(thread, pthread_self()));
  }
  return KA_OK;
}

static ka_status spawn_stayers(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task *tasks[16];
  for (int i = 0; i < 16; i++)
    tasks[i] = test_spawn(NULL, stay_on_thread, NULL);
  for (int i = 0; i < 16; i++) {
    CHECK_OK(ka_task_wait(tasks[i]));
    ka_task_release(tasks[i]);
  }
  return KA_OK;
}

TEST(a_task_stays_on_its_thread) { CHECK_OK(run(spawn_stayers, NULL)); }

static _Atomic bool stop_computing;

static ka_status stop(void *argument, void **result) {
  (void)argument, (void)result;
  stop_computing = true;
  return KA_OK;
}

static ka_status compute_until_child_runs(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task_release(test_spawn(NULL, stop, NULL));
  while (!stop_computing)
    ;
  return KA_OK;
}

TEST(another_thread_begins_the_child_of_a_task_that_computes) {
  setenv("KA_TASK_THREADS", "2", 1);
  CHECK_OK(run(compute_until_child_runs, NULL));
}

static ka_status name_the_thread(void *argument, void **result) {
  (void)result;
  *(pthread_t *)argument = pthread_self();
  return KA_OK;
}

static ka_status use_interactive_pool(void *argument, void **result) {
  (void)result;
  pthread_t thread;
  ka_task *task = ka_spawn_with(NULL, &(ka_spawn_options){.pool = KA_POOL_INTERACTIVE},
                                name_the_thread, &thread);
  CHECK(task);
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
  bool here = pthread_equal(thread, pthread_self());
  CHECK_INT(here, argument == NULL);
  return KA_OK;
}

TEST(an_empty_interactive_pool_leaves_tasks_to_the_default_pool) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(run(use_interactive_pool, NULL));
}

TEST(an_interactive_pool_has_threads_of_its_own) {
  setenv("KA_TASK_THREADS", "1,1", 1);
  CHECK_OK(run(use_interactive_pool, &value));
}

TEST(a_wrong_number_of_threads_is_refused) {
  setenv("KA_TASK_THREADS", "two", 1);
  CHECK(!ka_spawn(NULL, give_argument, NULL));
  CHECK_MESSAGE("KA_TASK_THREADS", "'two'");
  CHECK_STATUS(ka_run(give_argument, NULL), KA_ERROR_INVALID_ARGUMENT);
}

static ka_status check_name(void *argument, void **result) {
  (void)result;
  CHECK_STRING(ka_task_name(ka_task_self()), (const char *)argument);
  return KA_OK;
}

TEST(names_are_copied_and_cut) {
  char name[] = "halo";
  ka_task *task = ka_spawn_with(NULL, &(ka_spawn_options){.name = name}, check_name, "halo");
  CHECK(task);
  name[0] = 'X';
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
  task =
      ka_spawn_with(NULL, &(ka_spawn_options){.name = "0123456789012345678901234567890123456789"},
                    check_name, "0123456789012345678901234567890");
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
}

/* ---- Stacks ---- */

static ka_status use_stack(void *argument, void **result) {
  (void)result;
  size_t bytes = *(size_t *)argument;
  volatile char buffer[4096];
  buffer[bytes % sizeof buffer] = 1;
  ka_status status = KA_OK;
  if (bytes > sizeof buffer) {
    size_t less = bytes - sizeof buffer;
    status = use_stack(&less, NULL);
  }
  return buffer[bytes % sizeof buffer] == 1 ? status : KA_ERROR_DRIVER;
}

TEST(the_size_of_a_stack_can_be_asked_for) {
  size_t bytes = 3 << 20;
  ka_task *task =
      ka_spawn_with(NULL, &(ka_spawn_options){.stack_bytes = 8 << 20}, use_stack, &bytes);
  CHECK(task);
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
}

static void overflow(void) {
  size_t bytes = 3 << 20;
  CHECK_OK(ka_task_wait(test_spawn(NULL, use_stack, &bytes)));
}

TEST(a_stack_that_is_too_small_ends_the_program_at_the_guard_page) {
  int status = test_in_child(overflow, NULL, 0);
  CHECK(status != 0); /* a signal, or the sanitizer's exit */
}

/* ---- Time ---- */

static ka_status sleep_a_while(void *argument, void **result) {
  (void)result;
  return ka_sleep(*(uint64_t *)argument);
}

static ka_status sleep_and_look(void *argument, void **result) {
  (void)argument, (void)result;
  uint64_t pauses[] = {0, 1, 50000, 1000000, 7000000};
  for (int i = 0; i < 5; i++) {
    uint64_t before = now();
    CHECK_OK(ka_sleep(pauses[i]));
    CHECK(now() - before >= pauses[i]);
  }
  return KA_OK;
}

TEST(sleeping_takes_at_least_as_long_as_asked) {
  CHECK_OK(run(sleep_and_look, NULL));
  CHECK_OK(sleep_and_look(NULL, NULL)); /* on a plain thread */
}

/* ---- Cancelling ---- */

static ka_status cancel_sleeper(void *argument, void **result) {
  (void)argument, (void)result;
  uint64_t hour = 3600000000000;
  ka_task *task = test_spawn(NULL, sleep_a_while, &hour);
  CHECK_OK(ka_sleep(2000000));
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  CHECK_MESSAGE("cancelled");
  ka_task_cancel(task); /* has ended: nothing */
  ka_task_release(task);
  /* Maybe before it begins. */
  task = test_spawn(NULL, sleep_a_while, &hour);
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  ka_task_release(task);
  return KA_OK;
}

static ka_status give_and_sleep(void *argument, void **result) {
  *result = argument;
  return ka_sleep(3600000000000);
}

static ka_status fetch_cancelled(void *argument, void **result) {
  (void)argument, (void)result;
  void *got = NULL;
  ka_task *task = test_spawn(NULL, give_and_sleep, &value);
  CHECK_OK(ka_sleep(2000000));
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_fetch(task, &got), KA_ERROR_CANCELLED);
  CHECK_MESSAGE("cancelled while it waited");
  CHECK(got == &value); /* what it had stored before */
  ka_task_release(task);
  /* One that never began stored nothing. */
  task = test_spawn(NULL, give_and_sleep, &value);
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_fetch(task, &got), KA_ERROR_CANCELLED);
  CHECK_MESSAGE("cancelled before it began");
  CHECK(!got);
  ka_task_release(task);
  return KA_OK;
}

TEST(a_cancelled_task_can_be_fetched) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(run(fetch_cancelled, NULL));
}

TEST(cancelling_wakes_a_sleeper) { CHECK_OK(run(cancel_sleeper, NULL)); }

TEST(a_plain_thread_cancels_too) { CHECK_OK(cancel_sleeper(NULL, NULL)); }

static ka_status be_told_once(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task_cancel(ka_task_self());
  CHECK_STATUS(ka_sleep(3600000000000), KA_ERROR_CANCELLED);
  return ka_sleep(1000); /* not told again */
}

TEST(cancellation_is_told_once) { CHECK_OK(run(be_told_once, NULL)); }

static ka_status wait_for_sleeper(void *argument, void **result) {
  (void)result;
  return ka_task_wait(argument);
}

static ka_status cancel_waiter(void *argument, void **result) {
  (void)argument, (void)result;
  uint64_t pause = 20000000;
  ka_task *sleeper = test_spawn(NULL, sleep_a_while, &pause);
  ka_task *waiter = test_spawn(NULL, wait_for_sleeper, sleeper);
  CHECK_OK(ka_sleep(2000000));
  ka_task_cancel(waiter);
  CHECK_STATUS(ka_task_wait(waiter), KA_ERROR_CANCELLED);
  CHECK(!ka_task_done(sleeper));
  CHECK_OK(ka_task_wait(sleeper));
  ka_task_release(sleeper);
  ka_task_release(waiter);
  return KA_OK;
}

TEST(who_waits_for_a_task_can_be_cancelled_and_the_task_goes_on) {
  CHECK_OK(run(cancel_waiter, NULL));
}

/* ---- Loops ---- */

static ka_status use_loop(void *argument, void **result) {
  (void)argument, (void)result;
  test_call_back(test_called_back);
  return KA_OK;
}

TEST(callbacks_of_the_loop_run_between_tasks) { CHECK_OK(run(use_loop, NULL)); }

static void wait_in_callback(uv_timer_t *timer) {
  ka_task *task = test_spawn(NULL, give_argument, NULL);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("callback of the loop");
  ka_task_release(task);
  test_called_back(timer);
}

static ka_status wait_for_callback(void *argument, void **result) {
  (void)argument, (void)result;
  test_call_back(wait_in_callback);
  return KA_OK;
}

TEST(a_callback_of_the_loop_cannot_wait_for_tasks) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(run(wait_for_callback, NULL));
}

static ka_status leave_timer(void *argument, void **result) {
  (void)argument, (void)result;
  static uv_timer_t timer;
  CHECK_INT(uv_timer_init(ka_task_loop(), &timer), 0);
  CHECK_INT(uv_timer_start(&timer, test_called_back, 3600000, 0), 0);
  return KA_OK;
}

TEST(what_was_left_in_the_loop_does_not_keep_ka_run) { CHECK_OK(run(leave_timer, NULL)); }

static int threads_now(void) {
  int count = 0;
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  while (status && fgets(line, sizeof line, status))
    sscanf(line, "Threads: %d", &count);
  if (status)
    fclose(status);
  return count;
}

static ka_status stay_here(void *argument, void **result) {
  (void)result;
  for (int i = 0; i < 20; i++) {
    CHECK_OK(ka_sleep(200000));
    CHECK(pthread_equal(pthread_self(), *(pthread_t *)argument));
  }
  return KA_OK;
}

TEST(a_program_hosts_tasks_in_its_own_loop_without_another_thread) {
  uv_loop_t loop;
  CHECK_INT(uv_loop_init(&loop), 0);
  CHECK_OK(ka_task_attach_loop(&loop));
  CHECK_STATUS(ka_task_attach_loop(&loop), KA_ERROR_INVALID_ARGUMENT);
  int threads = threads_now();
  pthread_t self = pthread_self();
  ka_task *tasks[10];
  for (int i = 0; i < 10; i++)
    tasks[i] = test_spawn(NULL, stay_here, &self);
  CHECK_STATUS(ka_task_detach_loop(), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("10 tasks");
  CHECK_INT(uv_run(&loop, UV_RUN_DEFAULT), 0); /* until no task lives */
  for (int i = 0; i < 10; i++) {
    CHECK(ka_task_done(tasks[i]));
    ka_task_release(tasks[i]);
  }
  CHECK_INT(threads_now(), threads);
  CHECK_OK(ka_task_detach_loop());
  CHECK_INT(uv_loop_close(&loop), 0);
}

TEST(a_program_hosts_tasks_in_a_poll_loop_of_its_own) {
  uv_loop_t loop;
  CHECK_INT(uv_loop_init(&loop), 0);
  CHECK_OK(ka_task_attach_loop(&loop));
  pthread_t self = pthread_self();
  ka_task *task = test_spawn(NULL, stay_here, &self);
  while (!ka_task_done(task)) {
    struct pollfd wait = {.fd = uv_backend_fd(&loop), .events = POLLIN};
    CHECK(poll(&wait, 1, uv_backend_timeout(&loop)) >= 0);
    uv_run(&loop, UV_RUN_NOWAIT);
  }
  ka_task_release(task);
  CHECK_OK(ka_task_detach_loop());
  CHECK_INT(uv_loop_close(&loop), 0);
}
