/* Keeps the program's signals away from drivers. */
#ifndef KA_RUNTIME_CORE_SIGNALS_H
#define KA_RUNTIME_CORE_SIGNALS_H

#include <ka/abi.h>
#include <signal.h>

/* While a driver is loaded and may start threads: they inherit that all signals are blocked, so
 * that neither handlers of the program run in them nor a signal that the program waits for ends
 * there. Short: a signal that is to end the program waits meanwhile. */
void ka__signals_block_all(sigset_t *before);

/* While a driver builds a kernel, which can take long: only signals with a handler. Others end the
 * program at once, or do nothing. (A driver that waits for a compiler in a process of its own may
 * take the interruption for a failure: PoCL 6 ends the program.) */
void ka__signals_block_handled(sigset_t *before);

/* Starts a thread of libka's own, detached, in which no handler runs but those of faults. 0, or the
 * error of pthread_create. Exported for libka-task. */
KA_API int ka__start_thread(void *(*run)(void *), void *argument);

void ka__signals_restore(const sigset_t *before);

#endif
