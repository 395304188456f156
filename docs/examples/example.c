/* What every example needs around its kernel: options, the time, and the verdict. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static void print_help(const char *program, const char *purpose, const char *default_input) {
  printf("Usage: %s [--output[=DIR]]%s\n\n%s\n\n"
         "  --output[=DIR]  write pictures to DIR, or to the current directory;\n"
         "                  without this option nothing is written\n"
         "  --help          this text\n",
         program, default_input ? " [PHOTO.png]" : "", purpose);
}

struct example example_options(int argc, char **argv, const char *purpose,
                               const char *default_input) {
  struct example example = {.input = default_input};
  const char *slash = strrchr(argv[0], '/');
  const char *program = slash ? slash + 1 : argv[0];
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help(program, purpose, default_input);
      exit(0);
    } else if (strcmp(argv[i], "--output") == 0) {
      example.output = ".";
    } else if (strncmp(argv[i], "--output=", 9) == 0) {
      example.output = argv[i] + 9;
    } else if (argv[i][0] != '-' && default_input) {
      example.input = argv[i];
    } else {
      fprintf(stderr, "%s: unknown argument '%s'; --help lists what it takes\n", program, argv[i]);
      exit(1);
    }
  }
  struct stat status;
  if (example.output && (stat(example.output, &status) != 0 || !S_ISDIR(status.st_mode))) {
    fprintf(stderr, "%s: there is no directory '%s' to write to; make it or name another\n",
            program, example.output);
    exit(1);
  }
  return example;
}

const char *example_output_path(const struct example *example, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", example->output, name);
  return path;
}

void example_print_device(ka_backend *backend) {
  if (!backend) {
    fprintf(stderr, "no device to run on: %s\n", ka_error_message());
    exit(1);
  }
  ka_device_properties properties;
  KA_CHECK(ka_device_info(backend, ka_get_device(backend), &properties));
  printf("device:  %s (%s, %u compute units)\n", properties.name, ka_backend_name(backend),
         (unsigned)properties.compute_units);
}

double example_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

void example_print_run(int run, double milliseconds) {
  if (run == 0)
    printf("first:   %.3f ms, with the build of its kernels\n", milliseconds);
  else
    printf("then:    %.3f ms\n", milliseconds);
}

int example_finish(bool matches) {
  puts(matches ? "matches plain C" : "DIFFERS from plain C");
  return matches ? 0 : 1;
}
