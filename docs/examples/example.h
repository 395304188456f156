/* What every example needs around its kernel: options, the time, and the verdict. */
#ifndef KA_EXAMPLES_EXAMPLE_H
#define KA_EXAMPLES_EXAMPLE_H

#include <ka/ka.h>
#include <stdbool.h>
#include <stddef.h>

/* What the command line said. */
struct example {
  const char *output; /* directory for pictures; NULL: write none */
  const char *input;  /* a file to work on, or the example's own */
};

/* Reads --output=DIR, --help and, where the example has a default for it, the name of an input
 * file. Ends the program after --help and after an error. */
struct example example_options(int argc, char **argv, const char *purpose,
                               const char *default_input);

/* "<output>/<name>"; valid until the next call. */
const char *example_output_path(const struct example *example, const char *name);

/* Prints which device the kernels will run on. */
void example_print_device(ka_backend *backend);

/* A clock in milliseconds. */
double example_now(void);

/* Prints how long a run took, of which number 0 also built the kernels for the device. */
void example_print_run(int run, double milliseconds);

/* Prints the verdict and returns the exit status: 0 if the results match those of plain C. */
int example_finish(bool matches);

#endif
