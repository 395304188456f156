/* Many threads at once, and threads that are cancelled. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 8 };

static void in_threads(void *(*run)(void *), void *arguments, size_t bytes) {
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, run, (char *)arguments + (size_t)t * bytes), 0);
  for (int t = 0; t < THREADS; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
}

struct job {
  ka_backend *be;
  unsigned number;
};

static pthread_barrier_t all_there;

static void *start_together(void *argument) {
  const struct job *job = argument;
  float *x = malloc(100 * sizeof *x), *y = malloc(100 * sizeof *y);
  CHECK(x && y);
  for (int i = 0; i < 100; i++) {
    x[i] = (float)i;
    y[i] = (float)job->number;
  }
  pthread_barrier_wait(&all_there);
  ka_backend *be = ka_default_backend();
  CHECK(be);
  float *dx = ka_alloc(be, 100 * sizeof *x), *dy = ka_alloc(be, 100 * sizeof *y);
  CHECK(dx && dy);
  CHECK_OK(ka_copy(be, dx, x, 100 * sizeof *x));
  CHECK_OK(ka_copy(be, dy, y, 100 * sizeof *y));
  CHECK_OK(LAUNCH(be, ka_range(100), saxpy, 2.0f, dx, dy));
  CHECK_OK(ka_copy(be, y, dy, 100 * sizeof *y));
  CHECK_OK(ka_free(dx));
  CHECK_OK(ka_free(dy));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 100; i++)
    CHECK_INT(y[i], 2 * i + (int)job->number);
  free(x);
  free(y);
  return NULL;
}

/* Loading the driver, reading the bundle and building the kernel, all for the first time. */
TEST(the_first_launches_come_together) {
  CHECK_INT(pthread_barrier_init(&all_there, NULL, THREADS), 0);
  struct job jobs[THREADS];
  for (unsigned t = 0; t < THREADS; t++)
    jobs[t] = (struct job){NULL, t};
  in_threads(start_together, jobs, sizeof *jobs);
}

static void *launch_once(void *argument) {
  const struct job *job = argument;
  int *p = ka_alloc_zeroed(job->be, 2 * sizeof *p);
  CHECK(p);
  CHECK_OK(LAUNCH(job->be, ka_range(1), slow, p, 10));
  CHECK_OK(ka_synchronize(job->be));
  CHECK_INT(*p, 1);
  CHECK_OK(ka_free(p));
  return NULL;
}

TEST(threads_come_and_go) {
  struct job jobs[THREADS];
  for (unsigned t = 0; t < THREADS; t++)
    jobs[t] = (struct job){test_backend(), t};
  for (int round = 0; round < 60; round++)
    in_threads(launch_once, jobs, sizeof *jobs);
}

static void *leave_work(void *argument) {
  const struct job *job = argument;
  int *p = ka_alloc_zeroed(job->be, 2 * sizeof *p);
  CHECK(p);
  CHECK_OK(LAUNCH(job->be, ka_range(1), slow, p, 3000000));
  CHECK_OK(ka_free(p));
  return NULL; /* without waiting */
}

TEST(a_thread_may_end_while_its_kernel_runs) {
  struct job job = {test_backend(), 0};
  test_kernel(K_slow);
  for (int round = 0; round < 10; round++) {
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, leave_work, &job), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_OK(ka_synchronize(job.be));
}

static void *free_it(void *pointer) {
  CHECK_OK(ka_free(pointer));
  return NULL;
}

TEST(another_thread_may_free) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 20);
  for (int round = 0; round < 5; round++) {
    int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, free_it, p), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
  }
  CHECK_OK(ka_synchronize(be));
}

static void *allocate_and_free(void *argument) {
  const struct job *job = argument;
  unsigned char *p[50];
  for (int round = 0; round < 40; round++) {
    for (unsigned i = 0; i < 50; i++) {
      p[i] = ka_alloc(job->be, 1 + i);
      CHECK(p[i]);
      memset(p[i], (int)job->number, 1 + i);
    }
    for (unsigned i = 0; i < 50; i++) {
      size_t bytes;
      CHECK(ka_allocation_of(p[i] + i, NULL, &bytes));
      CHECK_INT(bytes, 1 + i);
      CHECK_INT(p[i][i], job->number);
      CHECK_OK(ka_free(p[i]));
    }
  }
  return NULL;
}

TEST(all_may_allocate) {
  struct job jobs[THREADS];
  for (unsigned t = 0; t < THREADS; t++)
    jobs[t] = (struct job){test_backend(), t};
  in_threads(allocate_and_free, jobs, sizeof *jobs);
}

/* ---- Cancelled threads ---- */

static int *shared;
static uint64_t shared_rounds;
static _Atomic bool is_waiting, was_cancelled_inside;

static void note_cancel(void *none) {
  (void)none;
  /* Everything that was waited for is done: the call was not left half-way. */
  atomic_store(&was_cancelled_inside, shared[0] % 2 != 0);
}

static void *wait_and_be_cancelled(void *be) {
  pthread_cleanup_push(note_cancel, NULL);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, shared, shared_rounds));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, shared, shared_rounds));
  atomic_store(&is_waiting, true);
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
    atomic_store(&is_waiting, false);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, wait_and_be_cancelled, be), 0);
    while (!atomic_load(&is_waiting))
      sched_yield();
    CHECK_INT(pthread_cancel(thread), 0);
    void *result;
    CHECK_INT(pthread_join(thread, &result), 0);
    CHECK(result == PTHREAD_CANCELED);
    CHECK(!atomic_load(&was_cancelled_inside));
    CHECK_INT(shared[0], 2 * i);
    CHECK_OK(ka_synchronize(be));
  }
}
