/* The half of the group "tasks" that needs a device: what goes on while kernels run. */
#include "measure.h"
#include "opencl_peer.h"
#include "task_kernels.h"
#include "tasks.h"
#include "work.h"

#include <stdio.h>

enum { MOST_GROUPS = 64 };

static double measured;

/* ---- Kernels ---- */

static unsigned *out;

struct kernel {
  size_t groups; /* one leaves all cores but one free */
  uint64_t rounds;
  double us;
  int times; /* one after the other, each waited for; 0: once */
};

static ka_status launch_and_wait(const struct kernel *k) {
  ka_status status =
      ka_launch(work_backend, ka_with_group(ka_range(k->groups), 1), compute(k->rounds, out));
  return status == KA_OK ? ka_synchronize(work_backend) : status;
}

static ka_status time_kernel(void *argument, void **result) {
  struct kernel *k = argument;
  int times = k->times ? k->times : 1;
  (void)result;
  ka_status status = ka_synchronize(work_backend); /* now the task has a queue */
  /* Begin and end of ka_run, between which the driver's threads fall asleep, are not measured. */
  if (status == KA_OK && k->times)
    status = launch_and_wait(k);
  double start = measure_now();
  for (int i = 0; i < times && status == KA_OK; ++i)
    status = launch_and_wait(k);
  k->us = 1e6 * (measure_now() - start) / times;
  return status;
}

static double blocking_us(void *state) {
  struct kernel *k = state;
  return time_kernel(k, NULL) == KA_OK ? k->us : -1;
}

static double cooperative_us(void *state) {
  struct kernel *k = state;
  return tasks_run(time_kernel, k, &k->us);
}

/* How many rounds make the kernel take so long: from the fastest of several runs. */
static uint64_t rounds_for(size_t groups, double us) {
  struct kernel k = {groups, 100000 / groups, 0, 0};
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
    struct kernel k = {groups, rounds_for(groups, lengths[i].us), 0, 0};
    k.times = 1 + (int)((measure_effort()->quick ? 0 : 5000) / lengths[i].us);
    char name[64];
    snprintf(name, sizeof name, "kernel of %s ms, %s", lengths[i].name, cores);
    good = tasks_beside(name, "us", "blocking wait", lengths[i].bound, cooperative_us, blocking_us,
                        &k);
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

static double tick_ms(void *state) { return tasks_run(tick, state, &measured); }

/* 39 ticks of 40. */
static bool ticker(const char *name, size_t groups, double bound) {
  double us = measure_effort()->quick ? 20000 : 400000;
  struct kernel k = {groups, rounds_for(groups, us), 0, 0};
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

static double events_ns(void *state) { return tasks_run(record_events, state, &measured); }

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
  before_events = (struct kernel){1, rounds_for(1, 3000), 0, 0};
  work_set(peer_compute, 0, sizeof(cl_ulong), &(cl_ulong){before_events.rounds});
  work_set_pointer(peer_compute, 1, peer_out);
  bool good = tasks_beside("record and wait for an event", "ns", "marker and barrier", 1.1,
                           events_ns, markers_ns, NULL);
  clReleaseKernel(peer_compute);
  clReleaseCommandQueue(second_queue);
  peer_free(&work_peer, peer_out);
  return good;
}

bool tasks_with_kernels(void) {
  if (!work_open())
    return false;
  out = ka_alloc_zeroed(work_backend, MOST_GROUPS * sizeof *out);
  if (!out) {
    fprintf(stderr, "ka-bench: %s\n", ka_error_message());
    return false;
  }
  bool good = kernels(MOST_GROUPS, "all cores") && kernels(1, "one core") &&
              ticker("tick of 10 ms, a core is free", 1, 400.0 / 39) &&
              ticker("tick of 10 ms, all cores are busy", MOST_GROUPS, 0) && compare_events();
  ka_free(out);
  return good;
}
