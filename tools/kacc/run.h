/* Running clang. */
#ifndef KACC_RUN_H
#define KACC_RUN_H

#include "arguments.h"

/* Becomes the command, so that exit status, signals and terminal are the command's own. Returns
 * only if that failed: the exit status, after an error was reported. */
int run_instead(const struct arguments *command);

/* Runs the command and waits; returns its exit status, 128 + n after signal n. */
int run_and_wait(const struct arguments *command);

#endif
