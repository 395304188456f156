/* The group "tasks": what tasks and cooperative waiting cost, and what goes on while kernels run.
 * All tasks run on this thread, in ka_run, so that both sides of a comparison have the same. */
#include "groups.h"
#include "measure.h"
#include "opencl_peer.h"
#include "task_kernels.h"
#include "work.h"

#include <ka/task.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <uv.h>

enum { MOST_GROUPS = 64 };
/* Of each comparison: there are many. */
#define SECONDS 0.5

static int repeat(int count) { return measure_effort()->quick ? count / 100 : count; }

/* Runs a task on this thread and returns what it measured. */
static double in_task(ka_task_function *function, void *argument, double *measured) {
  *measured = -1;
  if (ka_run(function, argument) != KA_OK) {
    fprintf(stderr, "ka-bench: %s\n", ka_error_message());
    return -1;
  }
  return *measured;
}

static bool alone(const char *name, const char *unit, double bound, double (*run)(void *)) {
  return measure_compare(&(struct comparison){"tasks", name, unit, NULL, bound, run, NULL, NULL});
}

static bool beside(const char *name, const char *unit, const char *peer_name, double bound,
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
  int count = repeat(100000);
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

static double switch_ns(void *state) { return in_task(two_yield, state, &measured); }

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
  int count = repeat(10000);
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

static double spawn_ns(void *state) { return in_task(spawn_often, state, &measured); }

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

static ka_status wait_for_nothing(void *object) {
  (void)object;
  return KA_OK;
}

static ka_status wait_often(void *argument, void **result) {
  static const ka_wait_ops ops = {.wait = wait_for_nothing};
  (void)argument, (void)result;
  int count = repeat(5000);
  double start = measure_now();
  for (int i = 0; i < count; ++i)
    if (ka_cooperative_wait(&ops, NULL) != KA_OK)
      return KA_ERROR_DRIVER;
  measured = 1e6 * (measure_now() - start) / count;
  return KA_OK;
}

static double worker_us(void *state) { return in_task(wait_often, state, &measured); }

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

static double callback_us(void *state) { return in_task(park_often, state, &measured); }

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
  bool good = beside("park and wake by another thread", "us", "sem_wait", 0, callback_us,
                     semaphore_us, NULL);
  atomic_store(&stop, true);
  pthread_join(thread, NULL);
  return good;
}

/* ---- Kernels ---- */

static unsigned *out;

struct kernel {
  size_t groups; /* one leaves all cores but one free */
  uint64_t rounds;
  double us;
};

static ka_status time_kernel(void *argument, void **result) {
  struct kernel *k = argument;
  (void)result;
  double start = measure_now();
  ka_status status =
      ka_launch(work_backend, ka_with_group(ka_range(k->groups), 1), compute(k->rounds, out));
  if (status == KA_OK)
    status = ka_synchronize(work_backend);
  k->us = 1e6 * (measure_now() - start);
  return status;
}

static double blocking_us(void *state) {
  struct kernel *k = state;
  return time_kernel(k, NULL) == KA_OK ? k->us : -1;
}

static double cooperative_us(void *state) {
  struct kernel *k = state;
  return in_task(time_kernel, k, &k->us);
}

/* How many rounds make the kernel take so long: from the fastest of several runs. */
static uint64_t rounds_for(size_t groups, double us) {
  struct kernel k = {groups, 100000 / groups, 0};
  double least = 1e9;
  for (int i = 0; i < 20; ++i) {
    double once = blocking_us(&k);
    least = once > 0 && once < least ? once : least;
  }
  return (uint64_t)((double)k.rounds * us / least) + 1;
}

static bool kernels(size_t groups, const char *cores) {
  static const struct {
    double us, bound;
    const char *name;
  } lengths[] = {{100, 1.02, "0.1"}, {300, 1.02, "0.3"}, {1000, 1.01, "1"}, {3000, 1.02, "3"}};
  bool good = true;
  for (int i = 0; i < 4 && good; ++i) {
    struct kernel k = {groups, rounds_for(groups, lengths[i].us), 0};
    char name[64];
    snprintf(name, sizeof name, "kernel of %s ms, %s", lengths[i].name, cores);
    good = beside(name, "us", "blocking wait", lengths[i].bound, cooperative_us, blocking_us, &k);
  }
  return good;
}

/* ---- A ticker meanwhile ---- */

static ka_status tick(void *argument, void **result) {
  (void)result;
  ka_task *kernel = ka_spawn(work_backend, time_kernel, argument);
  int ticks = 0;
  double start = measure_now();
  while (!ka_task_done(kernel)) {
    ka_sleep(10000000);
    ++ticks;
  }
  measured = 1e3 * (measure_now() - start) / ticks;
  ka_status status = ka_task_wait(kernel);
  ka_task_release(kernel);
  return status;
}

static double tick_ms(void *state) { return in_task(tick, state, &measured); }

/* 39 ticks of 40. */
static bool ticker(const char *name, size_t groups, double bound) {
  double us = measure_effort()->quick ? 20000 : 400000;
  struct kernel k = {groups, rounds_for(groups, us), 0};
  return measure_compare(&(struct comparison){"tasks", name, "ms", NULL, bound, tick_ms, NULL, &k});
}

/* ---- Events ---- */

enum { PAIRS = 100 };
static ka_event *events[PAIRS];
static struct kernel before_events;

static ka_status wait_for_events(void *argument, void **result) {
  (void)argument, (void)result;
  ka_status status = ka_synchronize(work_backend);
  double start = measure_now();
  for (int i = 0; i < PAIRS && status == KA_OK; ++i) {
    status = ka_wait_event(work_backend, events[i]);
    ka_event_release(events[i]);
  }
  measured += 1e9 * (measure_now() - start) / PAIRS;
  return status;
}

static ka_status record_events(void *argument, void **result) {
  (void)argument, (void)result;
  measured = 0;
  ka_task *other = NULL;
  ka_status status =
      ka_launch(work_backend, ka_with_group(ka_range(1), 1), compute(before_events.rounds, out));
  double start = measure_now();
  for (int i = 0; i < PAIRS && status == KA_OK; ++i)
    status = ka_record_event(work_backend, &events[i]);
  measured = 1e9 * (measure_now() - start) / PAIRS;
  if (status == KA_OK) {
    other = ka_spawn(NULL, wait_for_events, NULL);
    status = ka_task_wait(other);
    ka_task_release(other);
  }
  return status == KA_OK ? ka_synchronize(work_backend) : status;
}

static double events_ns(void *state) { return in_task(record_events, state, &measured); }

static cl_command_queue second_queue;
static cl_kernel peer_compute;

static double markers_ns(void *state) {
  (void)state;
  cl_event markers[PAIRS];
  size_t one = 1;
  peer_check(
      clEnqueueNDRangeKernel(work_peer.queue, peer_compute, 1, NULL, &one, &one, 0, NULL, NULL),
      "clEnqueueNDRangeKernel");
  double start = measure_now();
  for (int i = 0; i < PAIRS; ++i) {
    peer_check(clEnqueueMarkerWithWaitList(work_peer.queue, 0, NULL, &markers[i]),
               "clEnqueueMarkerWithWaitList");
    peer_check(clFlush(work_peer.queue), "clFlush");
  }
  for (int i = 0; i < PAIRS; ++i) {
    peer_check(clEnqueueBarrierWithWaitList(second_queue, 1, &markers[i], NULL),
               "clEnqueueBarrierWithWaitList");
    peer_check(clReleaseEvent(markers[i]), "clReleaseEvent");
  }
  double ns = 1e9 * (measure_now() - start) / PAIRS;
  peer_check(clFinish(second_queue), "clFinish");
  peer_check(clFinish(work_peer.queue), "clFinish");
  return ns;
}

static bool compare_events(void) {
  cl_int status;
  second_queue =
      clCreateCommandQueueWithProperties(work_peer.context, work_peer.device, NULL, &status);
  peer_check(status, "clCreateCommandQueueWithProperties");
  peer_compute = peer_kernel(&work_peer, "compute");
  unsigned *peer_out = peer_alloc(&work_peer, sizeof *peer_out);
  *peer_out = 0;
  before_events = (struct kernel){1, rounds_for(1, 3000), 0};
  work_set(peer_compute, 0, sizeof(cl_ulong), &(cl_ulong){before_events.rounds});
  work_set_pointer(peer_compute, 1, peer_out);
  bool good = beside("record and wait for an event", "ns", "marker and barrier", 1.1, events_ns,
                     markers_ns, NULL);
  clReleaseKernel(peer_compute);
  clReleaseCommandQueue(second_queue);
  peer_free(&work_peer, peer_out);
  return good;
}

bool group_tasks(void) {
  /* This thread alone: it is a scheduler thread while it is in ka_run. */
  setenv("KA_TASK_THREADS", "1", 1);
  if (!work_open())
    return false;
  out = ka_alloc_zeroed(work_backend, MOST_GROUPS * sizeof *out);
  if (!out) {
    fprintf(stderr, "ka-bench: %s\n", ka_error_message());
    return false;
  }
  measure_limit(SECONDS);
  bool good = alone("task switch", "ns", 50, switch_ns) &&
              beside("task switch beside swapcontext", "ns", "swapcontext", 0, switch_ns,
                     swapcontext_ns, NULL) &&
              alone("spawn and wait", "ns", 500, spawn_ns) &&
              beside("spawn and wait beside libuv", "ns", "uv_queue_work", 0, spawn_ns,
                     queue_work_ns, NULL) &&
              beside("spawn and wait beside threads", "ns", "pthread_create, _join", 0, spawn_ns,
                     thread_ns, NULL) &&
              alone("wait by a worker thread", "us", 1.0, worker_us) && callback() &&
              kernels(MOST_GROUPS, "all cores") && kernels(1, "one core") &&
              ticker("tick of 10 ms, a core is free", 1, 400.0 / 39) &&
              ticker("tick of 10 ms, all cores are busy", MOST_GROUPS, 0) && compare_events();
  measure_limit(0);
  ka_free(out);
  return good;
}
