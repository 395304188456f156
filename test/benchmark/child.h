/* Programs that are run as children: timed, or talked to. */
#ifndef KA_BENCHMARK_CHILD_H
#define KA_BENCHMARK_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* From before the program's start to its end, in milliseconds. Negative, after a message, unless it
 * ends with status 0. */
double child_run_ms(const char *const *arguments);

/* From before the program's start to the first line that it prints. The same for errors. */
double child_first_line_ms(const char *const *arguments);

/* The number that the program prints. Negative, after a message, unless it prints one and ends with
 * status 0. */
double child_number(const char *const *arguments);

/* A program that runs meanwhile. */
struct child {
  const char *program;
  pid_t pid;
  FILE *output;
};

/* Starts it. False after a message. */
bool child_start(struct child *child, const char *const *arguments);
/* Its next line of output; false: there is no more. */
bool child_line(struct child *child, char *line, int bytes);
/* Waits for its end. False, after a message, unless it ends with status 0. */
bool child_end(struct child *child);

#endif
