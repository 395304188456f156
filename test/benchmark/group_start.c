/* The group "start": from the start of a program to its first result.
 *
 * The peer does the same with OpenCL by hand and nothing else; its time is what the driver's own
 * start costs. Both have their kernel in the driver's cache after the first run. What is promised
 * is a time in milliseconds.
 */
#include "child.h"
#include "groups.h"
#include "measure.h"

#include <stddef.h>

static double start_ka(void *state) {
  (void)state;
  return child_first_line_ms((const char *[]){BENCHMARK_START_KA, NULL});
}

static double start_peer(void *state) {
  (void)state;
  return child_first_line_ms((const char *[]){BENCHMARK_START_OPENCL, NULL});
}

static double start_own(void *state) {
  (void)state;
  return child_number((const char *[]){BENCHMARK_START_OWN, NULL});
}

bool group_start(void) {
  return measure_compare(&(struct comparison){"start", "first result beside OpenCL", "ms",
                                              "OpenCL by hand", 0, start_ka, start_peer, NULL}) &&
         measure_compare(&(struct comparison){"start", "first result", "ms", NULL, 100, start_ka,
                                              NULL, NULL}) &&
         measure_compare(&(struct comparison){"start", "libka without driver", "ms", NULL, 5,
                                              start_own, NULL, NULL});
}
