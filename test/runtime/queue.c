/* The pool of queues: threads that come and go, and many at once, by a loader that keeps account of
 * what the driver was asked for. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static struct faulty_opencl *cl;
static ka_backend *be;

static void open_counted(void) {
  cl = faulty_opencl_load();
  be = test_backend();
}

static int open_files(void) {
  DIR *folder = opendir("/proc/self/fd");
  CHECK(folder);
  int count = 0;
  while (readdir(folder))
    count++;
  closedir(folder);
  return count;
}

enum { AT_ONCE = 8 };

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { MOST_KILOBYTES = 64 * 1024 }; /* the sanitizer keeps what was freed */
#else
enum { MOST_KILOBYTES = 4 * 1024 };
#endif

static void *come_and_go(void *number) {
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK(p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 10));
  CHECK_OK(ka_fill(be, p + 1, &(int){3}, sizeof(int), 1));
  if ((size_t)number % 2) {
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(p[0], 1);
  }
  CHECK_OK(ka_free(p)); /* every other one ends with work in flight */
  return NULL;
}

/* What is left by threads that ended, and still runs, may keep so many queues busy. */
enum { MOST_LEFT = 16 };

static void some_threads(void) {
  pthread_t threads[AT_ONCE];
  for (size_t t = 0; t < AT_ONCE; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, come_and_go, (void *)t), 0);
  for (int t = 0; t < AT_ONCE; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
}

TEST(a_thousand_threads_leave_nothing) {
  open_counted();
  come_and_go((void *)1);
  for (int i = 0; i < 5; i++)
    some_threads();
  int files = open_files(), kernels = atomic_load(&cl->live.kernels);
  long memory = test_resident_kilobytes();
  for (int i = 0; i < 1000 / AT_ONCE; i++)
    some_threads();
  CHECK_OK(ka_synchronize(be));
  printf("%d queues, %d kernels (%d before), %d files, %ld KB more memory\n",
         atomic_load(&cl->live.queues), atomic_load(&cl->live.kernels), kernels, open_files(),
         test_resident_kilobytes() - memory);
  CHECK(atomic_load(&cl->live.queues) <= AT_ONCE + 1 + MOST_LEFT);
  CHECK(atomic_load(&cl->live.kernels) <= kernels + AT_ONCE);
  CHECK_INT(atomic_load(&cl->live.contexts), 1);
  CHECK_INT(open_files(), files);
  CHECK(test_resident_kilobytes() < memory + MOST_KILOBYTES);
}

/* ---- Work that a thread leaves ---- */

static int *words; /* for a kernel that waits for the host, but not for ever */

static void *leave_waiting_kernel(void *none) {
  CHECK_OK(LAUNCH(be, ka_range(1), meet, words, words + 64, 2000000000, words + 128));
  return none;
}

static void *run_and_wait(void *none) {
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 10));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
  CHECK_OK(ka_free(p));
  return none;
}

static void in_thread(void *(*run)(void *)) {
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, run, NULL), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
}

TEST(what_a_thread_leaves_does_not_delay_the_next) {
  open_counted();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (p.compute_units < 2 || !p.host_atomics)
    test_skip("the device runs one group at a time, or hears nothing from the host meanwhile");
  words = ka_alloc_zeroed(be, 192 * sizeof *words);
  in_thread(leave_waiting_kernel);
  for (int i = 0; i < 5; i++)
    in_thread(run_and_wait);
  CHECK_INT(words[128], 0); /* it still waits */
  __atomic_store_n(&words[64], 1, __ATOMIC_RELEASE);
  CHECK_INT(atomic_load(&cl->live.queues), 2);
  while (!__atomic_load_n(&words[128], __ATOMIC_ACQUIRE))
    sched_yield();
}

/* ---- Many at once ---- */

enum { MANY = 500 };
static pthread_barrier_t all_there;

static void *launch_together(void *place) {
  int *p = place;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 10));
  pthread_barrier_wait(&all_there); /* each has a queue now */
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 10));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 2);
  return NULL;
}

TEST(five_hundred_threads_at_once_have_a_queue_each) {
  open_counted();
  come_and_go((void *)1);
  int *memory = ka_alloc_zeroed(be, (size_t)MANY * 2 * sizeof *memory);
  CHECK_INT(pthread_barrier_init(&all_there, NULL, MANY), 0);
  pthread_attr_t small;
  CHECK_INT(pthread_attr_init(&small), 0);
  CHECK_INT(pthread_attr_setstacksize(&small, 256 * 1024), 0);
  pthread_t threads[MANY];
  for (int t = 0; t < MANY; t++)
    CHECK_INT(pthread_create(&threads[t], &small, launch_together, memory + (size_t)2 * t), 0);
  for (int t = 0; t < MANY; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  CHECK_INT(atomic_load(&cl->live.queues), MANY + 1);
  CHECK_OK(ka_free(memory));
}

/* A thread's own launches run in order, whatever runs beside them. */
static void *append(void *memory) {
  int *p = memory;
  for (int i = 0; i < 200; i++) {
    CHECK_OK(ka_fill(be, p, &i, sizeof i, 1));
    CHECK_OK(ka_copy(be, p + 1 + i, p, sizeof i));
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p + 202, 10));
  }
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 200; i++)
    CHECK_INT(p[1 + i], i);
  CHECK_INT(p[202], 200);
  return NULL;
}

TEST(each_queue_is_in_order) {
  open_counted();
  pthread_t threads[AT_ONCE];
  for (int t = 0; t < AT_ONCE; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, append, ka_alloc_zeroed(be, 204 * sizeof(int))), 0);
  for (int t = 0; t < AT_ONCE; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
}
