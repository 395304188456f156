/* kacc's own errors and warnings, in the form of clang's. */
#include "report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum report_colour colour_mode = REPORT_COLOUR_AUTO;

void report_set_colour(enum report_colour colour) { colour_mode = colour; }

static bool coloured(void) {
  if (colour_mode != REPORT_COLOUR_AUTO)
    return colour_mode == REPORT_COLOUR_ALWAYS;
  const char *terminal = getenv("TERM");
  return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static void report(const char *kind, const char *kind_colour, const char *format, va_list values) {
  bool colours = coloured();
  fprintf(stderr, "%skacc: %s%s: %s", colours ? "\033[1m" : "", colours ? kind_colour : "", kind,
          colours ? "\033[0m\033[1m" : "");
  vfprintf(stderr, format, values);
  fprintf(stderr, "%s\n", colours ? "\033[0m" : "");
}

void report_error(const char *format, ...) {
  va_list values;
  va_start(values, format);
  report("error", "\033[0;1;31m", format, values);
  va_end(values);
}

void report_warning(const char *format, ...) {
  va_list values;
  va_start(values, format);
  report("warning", "\033[0;1;35m", format, values);
  va_end(values);
}
