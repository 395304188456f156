/* Measures two ways of doing the same in turn, prints a table and writes JSON lines.
 *
 * In turn, because a machine's speed changes from second to second; the median, because what else
 * the machine does only ever adds time. Ratios and tails are taken block by block, and the median
 * of the blocks is the figure: a disturbance that lasts falls into few blocks, and both sides of a
 * block see it.
 */
#include "measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  MOST_RUNS = 2500,
  WARM_UP_RUNS = 3,
  /* For ratios. */
  FEWEST_RATIOS = 21,
  LONGEST_BLOCK = 25,
  /* For tails. */
  TAIL_BLOCKS = 31,
  TAIL_BLOCK_RUNS = 1000
};

static struct effort effort_now;
static FILE *json;
static const char *json_name;

static double limit; /* seconds; 0: none */

void measure_limit(double most) { limit = most; }

const struct effort *measure_effort(void) { return &effort_now; }

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double measure_now(void) { return seconds(CLOCK_MONOTONIC); }

double measure_thread_time(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

bool measure_begin(const struct effort *effort, const char *json_path) {
  effort_now = *effort;
  json_name = json_path;
  if (json_path && !(json = fopen(json_path, "w"))) {
    fprintf(stderr, "ka-bench: cannot write %s: %s\n", json_path, strerror(errno));
    return false;
  }
  printf("%-8s %-36s %4s %10s %10s %7s %8s %7s %6s  %s\n", "group", "name", "unit", "ka", "peer",
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

/* ---- Figures of times ---- */

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double measure_quantile(double *times, int count, double share) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  double place = share * (count - 1);
  int below = (int)place;
  int above = below + 1 < count ? below + 1 : below;
  return times[below] + (place - below) * (times[above] - times[below]);
}

double measure_spread(double *times, int count) {
  double median = measure_quantile(times, count, 0.5);
  return median > 0
             ? (measure_quantile(times, count, 0.75) - measure_quantile(times, count, 0.25)) /
                   median
             : 0;
}

double measure_ratio(const double *a, const double *b, int count) {
  double ratios[MOST_RUNS], block_a[LONGEST_BLOCK], block_b[LONGEST_BLOCK];
  int length = count / FEWEST_RATIOS;
  length = length < 1 ? 1 : length > LONGEST_BLOCK ? LONGEST_BLOCK : length;
  int blocks = count / length;
  for (int i = 0; i < blocks; ++i) {
    memcpy(block_a, a + (ptrdiff_t)i * length, (size_t)length * sizeof *a);
    memcpy(block_b, b + (ptrdiff_t)i * length, (size_t)length * sizeof *b);
    ratios[i] = measure_quantile(block_a, length, 0.5) / measure_quantile(block_b, length, 0.5);
  }
  return measure_quantile(ratios, blocks, 0.5);
}

static double wider(double a, double b) { return a > b ? a : b; }

static struct figure figure_of(const struct comparison *c, int runs) {
  return (struct figure){.group = c->group,
                         .name = c->name,
                         .unit = c->unit,
                         .peer_name = c->peer ? c->peer_name : NULL,
                         .bound = c->bound,
                         .runs = runs};
}

/* ---- Lines ---- */

struct line {
  char peer[32], ratio[32], bound[32];
};

static bool write_json(const struct figure *f, const char *ka, const struct line *line,
                       const char *peer_name) {
  if (!json)
    return true;
  int written = fprintf(json,
                        "{\"group\": \"%s\", \"name\": \"%s\", \"unit\": \"%s\", \"ka\": %s, "
                        "\"peer\": %s, \"peer_name\": %s%s%s, \"ratio\": %s, \"bound\": %s, "
                        "\"runs\": %d, \"spread\": %.4f}\n",
                        f->group, f->name, f->unit, ka, line->peer, peer_name ? "\"" : "",
                        peer_name ? peer_name : "null", peer_name ? "\"" : "", line->ratio,
                        line->bound, f->runs, f->spread);
  if (written > 0 && fflush(json) == 0)
    return true;
  fprintf(stderr, "ka-bench: cannot write %s: %s\n", json_name, strerror(errno));
  return false;
}

bool measure_report(const struct figure *f) {
  struct line shown = {"-", "-", "-"}, written = {"null", "null", "null"};
  double promised = f->ka;
  if (f->peer_name) {
    promised = f->ratio > 0 ? f->ratio : f->ka / f->peer;
    snprintf(shown.peer, sizeof shown.peer, "%.4g", f->peer);
    snprintf(shown.ratio, sizeof shown.ratio, "%.3f", promised);
    snprintf(written.peer, sizeof written.peer, "%.6g", f->peer);
    snprintf(written.ratio, sizeof written.ratio, "%.4f", promised);
  }
  if (f->bound > 0) {
    snprintf(shown.bound, sizeof shown.bound, "%.4g%s", f->bound, promised <= f->bound ? "" : " !");
    snprintf(written.bound, sizeof written.bound, "%g", f->bound);
  }
  printf("%-8s %-36s %4s %10.4g %10s %7s %8s %6.1f%% %6d  %s\n", f->group, f->name, f->unit, f->ka,
         shown.peer, shown.ratio, shown.bound, 100 * f->spread, f->runs,
         f->peer_name ? f->peer_name : "-");
  fflush(stdout);
  char ka[32];
  snprintf(ka, sizeof ka, "%.6g", f->ka);
  return write_json(f, ka, &written, f->peer_name);
}

bool measure_missing(const char *group, const char *name, const char *unit, const char *why) {
  printf("%-8s %-36s not measured: %s\n", group, name, why);
  fflush(stdout);
  struct figure f = {.group = group, .name = name, .unit = unit};
  return write_json(&f, "null", &(struct line){"null", "null", "null"}, why);
}

/* ---- Runs ---- */

/* Who goes first changes, so that neither always finds the other's data in the caches. */
static bool run_both(const struct comparison *c, int turn, double *ka, double *peer) {
  bool ka_first = turn % 2 == 0;
  if (ka_first)
    *ka = c->ka(c->state);
  *peer = c->peer ? c->peer(c->state) : 0;
  if (!ka_first)
    *ka = c->ka(c->state);
  return *ka >= 0 && *peer >= 0;
}

static bool warm_up(const struct comparison *c, int runs) {
  double ka, peer;
  for (int i = 0; i < runs; ++i)
    if (!run_both(c, i, &ka, &peer))
      return false;
  return true;
}

bool measure(const struct comparison *c, struct figure *figure) {
  static double ka[MOST_RUNS], peer[MOST_RUNS];
  if (!effort_now.quick && !warm_up(c, WARM_UP_RUNS))
    return false;
  double most = limit > 0 && limit < effort_now.seconds ? limit : effort_now.seconds;
  double end = measure_now() + most;
  int runs = 0;
  while (runs < effort_now.most_runs && runs < MOST_RUNS &&
         (runs < effort_now.fewest_runs || measure_now() < end)) {
    if (!run_both(c, runs, &ka[runs], &peer[runs]))
      return false;
    ++runs;
  }
  *figure = figure_of(c, runs);
  figure->ratio = c->peer ? measure_ratio(ka, peer, runs) : 0;
  figure->spread = wider(measure_spread(ka, runs), measure_spread(peer, runs));
  figure->ka = measure_quantile(ka, runs, 0.5);
  figure->peer = measure_quantile(peer, runs, 0.5);
  return true;
}

bool measure_compare(const struct comparison *c) {
  struct figure figure;
  return measure(c, &figure) && measure_report(&figure);
}

/* A line of the blocks' medians, or of their tails. */
static bool report_blocks(struct figure figure, double *ka, double *peer, int blocks) {
  double ratios[TAIL_BLOCKS];
  for (int b = 0; b < blocks; ++b)
    ratios[b] = ka[b] / peer[b];
  figure.ratio = measure_quantile(ratios, blocks, 0.5);
  figure.spread = wider(measure_spread(ka, blocks), measure_spread(peer, blocks));
  figure.ka = measure_quantile(ka, blocks, 0.5);
  figure.peer = measure_quantile(peer, blocks, 0.5);
  return measure_report(&figure);
}

bool measure_compare_with_tail(const struct comparison *c) {
  static double ka[TAIL_BLOCK_RUNS], peer[TAIL_BLOCK_RUNS];
  double middles[2][TAIL_BLOCKS], tails[2][TAIL_BLOCKS];
  int blocks = effort_now.quick ? 2 : TAIL_BLOCKS;
  int block_runs = effort_now.quick ? 10 : TAIL_BLOCK_RUNS;
  if (!warm_up(c, block_runs / 10))
    return false;
  for (int b = 0; b < blocks; ++b) {
    for (int i = 0; i < block_runs; ++i)
      if (!run_both(c, i, &ka[i], &peer[i]))
        return false;
    middles[0][b] = measure_quantile(ka, block_runs, 0.5);
    tails[0][b] = measure_quantile(ka, block_runs, 0.99);
    middles[1][b] = measure_quantile(peer, block_runs, 0.5);
    tails[1][b] = measure_quantile(peer, block_runs, 0.99);
  }
  char name[64];
  snprintf(name, sizeof name, "%s, p99", c->name);
  struct figure figure = figure_of(c, blocks * block_runs);
  if (!report_blocks(figure, middles[0], middles[1], blocks))
    return false;
  figure.name = name;
  return report_blocks(figure, tails[0], tails[1], blocks);
}
