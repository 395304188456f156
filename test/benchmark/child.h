/* Times programs that are run as children. */
#ifndef KA_BENCHMARK_CHILD_H
#define KA_BENCHMARK_CHILD_H

/* From before the program's start to its end, in milliseconds. Negative, after a message, unless it
 * ends with status 0. */
double child_run_ms(const char *const *arguments);

/* From before the program's start to the first line that it prints. The same for errors. */
double child_first_line_ms(const char *const *arguments);

/* The number that the program prints. Negative, after a message, unless it prints one and ends with
 * status 0. */
double child_number(const char *const *arguments);

#endif
