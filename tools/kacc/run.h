/* Running clang. */
#ifndef KACC_RUN_H
#define KACC_RUN_H

#include "arguments.h"

/* Becomes the command, so that exit status, signals and terminal are the command's own. Returns
 * only if that failed: the exit status, after an error was reported. */
int run_instead(const struct arguments *command);

/* Runs the command and waits; returns its exit status, 128 + n after signal n. */
int run_and_wait(const struct arguments *command);

/* Runs the command, waits, and puts the beginning of its standard output into `text`, which is
 * empty if there is none or the command cannot be run. */
void run_and_read(const struct arguments *command, char *text, size_t size);

#endif
