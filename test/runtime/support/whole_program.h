/* A program that uses all of an interface, for tests that let something inside it fail: that of
 * libka (whole_program.c) or that of libka-task (whole_task_program.c). */
#ifndef KA_TEST_RUNTIME_SUPPORT_WHOLE_PROGRAM_H
#define KA_TEST_RUNTIME_SUPPORT_WHOLE_PROGRAM_H

#include "test/runtime/support/trying.h"

/* Runs it once and checks every result; with MANY_FAULTS only those of parts in which nothing
 * failed. Returns how many calls failed, and in `last`, if not NULL, the status of the last that
 * did. May be called any number of times, by one thread at a time.
 *
 * Its kernels are built if they are not there, which takes most of the time; whole_program_close
 * ends their module. */
int whole_program(enum faults faults, ka_status *last);
void whole_program_close(void);

/* Puts work in the calling thread's queue and does not wait for it; after whole_program. */
void whole_program_leaves_work(void);

#endif
