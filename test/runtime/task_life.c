/* The life of a process that has tasks: fork(), exit() at any time and anywhere, and settings of
 * the environment. Each end happens in a child process. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static ka_status nothing(void *argument, void **result) {
  *result = argument;
  return KA_OK;
}

static ka_status sleep_long(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_sleep(3600000000000);
}

/* Ends with this status and prints nothing. */
static void check_end(void (*run)(void), int times, int code) {
  char text[1000];
  for (int i = 0; i < times; i++) {
    int status = test_in_child(run, text, sizeof text);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code || *text)
      test_fail(__FILE__, __LINE__, "time %d: wait status %#x: %s", i, (unsigned)status, text);
  }
}

/* ---- fork ---- */

static ka_task *of_parent, *ended_in_parent;

static void expect_refusals(void) {
  CHECK(!ka_spawn(NULL, nothing, NULL));
  CHECK_MESSAGE("ka_spawn", "fork()", "exec");
  CHECK_STATUS(ka_run(nothing, NULL), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("fork()", "exec");
  CHECK_STATUS(ka_task_wait(of_parent), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("fork()");
  CHECK(!ka_task_done(of_parent));
  ka_task_cancel(of_parent);
  ka_task_release(of_parent);
  /* What was known before is known still. */
  void *result;
  CHECK_OK(ka_task_fetch(ended_in_parent, &result));
  CHECK(result == &of_parent);
  ka_yield();
}

static void make_tasks(void) {
  ended_in_parent = test_spawn(NULL, nothing, &of_parent);
  CHECK_OK(ka_task_wait(ended_in_parent));
  of_parent = test_spawn(NULL, sleep_long, NULL);
}

static void end_tasks(void) {
  ka_task_cancel(of_parent);
  CHECK_STATUS(ka_task_wait(of_parent), KA_ERROR_CANCELLED);
  ka_task_release(of_parent);
  ka_task_release(ended_in_parent);
}

TEST(a_child_made_by_fork_is_refused_tasks) {
  make_tasks();
  check_end(expect_refusals, 5, 0);
  end_tasks();
  test_wait_and_release(test_spawn(NULL, nothing, NULL));
}

static sem_t begun, forked;
static _Atomic bool holds;

/* In place of the system's: libka-task calls it while it prepares for its first task. */
__attribute__((visibility("default"))) int timerfd_create(int clock, int flags) {
  if (atomic_exchange(&holds, false)) {
    CHECK_INT(sem_post(&begun), 0);
    while (sem_wait(&forked) != 0)
      ;
  }
  return (int)syscall(SYS_timerfd_create, clock, flags);
}

static void *spawn_first(void *argument) {
  test_wait_and_release(test_spawn(NULL, nothing, argument));
  return NULL;
}

static void spawn_in_child(void) {
  alarm(20); /* nobody else would end it */
  spawn_first(NULL);
}

TEST(a_child_forked_while_another_thread_makes_the_first_task_has_tasks_of_its_own) {
#if __has_feature(thread_sanitizer)
  test_skip("ThreadSanitizer allows no new threads in the child of a program with several");
#endif
  CHECK_INT(sem_init(&begun, 0, 0) | sem_init(&forked, 0, 0), 0);
  atomic_store(&holds, true);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, spawn_first, NULL), 0);
  while (sem_wait(&begun) != 0)
    ;
  check_end(spawn_in_child, 2, 0);
  CHECK_INT(sem_post(&forked), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  make_tasks();
  check_end(expect_refusals, 1, 0);
  end_tasks();
}

static ka_status fork_here(void *argument, void **result) {
  (void)argument, (void)result;
  make_tasks();
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    CHECK_STATUS(ka_sleep(1000), KA_ERROR_NO_DEVICE);
    CHECK_MESSAGE("fork()");
    expect_refusals();
    _exit(0);
  }
  int status;
  CHECK_INT(waitpid(child, &status, 0), child);
  CHECK_INT(status, 0);
  end_tasks();
  return KA_OK;
}

TEST(a_child_forked_in_a_task_is_refused_too) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(fork_here, NULL));
}

static ka_status fork_and_return(void *argument, void **result) {
  (void)argument, (void)result;
  of_parent = test_spawn(NULL, sleep_long, NULL);
  ka_yield();
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    return KA_OK;
  int status;
  CHECK_INT(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), EXIT_FAILURE);
  ka_task_cancel(of_parent);
  ka_task_wait(of_parent);
  ka_task_release(of_parent);
  return KA_OK;
}

/* The child must not go on as a second scheduler. */
static void run_and_fork(void) { CHECK_OK(ka_run(fork_and_return, NULL)); }

TEST(a_task_that_returns_in_a_forked_child_ends_it_with_a_message) {
  char text[1000];
  int status = test_in_child(run_and_fork, text, sizeof text);
  CHECK_INT(status, 0);
  CHECK_CONTAINS(text, "returned in a child made by fork()", "exec");
}

static void use_tasks(void) { test_wait_and_release(test_spawn(NULL, nothing, NULL)); }

TEST(a_child_has_tasks_if_its_parent_had_none) { check_end(use_tasks, 3, 0); }

/* ---- exit ---- */

static ka_backend *be;
static uint64_t rounds;
static _Atomic int at_work;
static int *last;

static ka_status work_for_ever(void *argument, void **result) {
  (void)argument, (void)result;
  for (;;) {
    int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
    ka_status status = p ? LAUNCH(be, ka_range(1), slow, p, rounds) : KA_ERROR_NO_DEVICE;
    if (status == KA_OK)
      status = ka_synchronize(be);
    ka_free(p);
    if (status != KA_OK) {
      CHECK_MESSAGE("the program is ending");
      return status;
    }
    atomic_fetch_add(&at_work, 1);
    ka_yield();
  }
}

static ka_status exit_here(void *argument, void **result) {
  (void)argument, (void)result;
  while (atomic_load(&at_work) < 8)
    ka_sleep(100000);
  last = ka_alloc_zeroed(be, 2 * sizeof *last);
  CHECK(last);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, last, 50 * rounds));
  exit(7);
}

/* Runs after libka's exit function, which waits for all that has been launched. */
static void check_last(void) {
  if (last && *last != 1)
    _exit(8);
}

static void start_work(void) {
  atexit(check_last);
  be = test_backend();
  rounds = test_slow_rounds(be, 1);
  for (int i = 0; i < 4; i++)
    ka_task_release(test_spawn(be, work_for_ever, NULL));
  for (int i = 0; i < 4; i++)
    ka_task_release(test_spawn(NULL, sleep_long, NULL));
}

static void exit_in_task(void) {
  start_work();
  ka_task_wait(test_spawn(be, exit_here, NULL));
}

TEST(exit_in_a_task_while_others_work) { check_end(exit_in_task, 5, 7); }

static ka_status start_and_exit(void *argument, void **result) {
  start_work(); /* it is the first to use a device */
  return exit_here(argument, result);
}

static void exit_in_ka_run(void) {
  setenv("KA_TASK_THREADS", "1", 1);
  ka_run(start_and_exit, NULL);
}

TEST(exit_in_ka_run_on_one_thread) { check_end(exit_in_ka_run, 5, 7); }

static void *exit_in_thread(void *none) {
  while (atomic_load(&at_work) < 8)
    sched_yield();
  exit(7);
  return none;
}

static void exit_beside_tasks(void) {
  start_work();
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, exit_in_thread, NULL), 0);
  ka_task_wait(test_spawn(NULL, sleep_long, NULL));
}

TEST(exit_in_a_thread_while_tasks_work_and_wait) { check_end(exit_beside_tasks, 5, 7); }

static void return_beside_tasks(void) {
  start_work();
  while (atomic_load(&at_work) < 8)
    sched_yield();
}

TEST(main_returns_while_tasks_work_and_wait) { check_end(return_beside_tasks, 5, 0); }

/* ---- Settings ---- */

static ka_status use_bytes(void *argument, void **result) {
  (void)result;
  size_t bytes = *(size_t *)argument;
  volatile char *buffer = __builtin_alloca(bytes);
  for (size_t i = 0; i < bytes; i += 4096)
    buffer[i] = (char)i;
  return KA_OK;
}

TEST(the_environment_gives_the_size_of_stacks) {
  setenv("KA_TASK_STACK", "4194304", 1);
  size_t bytes = 4000000;
  test_wait_and_release(test_spawn(NULL, use_bytes, &bytes));
}

static void refuse_stack(void) {
  CHECK(!ka_spawn(NULL, nothing, NULL));
  CHECK_MESSAGE("KA_TASK_STACK", getenv("KA_TASK_STACK"), "16384");
  CHECK_STATUS(ka_run(nothing, NULL), KA_ERROR_INVALID_ARGUMENT);
}

TEST(a_wrong_size_of_stacks_is_refused) {
  static const char *const wrong[] = {"1M", "16383", "-1", "x", "99999999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    setenv("KA_TASK_STACK", wrong[i], 1);
    check_end(refuse_stack, 1, 0);
  }
}

/* ---- Faults: the program's handler runs, whichever thread made it ---- */

static void end_with_seven(int number) {
  (void)number;
  _exit(7);
}

static ka_status touch_nothing(void *none) {
  (void)none;
  *(volatile int *)8 = 1;
  return KA_OK;
}

static ka_status fault_in_task(void *argument, void **result) {
  (void)result;
  return touch_nothing(argument);
}

static ka_status fault_in_worker(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_cooperative_wait(&(ka_wait_ops){.wait = touch_nothing}, NULL);
}

static void fault_with_handler(ka_task_function *function) {
  signal(SIGSEGV, end_with_seven);
  CHECK_OK(ka_task_wait(test_spawn(NULL, function, NULL)));
}

static void fault_on_a_scheduler_thread(void) { fault_with_handler(fault_in_task); }
static void fault_on_a_worker_thread(void) { fault_with_handler(fault_in_worker); }

TEST(a_handler_of_faults_runs_on_scheduler_and_worker_threads) {
  check_end(fault_on_a_scheduler_thread, 1, 7);
  check_end(fault_on_a_worker_thread, 1, 7);
}
