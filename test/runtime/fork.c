/* fork(): a child of a program that has used ka is refused with a clear error until it calls exec;
 * a program that forks before it uses ka has no such child. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static ka_backend *be;
static int *p; /* of the parent's ka_alloc */
static ka_kernel *handle;
static ka_event *event;
static int host[2]; /* the child sees a copy */

static void use_ka(void) {
  be = test_backend();
  p = ka_alloc_zeroed(be, 2 * sizeof *p);
  handle = ka__kernel_of(be, test_kernel(K_slow));
  CHECK(p && handle);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 0));
  CHECK_OK(ka_record_event(be, &event));
  CHECK_OK(ka_synchronize(be));
  p[0] = 1;
}

#define CHECK_REFUSED(call, name)                                                                  \
  (CHECK_STATUS(call, KA_ERROR_NO_DEVICE), CHECK_MESSAGE(name, "fork()", "exec"))

static void no_call(ka_event *passed, void *argument) {
  (void)passed, (void)argument;
  abort();
}

/* What takes a lock or calls a driver. */
static void expect_refusals(void) {
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("ka_default_backend", "fork()", "exec");
  CHECK(!ka_backend_open("opencl"));
  CHECK_MESSAGE("ka_backend_open", "fork()");
  CHECK(!ka_alloc(be, 100));
  CHECK_MESSAGE("ka_alloc", "fork()");
  CHECK(!ka_alloc_zeroed(be, 100));
  CHECK_MESSAGE("ka_alloc_zeroed", "fork()");
  CHECK(!ka_alloc_device(be, 100));
  CHECK_MESSAGE("ka_alloc_device", "fork()");
  CHECK_REFUSED(LAUNCH(be, ka_range(1), slow, p, 1), "ka_launch");
  CHECK_REFUSED(LAUNCH(be, ka_range(1), saxpy, 1.0f, NULL, NULL), "ka_launch"); /* never built */
  CHECK(!ka__kernel_of(be, test_kernel(K_slow)));
  CHECK_MESSAGE("ka_kernel_of", "fork()");
  ka_kernel_properties properties;
  CHECK_REFUSED(ka_kernel_info(handle, &properties), "ka_kernel_info");
  struct args_slow args = {p, 1};
  CHECK_REFUSED(ka__launch_packed(handle, ka_range(1), &args, sizeof args), "ka_launch_tuple");
  CHECK_REFUSED(ka_copy(be, host, p, sizeof host), "ka_copy");
  CHECK_REFUSED(ka_fill(be, p, &(int){0}, sizeof(int), 2), "ka_fill");
  CHECK_REFUSED(ka_pagelock(be, host, sizeof host), "ka_pagelock");
  CHECK_REFUSED(ka_pageunlock(be, host), "ka_pageunlock");
  CHECK_REFUSED(ka_synchronize(be), "ka_synchronize");
  ka_event *none;
  int64_t time;
  CHECK_REFUSED(ka_record_event(be, &none), "ka_record_event");
  CHECK(!none);
  CHECK_REFUSED(ka_wait_event(be, event), "ka_wait_event");
  CHECK_REFUSED(ka_event_wait(event), "ka_event_wait");
  CHECK_REFUSED(ka_event_elapsed(event, event, &time), "ka_event_elapsed");
  CHECK_REFUSED(ka_event_on_complete(event, no_call, NULL), "ka_event_on_complete");
  CHECK_INT(ka_event_fd(event), -1);
  CHECK_MESSAGE("ka_event_fd", "fork()");
  CHECK_REFUSED(ka_priority(be, KA_PRIORITY_HIGH), "ka_priority");
  CHECK_REFUSED(ka_free(p), "ka_free");
  CHECK(!ka_backend_of(p));
  CHECK_INT(ka_memory_kind_of(p), KA_MEMORY_HOST);
  CHECK(!ka_allocation_of(p, NULL, NULL));
  CHECK_OK(ka_free(NULL));
}

/* What is only looked up still answers. */
static void look_up(void) {
  ka_device_properties info;
  CHECK_STRING(ka_backend_name(be), "opencl");
  CHECK_OK(ka_device_info(be, 0, &info));
  CHECK(ka_num_devices(be) >= 1);
  CHECK_OK(ka_set_device(be, 0));
  CHECK_INT(ka_get_device(be), 0);
  CHECK(ka_event_query(event));
  ka_event_release(event);
}

static void check_child(void (*run)(void)) {
  char text[1000];
  int status = test_in_child(run, text, sizeof text);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || *text)
    test_fail(__FILE__, __LINE__, "the child ended with wait status %#x: %s", (unsigned)status,
              text);
}

/* Neither the child nor its end disturbs the parent. */
static void check_parent(void) {
  int before = p[0];
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], before + 1);
}

TEST(every_call_in_a_child_is_refused) {
  use_ka();
  check_child(expect_refusals);
  check_parent();
}

TEST(a_child_may_look_up_devices) {
  use_ka();
  check_child(look_up);
  check_parent();
}

static void do_nothing(void) {}

TEST(a_child_may_just_exit) {
  use_ka();
  for (int i = 0; i < 20; i++)
    check_child(do_nothing);
  check_parent();
}

/* The kernel waits for the host, but not for ever. */
TEST(a_child_may_exit_while_the_parents_kernel_runs) {
  use_ka();
  ka_device_properties info;
  CHECK_OK(ka_device_info(be, 0, &info));
  if (!info.host_atomics)
    test_skip("the host cannot tell a running kernel anything");
  int *words = ka_alloc_zeroed(be, 192 * sizeof *words);
  int *running = words, *go = words + 64, *met = words + 128;
  CHECK_OK(LAUNCH(be, ka_range(1), meet, running, go, 2000000000, met));
  while (!__atomic_load_n(running, __ATOMIC_ACQUIRE))
    sched_yield();
  check_child(do_nothing);
  __atomic_store_n(go, 1, __ATOMIC_RELEASE);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*met, 1);
  check_parent();
}

static void fork_again(void) { check_child(expect_refusals); }

TEST(a_grandchild_is_refused_too) {
  use_ka();
  check_child(fork_again);
}

static void *refusals_in_thread(void *none) {
  expect_refusals();
  return none;
}

/* A thread that ends gives back its queues, which here are the parent's. */
static void *fork_in_thread(void *none) {
  use_ka();
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    expect_refusals();
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, refusals_in_thread, NULL), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    pthread_exit(NULL); /* the last thread of its process, which so ends with status 0 */
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  return none;
}

TEST(threads_of_a_child_may_end) {
#if __has_feature(thread_sanitizer)
  test_skip("ThreadSanitizer does not bear threads in a child of a program with threads");
#endif
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, fork_in_thread, NULL), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  check_parent();
}

static void unload(void) {
  ka__module_unregister(test_kernel(K_slow)->module);
  ka__module_register(test_kernel(K_slow)->module);
  expect_refusals();
}

TEST(a_library_may_be_unloaded_in_a_child) {
  use_ka();
  check_child(unload);
  check_parent();
}

/* ---- Forks while other threads are inside libka, with its locks held ---- */

static _Atomic bool stop;

static void *keep_busy(void *none) {
  while (!atomic_load(&stop)) {
    CHECK(ka_backend_open("opencl"));
    int *q = ka_alloc_zeroed(be, 2 * sizeof *q);
    CHECK(q);
    CHECK_OK(LAUNCH(be, ka_range(1), slow, q, 10));
    CHECK_OK(ka_fill(be, q + 1, &(int){3}, sizeof(int), 1));
    CHECK_OK(ka_free(q));
    CHECK_OK(ka_synchronize(be));
  }
  return none;
}

TEST(children_of_a_busy_parent_are_refused) {
  use_ka();
  pthread_t threads[3];
  for (int t = 0; t < 3; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, keep_busy, NULL), 0);
  for (int i = 0; i < 25; i++)
    check_child(expect_refusals);
  atomic_store(&stop, true);
  for (int t = 0; t < 3; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  check_parent();
}

/* ---- exec, and forks before ka is used ---- */

TEST(a_program_uses_ka) { use_ka(); }

static void become_another_program(void) {
  expect_refusals();
  execl("/proc/self/exe", "fork", "a_program_uses_ka", (char *)NULL);
  test_fail(__FILE__, __LINE__, "exec failed");
}

TEST(a_child_may_use_ka_after_exec) {
  use_ka();
  check_child(become_another_program);
  check_parent();
}

TEST(a_child_may_use_ka_if_the_parent_has_not) {
  check_child(use_ka);
  check_child(use_ka);
  use_ka();
  check_child(expect_refusals);
  check_parent();
}

TEST(spawning_programs_is_no_fork) {
  use_ka();
  CHECK_INT(system("true"), 0);
  check_parent();
}
