/* The group "launch": what a launch costs, with 4, 40 and 200 arguments, a quarter of them
 * pointers. The peer sets every argument at every launch, since who calls a kernel passes them all;
 * libka leaves out those that are the same as before, so batches are measured with such arguments
 * and with others at each launch. */
#include "child.h"
#include "groups.h"
#include "measure.h"
#include "touch_kernels.h"
#include "work.h"

#include <math.h>
#include <stdio.h>

enum { ITEMS = 64, BATCH = WORK_MOST_LAUNCHES, ARGUMENT_SETS = 100 };

#define LAUNCH(count)                                                                              \
  static void launch_##count(struct work *w, ka_ndrange range) {                                   \
    launch_touch_##count(work_backend, range, (int *const *)(void *)w->buffer[0], w->turn);        \
  }
LAUNCH(4)
LAUNCH(40)
LAUNCH(200)

static void set_quarters(struct work *w, cl_kernel kernel, cl_uint quarters) {
  cl_uint turn = (cl_uint)w->turn;
  for (cl_uint q = 0; q < quarters; ++q) {
    work_set_pointer(kernel, 4 * q, w->buffer[1][(q + turn) % WORK_BUFFERS]);
    work_set(kernel, 4 * q + 1, sizeof(int), &(int){(int)(q + turn) + 10});
    work_set(kernel, 4 * q + 2, sizeof(float), &(float){1 + (float)turn});
    work_set(kernel, 4 * q + 3, sizeof(double), &(double){2 + turn});
  }
}
static void set_4(struct work *w, cl_kernel kernel) { set_quarters(w, kernel, 1); }
static void set_40(struct work *w, cl_kernel kernel) { set_quarters(w, kernel, 10); }
static void set_200(struct work *w, cl_kernel kernel) { set_quarters(w, kernel, 50); }

static const struct variant {
  const char *arguments, *kernel;
  void (*launch)(struct work *work, ka_ndrange range);
  void (*set_arguments)(struct work *work, cl_kernel kernel);
  double bound;     /* of ka / peer */
  double own_bound; /* nanoseconds of libka's own for a launch */
} variants[] = {{"4", "touch_4", launch_4, set_4, 1.05, 150},
                {"40", "touch_40", launch_40, set_40, 1.05, 400},
                {"200", "touch_200", launch_200, set_200, 0, 0}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static struct work work[VARIANTS];

static bool prepare(const struct variant *v, struct work *w) {
  *w = (struct work){.name = v->kernel,
                     .n = ITEMS,
                     .size = {ITEMS},
                     .group = {ITEMS},
                     .launches = 1,
                     .launch = v->launch,
                     .set_arguments = v->set_arguments};
  for (int b = 0; b < WORK_BUFFERS; ++b)
    w->bytes[b] = ITEMS * sizeof(int);
  if (!work_prepare(w))
    return false;
  bool agree = true;
  w->launches = 12;
  w->changes = true;
  for (int b = 0; b < WORK_BUFFERS; ++b)
    agree = agree && work_agree_exactly(w, b);
  w->launches = 1;
  w->changes = false;
  return agree;
}

/* ---- ka beside the same calls by hand ---- */

static bool compare_one(const struct variant *v, struct work *w) {
  char name[64];
  snprintf(name, sizeof name, "one, %s arguments", v->arguments);
  return measure_compare_with_tail(&(struct comparison){"launch", name, "us", "OpenCL by hand",
                                                        v->bound, work_run_ka, work_run_peer, w});
}

static bool compare_batch(const struct variant *v, struct work *w, bool changes) {
  char name[64], other_name[64];
  snprintf(name, sizeof name, "batch of %d, %s %sarguments", BATCH, v->arguments,
           changes ? "changing " : "");
  w->changes = changes;
  snprintf(other_name, sizeof other_name, "%s, own time", name);
  w->launches = measure_effort()->quick ? 10 : BATCH;
  bool good = measure_compare(&(struct comparison){"launch", name, "us", "OpenCL by hand", v->bound,
                                                   work_run_ka, work_run_peer, w});
  w->own_time = true;
  good = good && measure_compare(&(struct comparison){"launch", other_name, "us", "OpenCL by hand",
                                                      0, work_run_ka, work_run_peer, w});
  w->own_time = false;
  snprintf(other_name, sizeof other_name, "%s, watched", name);
  w->watches = true;
  good = good && measure_compare(&(struct comparison){"launch", other_name, "us",
                                                      "OpenCL with an event each", v->bound,
                                                      work_run_ka, work_run_peer, w});
  w->watches = false;
  w->changes = false;
  w->launches = 1;
  return good;
}

/* ---- What of it is the driver's cost of arguments, and what libka's own ---- */

static double set_arguments_ns(void *state) {
  struct work *w = state;
  double start = measure_now();
  for (int i = 0; i < ARGUMENT_SETS; ++i)
    w->set_arguments(w, w->kernel);
  return 1e9 / ARGUMENT_SETS * (measure_now() - start);
}

static bool driver_arguments(const struct variant *v, struct work *w, double *us) {
  char name[64];
  snprintf(name, sizeof name, "clSetKernelArg, %s arguments", v->arguments);
  struct figure figure;
  if (!measure(&(struct comparison){"launch", name, "ns", NULL, 0, set_arguments_ns, NULL, w},
               &figure))
    return false;
  *us = figure.ka / 1000;
  return measure_report(&figure);
}

/* A difference of times may come out as nothing, or less, when the second was disturbed; the median
 * passes over that. */
static double difference(double us, double less) { return fmax(us - less, 0.001); }

/* Launch and wait with 40 and with 4 arguments, each less the driver's cost of setting them. */
static double driver_us[VARIANTS];

static double many_less_setting(void *state) {
  (void)state;
  return difference(work_run_ka(&work[1]), driver_us[1]);
}
static double few_less_setting(void *state) {
  (void)state;
  return difference(work_run_ka(&work[0]), driver_us[0]);
}

/* Setting them is the smaller part: launching by hand takes longer with more arguments, too. */
static double many_less_driver(void *state) {
  (void)state;
  double ka = work_run_ka(&work[1]);
  double driver = work_run_peer(&work[1]) - work_run_peer(&work[0]);
  return difference(ka, driver);
}
static double few(void *state) {
  (void)state;
  return work_run_ka(&work[0]);
}

static bool compare_many_with_few(void) {
  return measure_compare(&(struct comparison){"launch", "40 arguments less clSetKernelArg", "us",
                                              "4 arguments, likewise", 1.1, many_less_setting,
                                              few_less_setting, NULL}) &&
         measure_compare(&(struct comparison){"launch", "40 arguments less the driver's cost", "us",
                                              "4 arguments", 1.1, many_less_driver, few, NULL});
}

static double own_ns(void *state) { return child_number(state); }

static bool own_time(const struct variant *v, const char *part, const char *what) {
  char name[64];
  snprintf(name, sizeof name, "%s, %s arguments", what, v->arguments);
  const char *arguments[] = {BENCHMARK_LAUNCH_OWN, part, v->arguments,
                             measure_effort()->quick ? "3" : "300", NULL};
  return measure_compare(&(struct comparison){"launch", name, "ns", NULL, v->own_bound, own_ns,
                                              NULL, (void *)arguments});
}

bool group_launch(void) {
  bool good = work_open();
  for (int v = 0; v < VARIANTS && good; ++v)
    good = prepare(&variants[v], &work[v]);
  for (int v = 0; v < VARIANTS && good; ++v)
    good = compare_one(&variants[v], &work[v]);
  for (int v = 0; v < VARIANTS && good; ++v)
    good =
        compare_batch(&variants[v], &work[v], false) && compare_batch(&variants[v], &work[v], true);
  for (int v = 0; v < VARIANTS && good; ++v)
    good = driver_arguments(&variants[v], &work[v], &driver_us[v]);
  good = good && compare_many_with_few();
  for (int v = 0; v < VARIANTS && good; ++v)
    good = own_time(&variants[v], "core", "libka without backend");
  for (int v = 0; v < VARIANTS && good; ++v)
    good = own_time(&variants[v], "all", "libka without driver");
  for (int v = 0; v < VARIANTS; ++v)
    if (work[v].kernel)
      work_release(&work[v]);
  return good;
}
