/* The end of the program, of every kind, with work in flight. Each end happens in a child, whose
 * status and output are looked at. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
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

/* ---- The main thread alone ---- */

static void exit_at_once(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
}

static void exit_while_kernels_run(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  for (int i = 0; i < 50; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 2000000));
  CHECK_OK(ka_free(p));
  exit(0);
}

static void *kept_for_exit;

static void use_at_exit(void) {
  /* Registered before libka's own function, so it runs after it. */
  ka_backend *be = ka_default_backend();
  CHECK_OK(ka_free(kept_for_exit));
  CHECK(!ka_alloc(be, 100));
  CHECK_MESSAGE("the program is ending");
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("the program is ending");
}

static void exit_with_functions(void) {
  atexit(use_at_exit);
  kept_for_exit = ka_alloc(test_backend(), 100);
  exit_at_once();
}

static void unregister_at_exit(void) {
  struct ka__module *module = test_kernel(K_slow)->module;
  ka__module_unregister(module);
}

static void exit_with_destructors(void) {
  atexit(unregister_at_exit); /* as a destructor of the program does */
  exit_while_kernels_run();
}

static int *shared; /* with the parent process */

static void exit_with_shared_memory(void) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  for (int i = 0; p.host_pointers && i < 10; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, shared, 5000000));
  if (!p.host_pointers)
    shared[0] = -1;
}

TEST(exit_waits_for_kernels) {
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  CHECK_INT(test_in_child(exit_with_shared_memory, NULL, 0), 0);
  if (shared[0] == -1)
    test_skip("the device cannot use host memory");
  CHECK_INT(shared[0], 10);
}

TEST(exits_without_synchronising) { check_end(exit_at_once, 5, 0, ""); }
TEST(exits_while_kernels_run) { check_end(exit_while_kernels_run, 5, 0, ""); }
TEST(exits_with_functions_that_use_memory) { check_end(exit_with_functions, 5, 0, ""); }
TEST(exits_with_destructors_of_modules) { check_end(exit_with_destructors, 5, 0, ""); }

/* ---- Failures that nobody has asked for ---- */

static void launch_failing(ka_backend *be) {
  CHECK_OK(LAUNCH(be, ka_range(10), picky, (int *)ka_alloc(be, 10 * sizeof(int)), 7));
}

static void exit_after_failure(void) { launch_failing(test_backend()); }

static void exit_after_failure_that_was_told(void) {
  ka_backend *be = test_backend();
  launch_failing(be);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
}

static void exit_after_failure_that_an_event_told(void) {
  ka_backend *be = test_backend();
  launch_failing(be);
  ka_event *event;
  CHECK_OK(ka_record_event(be, &event));
  CHECK_STATUS(ka_event_wait(event), KA_ERROR_KERNEL_TRAP);
  ka_event_release(event);
}

TEST(a_failure_that_nobody_asked_for_is_told_at_exit) {
  char text[1000];
  CHECK_INT(test_in_child(exit_after_failure, text, sizeof text), 0);
  CHECK(strstr(text, "ka_synchronize"));
  CHECK(strstr(text, "kernel 'picky'"));
  check_end(exit_after_failure_that_was_told, 1, 0, "");
  check_end(exit_after_failure_that_an_event_told, 1, 0, "");
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
  CHECK_CONTAINS(text, "exit.c", "ka_set_device(be, 1000)", "KA_ERROR_NO_DEVICE");
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
  CHECK_CONTAINS(text, "KA_BACKEND=\"opencl:99\"", "no such device",
                 "ka_synchronize: the backend is NULL");
}
