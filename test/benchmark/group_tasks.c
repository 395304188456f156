/* The group "tasks": what tasks and cooperative waiting cost, and what goes on while kernels run.
 * All tasks run on this thread, in ka_run, so that both sides of a comparison have the same. */
#define _GNU_SOURCE /* to keep threads on cores */
#include "groups.h"
#include "measure.h"
#include "tasks.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <uv.h>

/* Of each comparison: there are many. */
#define SECONDS 0.5

static int repeat(int count) { return measure_effort()->quick ? count / 100 : count; }

/* Runs a task on this thread and returns what it measured. */
double tasks_run(ka_task_function *function, void *argument, double *measured) {
  *measured = -1;
  if (ka_run(function, argument) != KA_OK) {
    fprintf(stderr, "ka-bench: %s\n", ka_error_message());
    return -1;
  }
  return *measured;
}

bool tasks_alone(const char *name, const char *unit, double bound, double (*run)(void *),
                 void *state) {
  return measure_compare(&(struct comparison){"tasks", name, unit, NULL, bound, run, NULL, state});
}

bool tasks_beside(const char *name, const char *unit, const char *peer_name, double bound,
                  double (*ka)(void *), double (*peer)(void *), void *state) {
  return measure_compare(
      &(struct comparison){"tasks", name, unit, peer_name, bound, ka, peer, state});
}

/* ---- Switches ---- */

static double measured;

static ka_status yield_often(void *argument, void **result) {
  (void)result;
  for (int i = *(int *)argument; i > 0; --i)
    ka_yield();
  return KA_OK;
}

static ka_status two_yield(void *argument, void **result) {
  int count = repeat(10000);
  (void)argument;
  ka_task *other = ka_spawn(NULL, yield_often, &count);
  ka_yield();
  double start = measure_now();
  yield_often(&count, result);
  measured = 1e9 * (measure_now() - start) / (2.0 * count);
  ka_status status = ka_task_wait(other);
  ka_task_release(other);
  return status;
}

static double switch_ns(void *state) { return tasks_run(two_yield, state, &measured); }

static ucontext_t contexts[2];
static _Alignas(16) char context_stack[65536];

static void swap_for_ever(void) {
  for (;;)
    swapcontext(&contexts[1], &contexts[0]);
}

static double swapcontext_ns(void *state) {
  (void)state;
  int count = repeat(20000);
  getcontext(&contexts[1]);
  contexts[1].uc_stack.ss_sp = context_stack;
  contexts[1].uc_stack.ss_size = sizeof context_stack;
  makecontext(&contexts[1], swap_for_ever, 0);
  double start = measure_now();
  for (int i = 0; i < count; ++i)
    swapcontext(&contexts[0], &contexts[1]);
  return 1e9 * (measure_now() - start) / (2.0 * count);
}

/* ---- Spawning ---- */

static ka_status nothing(void *argument, void **result) {
  (void)argument, (void)result;
  return KA_OK;
}

static ka_status spawn_often(void *argument, void **result) {
  (void)argument, (void)result;
  int count = repeat(2000);
  double start = measure_now();
  for (int i = 0; i < count; ++i) {
    ka_task *task = ka_spawn(NULL, nothing, NULL);
    ka_status status = ka_task_wait(task);
    ka_task_release(task);
    if (status != KA_OK)
      return status;
  }
  measured = 1e9 * (measure_now() - start) / count;
  return KA_OK;
}

static double spawn_ns(void *state) { return tasks_run(spawn_often, state, &measured); }

static void work_of_uv(uv_work_t *work) { (void)work; }
static void after_work_of_uv(uv_work_t *work, int status) { (void)work, (void)status; }

static double queue_work_ns(void *state) {
  (void)state;
  int count = repeat(1000);
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work;
  double start = measure_now();
  for (int i = 0; i < count; ++i) {
    if (uv_queue_work(loop, &work, work_of_uv, after_work_of_uv) != 0)
      return -1;
    uv_run(loop, UV_RUN_DEFAULT);
  }
  return 1e9 * (measure_now() - start) / count;
}

static void *thread_nothing(void *argument) { return argument; }

static double thread_ns(void *state) {
  (void)state;
  int count = repeat(500);
  double start = measure_now();
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, thread_nothing, NULL) != 0)
      return -1;
    pthread_join(thread, NULL);
  }
  return 1e9 * (measure_now() - start) / count;
}

/* ---- Waits through a worker thread and through a callback ---- */

/* Both threads have a core: this one the first it may use, the worker the last. */
static cpu_set_t allowed;

static void stay_on(bool last) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && (last || !CPU_COUNT(&one)); ++cpu)
    if (CPU_ISSET(cpu, &allowed)) {
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
    }
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static ka_status leave_core(void *object) {
  (void)object;
  stay_on(true);
  return KA_OK;
}

static ka_status wait_for_nothing(void *object) {
  (void)object;
  return KA_OK;
}

static ka_status wait_often(void *argument, void **result) {
  static const ka_wait_ops ops = {.wait = wait_for_nothing}, first = {.wait = leave_core};
  (void)argument, (void)result;
  int count = repeat(200);
  double start = 0;
  if (ka_cooperative_wait(&first, NULL) != KA_OK)
    return KA_ERROR_DRIVER;
  /* The first ones wake the worker thread. */
  for (int i = -20; i < count; ++i) {
    if (i == 0)
      start = measure_now();
    if (ka_cooperative_wait(&ops, NULL) != KA_OK)
      return KA_ERROR_DRIVER;
  }
  measured = 1e6 * (measure_now() - start) / count;
  return KA_OK;
}

static double worker_us(void *state) {
  pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed);
  stay_on(false);
  double us = tasks_run(wait_often, state, &measured);
  pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
  return us;
}

/* A thread that completes what it finds here. */
static _Atomic(ka_wait_request *) to_complete;
static sem_t *_Atomic to_post;
static _Atomic bool stop;

static void *complete_all(void *none) {
  while (!atomic_load(&stop)) {
    ka_wait_request *request = atomic_exchange(&to_complete, NULL);
    if (request)
      ka_wait_complete(request, KA_OK);
    sem_t *semaphore = atomic_exchange(&to_post, NULL);
    if (semaphore)
      sem_post(semaphore);
  }
  return none;
}

static ka_status leave_to_thread(void *object, ka_wait_request *request) {
  (void)object;
  atomic_store(&to_complete, request);
  return KA_OK;
}

static ka_status park_often(void *argument, void **result) {
  static const ka_wait_ops ops = {.subscribe = leave_to_thread};
  (void)argument, (void)result;
  int count = repeat(2000);
  double start = measure_now();
  for (int i = 0; i < count; ++i)
    if (ka_cooperative_wait(&ops, NULL) != KA_OK)
      return KA_ERROR_DRIVER;
  measured = 1e6 * (measure_now() - start) / count;
  return KA_OK;
}

static double callback_us(void *state) { return tasks_run(park_often, state, &measured); }

static double semaphore_us(void *state) {
  (void)state;
  int count = repeat(2000);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  double start = measure_now();
  for (int i = 0; i < count; ++i) {
    atomic_store(&to_post, &semaphore);
    sem_wait(&semaphore);
  }
  double end = measure_now();
  /* The thread has let go of it when it takes another. */
  sem_destroy(&semaphore);
  return 1e6 * (end - start) / count;
}

static bool callback(void) {
  pthread_t thread;
  atomic_store(&stop, false);
  if (pthread_create(&thread, NULL, complete_all, NULL) != 0)
    return false;
  bool good = tasks_beside("park and wake by another thread", "us", "sem_wait", 0, callback_us,
                           semaphore_us, NULL);
  atomic_store(&stop, true);
  pthread_join(thread, NULL);
  return good;
}

bool group_tasks(void) {
  /* This thread alone: it is a scheduler thread while it is in ka_run. */
  setenv("KA_TASK_THREADS", "1", 1);
  measure_limit(SECONDS);
  bool good = tasks_alone("task switch", "ns", 50, switch_ns, NULL) &&
              tasks_beside("task switch beside swapcontext", "ns", "swapcontext", 0, switch_ns,
                           swapcontext_ns, NULL) &&
              tasks_alone("spawn and wait", "ns", 500, spawn_ns, NULL) &&
              tasks_beside("spawn and wait beside libuv", "ns", "uv_queue_work", 0, spawn_ns,
                           queue_work_ns, NULL) &&
              tasks_beside("spawn and wait beside threads", "ns", "pthread_create, _join", 0,
                           spawn_ns, thread_ns, NULL) &&
              tasks_alone("wait by a worker thread", "us", 1.0, worker_us, NULL) && callback() &&
              tasks_with_kernels();
  measure_limit(0);
  return good;
}
