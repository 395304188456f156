/* ka-info: which backends and devices ka finds on this machine, what each can do, and why a
 * backend is missing. */
#include "report.h"

#include <ka/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_NO_BACKEND = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: ka-info [--json] [--help] [--version]\n"
    "\n"
    "Shows the backends and devices that ka finds on this machine, what each can do, and what to\n"
    "install when a backend is missing.\n"
    "\n"
    "  --json     one JSON object instead of text\n"
    "  --help     this text\n"
    "  --version  the version of ka\n"
    "\n"
    "Exit status: 0 if a backend works, 1 if none does, 2 for a wrong command line.\n"
    "Environment: KA_BACKEND (\"opencl\", \"opencl:1\") chooses the default backend and device;\n"
    "KA_OPENCL_LIBRARY names another OpenCL loader than libOpenCL.so.1.\n";

/* ka_error_message() lives until the next failure. */
static char *message(void) {
  size_t bytes = strlen(ka_error_message()) + 1;
  char *copy = malloc(bytes);
  if (!copy) {
    fputs("ka-info: out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return memcpy(copy, ka_error_message(), bytes);
}

static bool collect(struct report *report) {
  bool works = false;
  report->variable = getenv("KA_BACKEND");
  report->chosen = ka_default_backend();
  if (report->chosen)
    report->chosen_device = ka_get_device(report->chosen);
  else
    report->reason = message();
  for (int i = 0; i < REPORT_BACKENDS && ka_backend_name_at(i); i++) {
    struct backend_report *b = &report->backends[report->count++];
    b->name = ka_backend_name_at(i);
    b->backend = ka_backend_open(b->name);
    if (b->backend)
      works = true;
    else
      b->reason = message();
  }
  return works;
}

int main(int argc, char **argv) {
  bool json = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      fputs(usage, stdout);
      return EXIT_SUCCESS;
    } else if (strcmp(argv[i], "--version") == 0) {
      puts("ka-info " KA_VERSION_STRING);
      return EXIT_SUCCESS;
    } else {
      fprintf(stderr, "ka-info: unknown argument '%s'\n\n%s", argv[i], usage);
      return EXIT_USAGE;
    }
  }
  struct report report = {0};
  bool works = collect(&report);
  if (json)
    report_json(&report);
  else
    report_print(&report);
  for (int i = 0; i < report.count; i++)
    free(report.backends[i].reason);
  free(report.reason);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("ka-info: cannot write");
    return EXIT_FAILURE;
  }
  return works ? EXIT_SUCCESS : EXIT_NO_BACKEND;
}
