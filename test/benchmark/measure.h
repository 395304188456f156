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

/* One comparison. `ka` and `peer` do the work once and return how long it took, in `unit`; a
 * negative time says that the work failed, after a message. */
struct comparison {
  const char *group, *name, *unit;
  const char *peer_name;
  double bound; /* promised for the ratio ka / peer; 0: none */
  double (*ka)(void *state);
  double (*peer)(void *state);
  void *state;
};

/* Starts the table, and the JSON file if there is a path. */
bool measure_begin(const struct effort *effort, const char *json_path);
/* Runs both sides in turn after a warm-up; adds a line to the table and the file. */
bool measure_compare(const struct comparison *comparison);
/* Adds a line for a figure that was measured elsewhere: the same ka, held against a fixed peer. */
bool measure_against(const struct comparison *comparison, double peer);
/* Finishes the file; false if it could not be written whole. */
bool measure_end(void);

const struct effort *measure_effort(void);

/* A clock in seconds. */
double measure_now(void);

#endif
