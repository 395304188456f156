/* kacc's own errors and warnings, in the form of clang's. */
#ifndef KACC_REPORT_H
#define KACC_REPORT_H

enum report_colour { REPORT_COLOUR_AUTO, REPORT_COLOUR_ALWAYS, REPORT_COLOUR_NEVER };

/* How -fcolor-diagnostics and its kin want it; at first as the terminal can. */
void report_set_colour(enum report_colour colour);

/* "kacc: error: ..." on stderr. */
void report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
