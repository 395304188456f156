/* Measures two ways of doing the same in turn, prints a table and writes JSON lines. */
#ifndef KA_BENCHMARK_MEASURE_H
#define KA_BENCHMARK_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* How long and how often to measure. */
struct effort {
  bool quick;      /* for the benchmark's own test: few runs of small problems */
  double seconds;  /* for one comparison */
  int fewest_runs; /* of each side, however long they take */
  int most_runs;
};

/* A line of the table and of the JSON file. With a peer the bound is one for ka / peer. Without one
 * (peer_name NULL) it is one for ka itself, in the unit. Names may not need escapes in JSON, and
 * must not depend on the effort. */
struct figure {
  const char *group, *name, *unit;
  double ka;
  const char *peer_name;
  double peer;
  double ratio; /* of ka to the peer; 0: ka / peer */
  double bound; /* 0: nothing is promised */
  int runs;
  double spread; /* the wider of the two interquartile ranges, as a share of its median */
};

/* Says how to get a figure. `ka` and `peer` do the work once and return how long it took, in
 * `unit`; a negative time says that the work failed, after a message. `peer` is NULL, and peer_name
 * too, if there is none. */
struct comparison {
  const char *group, *name, *unit;
  const char *peer_name;
  double bound;
  double (*ka)(void *state);
  double (*peer)(void *state);
  void *state;
};

/* Starts the table, and the JSON file if there is a path. */
bool measure_begin(const struct effort *effort, const char *json_path);
/* Finishes the file; false if it could not be written whole. */
bool measure_end(void);

/* Runs both sides in turn after a warm-up; fills in the medians and the measure_ratio. */
bool measure(const struct comparison *comparison, struct figure *figure);
/* Adds a line for a figure, however it was come by. */
bool measure_report(const struct figure *figure);
/* Adds a line without a figure: what this machine cannot do, and why. */
bool measure_missing(const char *group, const char *name, const char *unit, const char *why);
/* Measures and reports. */
bool measure_compare(const struct comparison *comparison);
/* For what takes microseconds: very many runs, and a second line, "<name>, p99", with the time that
 * 99 of 100 runs stay below. The bound holds for both. */
bool measure_compare_with_tail(const struct comparison *comparison);

/* From now on no comparison is given more time than so many seconds; 0: as much as the effort says.
 */
void measure_limit(double most);

const struct effort *measure_effort(void);

/* A clock in seconds. */
double measure_now(void);
/* What the calling thread has had of a core, in seconds. */
double measure_thread_time(void);
/* Sorts the times, and returns the value below which that share of them lies. */
double measure_quantile(double *times, int count, double share);
/* How a compares with b, measured in turn: the median of the ratios of the medians of short blocks.
 * It is steadier than the ratio of the medians of all, because times on a CPU device have two
 * levels, with a thread of the driver asleep or awake, and levels hold for a while. */
double measure_ratio(const double *a, const double *b, int count);
/* The interquartile range as a share of the median. */
double measure_spread(double *times, int count);

#endif
