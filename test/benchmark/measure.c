/* Measures two ways of doing the same in turn, prints a table and writes JSON lines.
 *
 * In turn, because a machine's speed changes from second to second; the median, because what else
 * the machine does only ever adds time. The spread is the wider of the two interquartile ranges,
 * as a share of its median.
 */
#include "measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 1001, WARM_UP_RUNS = 3 };

static struct effort effort_now;
static FILE *json;
static const char *json_name;

const struct effort *measure_effort(void) { return &effort_now; }

double measure_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool measure_begin(const struct effort *effort, const char *json_path) {
  effort_now = *effort;
  json_name = json_path;
  if (json_path && !(json = fopen(json_path, "w"))) {
    fprintf(stderr, "ka-bench: cannot write %s: %s\n", json_path, strerror(errno));
    return false;
  }
  printf("%-8s %-22s %4s %10s %10s %7s %7s %7s %5s  %s\n", "group", "name", "unit", "ka", "peer",
         "ratio", "bound", "spread", "runs", "peer is");
  return true;
}

bool measure_end(void) {
  if (json && fclose(json) != 0) {
    fprintf(stderr, "ka-bench: cannot write %s: %s\n", json_name, strerror(errno));
    return false;
  }
  json = NULL;
  return true;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the times and returns the value below which the share lies. */
static double quantile(double *times, int count, double share) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  double place = share * (count - 1);
  int below = (int)place;
  int above = below + 1 < count ? below + 1 : below;
  return times[below] + (place - below) * (times[above] - times[below]);
}

static double relative_spread(double *times, int count) {
  double median = quantile(times, count, 0.5);
  return median > 0 ? (quantile(times, count, 0.75) - quantile(times, count, 0.25)) / median : 0;
}

static bool print(const struct comparison *c, double ka, double peer, double spread, int runs) {
  double ratio = ka / peer;
  char bound[32] = "-";
  if (c->bound > 0)
    snprintf(bound, sizeof bound, "%.2f%s", c->bound, ratio <= c->bound ? "" : " !");
  printf("%-8s %-22s %4s %10.4g %10.4g %7.3f %7s %6.1f%% %5d  %s\n", c->group, c->name, c->unit, ka,
         peer, ratio, bound, 100 * spread, runs, c->peer_name);
  fflush(stdout);
  if (!json)
    return true;
  char json_bound[32] = "null";
  if (c->bound > 0)
    snprintf(json_bound, sizeof json_bound, "%g", c->bound);
  int written =
      fprintf(json,
              "{\"group\": \"%s\", \"name\": \"%s\", \"unit\": \"%s\", \"ka\": %.6g, "
              "\"peer\": %.6g, \"peer_name\": \"%s\", \"ratio\": %.4f, \"bound\": %s, "
              "\"runs\": %d, \"spread\": %.4f}\n",
              c->group, c->name, c->unit, ka, peer, c->peer_name, ratio, json_bound, runs, spread);
  if (written > 0 && fflush(json) == 0)
    return true;
  fprintf(stderr, "ka-bench: cannot write %s: %s\n", json_name, strerror(errno));
  return false;
}

bool measure_compare(const struct comparison *c) {
  static double ka[MOST_RUNS], peer[MOST_RUNS];
  int warm_up = effort_now.quick ? 1 : WARM_UP_RUNS;
  for (int i = 0; i < warm_up; ++i)
    if (c->ka(c->state) < 0 || c->peer(c->state) < 0)
      return false;
  double end = measure_now() + effort_now.seconds;
  int runs = 0;
  while (runs < effort_now.most_runs && runs < MOST_RUNS &&
         (runs < effort_now.fewest_runs || measure_now() < end)) {
    /* Who goes first changes, so that neither always finds the other's data in the caches. */
    bool ka_first = runs % 2 == 0;
    if (ka_first)
      ka[runs] = c->ka(c->state);
    peer[runs] = c->peer(c->state);
    if (!ka_first)
      ka[runs] = c->ka(c->state);
    if (ka[runs] < 0 || peer[runs] < 0)
      return false;
    ++runs;
  }
  double ka_spread = relative_spread(ka, runs), peer_spread = relative_spread(peer, runs);
  return print(c, quantile(ka, runs, 0.5), quantile(peer, runs, 0.5),
               ka_spread > peer_spread ? ka_spread : peer_spread, runs);
}

bool measure_against(const struct comparison *c, double peer) {
  static double ka[MOST_RUNS];
  int runs = 0;
  if (c->ka(c->state) < 0)
    return false;
  double end = measure_now() + effort_now.seconds;
  while (runs < effort_now.most_runs && runs < MOST_RUNS &&
         (runs < effort_now.fewest_runs || measure_now() < end))
    if ((ka[runs++] = c->ka(c->state)) < 0)
      return false;
  double spread = relative_spread(ka, runs);
  return print(c, quantile(ka, runs, 0.5), peer, spread, runs);
}
