/* The life of a process around ka: ends of every kind with work in flight, signals, cancelled
 * threads. Each end happens in a child, whose status and output are looked at. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4 };

/* Runs it in a child several times: it must end with this status, and print this to stderr. */
static void check_end(void (*run)(void), int times, int expected, const char *output) {
  char text[1000];
  for (int i = 0; i < times; i++) {
    int status = test_in_child(run, text, sizeof text);
    if (status != expected || strcmp(text, output) != 0)
      test_fail(__FILE__, __LINE__, "time %d: wait status %#x, expected %#x; output: %s", i,
                (unsigned)status, (unsigned)expected, text);
  }
}

static void launch_much(ka_backend *be) {
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK(p);
  for (int i = 0; i < 20; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1000000));
  CHECK_OK(ka_free(p));
}

/* ---- Other threads at work while the program ends ---- */

static _Atomic int at_work;

static void wait_for_work(int threads) {
  while (atomic_load(&at_work) < threads)
    sched_yield();
}

/* Whether the call went well or was refused because the program is ending. */
static bool went_well(ka_status status) {
  if (status == KA_OK)
    return true;
  CHECK_STATUS(status, KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("the program is ending");
  return false;
}

static void *use_for_ever(void *rounds) {
  ka_backend *be = ka_default_backend();
  for (bool first = true;; first = false) {
    int *p = ka_alloc(be, 2 * sizeof *p);
    if (!p && !went_well(KA_ERROR_NO_DEVICE))
      continue;
    went_well(LAUNCH(be, ka_range(1), slow, p, *(uint64_t *)rounds));
    went_well(ka_fill(be, p + 1, &(int){3}, sizeof(int), 1));
    went_well(ka_synchronize(be));
    CHECK_OK(ka_free(p));
    if (first)
      atomic_fetch_add(&at_work, 1);
  }
  return NULL;
}

static void start_threads(void *(*run)(void *), void *argument, int count) {
  for (int t = 0; t < count; t++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, run, argument), 0);
    CHECK_INT(pthread_detach(thread), 0);
  }
}

static void return_beside_short_kernels(void) {
  static uint64_t rounds = 10;
  test_backend();
  start_threads(use_for_ever, &rounds, THREADS);
  wait_for_work(THREADS);
}

TEST(main_returns_while_threads_launch_short_kernels) {
  check_end(return_beside_short_kernels, 15, 0, "");
}

static void return_beside_long_kernels(void) {
  static uint64_t rounds = 5000000;
  test_backend();
  start_threads(use_for_ever, &rounds, THREADS);
  wait_for_work(THREADS);
}

TEST(main_returns_while_threads_wait) { check_end(return_beside_long_kernels, 5, 0, ""); }

/* Modules come and go, and each is built anew. */
static void *build_for_ever(void *none) {
  ka_backend *be = ka_default_backend();
  for (;;) {
    struct written_module module;
    module_create(&module, test_kernel_specs, K_COUNT, test_spirv,
                  (size_t)(test_spirv_end - test_spirv));
    went_well(ka__launch(be, ka_range(1), &module.kernels[K_empty], NULL, 0));
    atomic_fetch_add(&at_work, 1);
    ka__module_unregister(&module.module);
    while (module.module.state) /* the program is ending: what was built stays */
      pause();
    module_release(&module);
  }
  return none;
}

static void return_beside_builds(void) {
  test_backend();
  start_threads(build_for_ever, NULL, 2);
  wait_for_work(2);
}

TEST(main_returns_while_threads_build) { check_end(return_beside_builds, 10, 0, ""); }

static void *open_first(void *none) {
  ka_backend *be = ka_default_backend();
  if (be)
    went_well(ka_synchronize(be));
  return none;
}

/* Registered before libka's own function, so it runs after it, and the start is over by then. */
static void expect_driver(void) { CHECK(ka_default_backend()); }

static void return_beside_first_use(void) {
  CHECK_INT(atexit(expect_driver), 0);
  const struct faulty_entry *entry = faulty_opencl_find("faulty_opencl_entries");
  while (strcmp(entry->name, "clGetDeviceIDs") != 0)
    entry++;
  start_threads(open_first, NULL, 1);
  while (atomic_load(&entry->calls) == 0)
    sched_yield();
}

/* Its libraries are there, and it is being initialised. */
TEST(main_returns_while_a_thread_starts_the_driver) {
  check_end(return_beside_first_use, 10, 0, "");
}

static void *exit_in_thread(void *none) {
  wait_for_work(1);
  exit(3);
  return none;
}

static void wait_while_a_thread_exits(void) {
  static uint64_t rounds = 3000000;
  test_backend();
  start_threads(exit_in_thread, NULL, 1);
  use_for_ever(&rounds);
}

TEST(a_thread_exits_while_main_waits) { check_end(wait_while_a_thread_exits, 5, 3 << 8, ""); }

static void *launch_and_end(void *none) {
  launch_much(ka_default_backend());
  return none;
}

static void return_after_threads(void) {
  test_backend();
  for (int t = 0; t < THREADS; t++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, launch_and_end, NULL), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
}

TEST(main_returns_after_threads_that_left_work) { check_end(return_after_threads, 5, 0, ""); }

/* ---- Static destructors, and ends without exit functions ---- */

static ka_backend *kept_backend;
static int *kept;

__attribute__((destructor)) static void use_in_destructor(void) {
  if (!kept)
    return;
  /* Runs after libka's exit function. */
  CHECK_STATUS(LAUNCH(kept_backend, ka_range(1), slow, kept, 1), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("ka_launch", "the program is ending");
  CHECK_STATUS(ka_copy(kept_backend, kept, kept + 1, 4), KA_ERROR_NO_DEVICE);
  CHECK_STATUS(ka_synchronize(kept_backend), KA_ERROR_NO_DEVICE);
  CHECK(!ka_alloc(kept_backend, 4));
  CHECK_INT(kept[0], 20);
  CHECK_OK(ka_free(kept));
  CHECK_STATUS(ka_free(kept), KA_ERROR_INVALID_POINTER);
}

static void keep_for_destructor(void) {
  kept_backend = test_backend();
  kept = ka_alloc_zeroed(kept_backend, 2 * sizeof *kept);
  for (int i = 0; i < 20; i++)
    CHECK_OK(LAUNCH(kept_backend, ka_range(1), slow, kept, 1000000));
}

TEST(destructors_find_results_and_free_memory) { check_end(keep_for_destructor, 5, 0, ""); }

static void print_and_return(void) {
  CHECK(dup2(STDERR_FILENO, STDOUT_FILENO) >= 0);
  setvbuf(stdout, NULL, _IOFBF, 4096);
  printf("buffered ");
  launch_much(test_backend());
  printf("until the end");
}

TEST(what_was_printed_comes_out) { check_end(print_and_return, 3, 0, "buffered until the end"); }

static void leave_by_exit_(void) {
  launch_much(test_backend());
  _exit(4);
}

TEST(leaves_by__exit_at_once) { check_end(leave_by_exit_, 5, 4 << 8, ""); }

static void leave_by_quick_exit(void) {
  launch_much(test_backend());
  quick_exit(5);
}

TEST(leaves_by_quick_exit) { check_end(leave_by_quick_exit, 5, 5 << 8, ""); }

static void leave_by_abort(void) {
  launch_much(test_backend());
  abort();
}

TEST(leaves_by_abort) { check_end(leave_by_abort, 5, SIGABRT, ""); }

static void leave_by_signal(void) {
  launch_much(test_backend());
  raise(SIGTERM);
}

TEST(leaves_by_a_signal) { check_end(leave_by_signal, 5, SIGTERM, ""); }

static void leave_by_failed_check(void) {
  ka_backend *be = test_backend();
  launch_much(be);
  KA_CHECK(ka_set_device(be, 1000));
}

TEST(leaves_by_a_failed_check) {
  char text[1000];
  CHECK_INT(test_in_child(leave_by_failed_check, text, sizeof text), 1 << 8);
  CHECK_CONTAINS(text, "process_life.c", "ka_set_device(be, 1000)", "KA_ERROR_NO_DEVICE");
}

static void start_with_wrong_variable(void) {
  setenv("KA_BACKEND", "opencl:99", 1);
  ka_backend *be = ka_default_backend();
  CHECK(!be);
  fprintf(stderr, "%s\n", ka_error_message());
  KA_CHECK(ka_synchronize(be));
}

TEST(a_wrong_variable_ends_a_checked_program) {
  char text[2000];
  CHECK_INT(test_in_child(start_with_wrong_variable, text, sizeof text), 1 << 8);
  CHECK_CONTAINS(text, "KA_BACKEND=\"opencl:99\"", "no such device", "the backend is NULL");
}

/* ---- Signals ---- */

static _Atomic int alarms;

static void count_alarm(int number) {
  (void)number;
  atomic_fetch_add(&alarms, 1);
}

/* System calls are interrupted and not restarted. */
static void start_timer(void) {
  struct sigaction action = {.sa_handler = count_alarm};
  CHECK_INT(sigaction(SIGALRM, &action, NULL), 0);
  const struct itimerval often = {{0, 500}, {0, 500}};
  CHECK_INT(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void stop_timer(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  CHECK_INT(setitimer(ITIMER_REAL, &never, NULL), 0);
  printf("%d alarms\n", atomic_load(&alarms));
  CHECK(atomic_load(&alarms) > 10);
}

/* Loads the driver and launches a kernel that no cache holds. */
static void start_cold(void) {
  char folder[] = "/tmp/ka-test-cache-XXXXXX", command[100];
  CHECK(mkdtemp(folder));
  setenv("POCL_CACHE_DIR", folder, 1);
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK(p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_INT(system(command), 0);
}

TEST(signals_do_not_disturb_a_start) {
  start_timer();
  start_cold();
  stop_timer();
}

/* As servers do that do not want to hear of their children. PoCL would abort. */
TEST(a_build_is_refused_while_the_ends_of_children_are_ignored) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  const struct sigaction ways[] = {{.sa_handler = SIG_IGN},
                                   {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT}};
  for (int i = 0; i < 2; i++) {
    CHECK_INT(sigaction(SIGCHLD, &ways[i], NULL), 0);
    CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_BUILD_FAILED);
    CHECK_MESSAGE("kernel 'slow'", "SIGCHLD", "signal(SIGCHLD, SIG_DFL)");
  }
  CHECK(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR); /* what is built may be launched */
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 2);
}

TEST(starts_without_an_environment) {
  CHECK_INT(clearenv(), 0);
  start_cold();
}

static ka_backend *start_and_launch(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(ka_free(p));
  return be;
}

/* The program blocks it after the driver has started its threads, and waits for it. */
TEST(a_signal_that_is_waited_for_does_not_end_in_the_driver) {
  start_and_launch();
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  for (int i = 0; i < 100; i++) {
    CHECK_INT(kill(getpid(), SIGUSR1), 0);
    CHECK_INT(sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = 20}), SIGUSR1);
  }
}

TEST(the_programs_signal_mask_is_left_alone) {
  sigset_t before, after;
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  CHECK_INT(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
  start_and_launch();
  CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &after), 0);
  for (int number = 1; number < SIGRTMIN; number++)
    CHECK_INT(sigismember(&after, number), number == SIGUSR2);
}

TEST(signals_do_not_disturb_waits) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p), host[2] = {0};
  uint64_t rounds = test_slow_rounds(be, 50);
  start_timer();
  for (int i = 1; i <= 10; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
    CHECK_OK(ka_copy(be, host, p, sizeof host));
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(host[0], i);
  }
  /* More than fit in the queue: ka_launch waits too. */
  for (int i = 0; i < 3000; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1000));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 3010);
  stop_timer();
}

/* ---- Cancelled threads ---- */

static int *shared;
static uint64_t shared_rounds;
static _Atomic bool was_cancelled_inside;

static void note_cancel(void *none) {
  (void)none;
  /* Everything that was waited for is done: the call was not left half-way. */
  atomic_store(&was_cancelled_inside, shared[0] % 2 != 0);
}

static void *wait_and_be_cancelled(void *be) {
  pthread_cleanup_push(note_cancel, NULL);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, shared, shared_rounds));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, shared, shared_rounds));
  atomic_store(&at_work, 1);
  CHECK_OK(ka_synchronize(be));
  for (;;)
    pthread_testcancel();
  pthread_cleanup_pop(0);
  return NULL;
}

/* The request stands until the call has returned, and the driver is left in order. */
TEST(a_cancelled_thread_first_finishes_its_call) {
  ka_backend *be = test_backend();
  shared_rounds = test_slow_rounds(be, 40);
  shared = ka_alloc_zeroed(be, 2 * sizeof *shared);
  for (int i = 1; i <= 5; i++) {
    atomic_store(&at_work, 0);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, wait_and_be_cancelled, be), 0);
    wait_for_work(1);
    CHECK_INT(pthread_cancel(thread), 0);
    void *result;
    CHECK_INT(pthread_join(thread, &result), 0);
    CHECK(result == PTHREAD_CANCELED);
    CHECK(!atomic_load(&was_cancelled_inside));
    CHECK_INT(shared[0], 2 * i);
    CHECK_OK(ka_synchronize(be));
  }
}
