/* When drivers may be called: not while the program ends, and not in a child made by fork(). */
#ifndef KA_RUNTIME_CORE_PROCESS_H
#define KA_RUNTIME_CORE_PROCESS_H

#include <ka/ka.h>

/* A public function that may call a driver, or takes a lock that is held meanwhile, does so between
 * these two. ka__enter says whether that is allowed; the end of the program waits for ka__leave.
 * The thread cannot be cancelled in between: a driver's locks would stay locked. Calls of one
 * thread may nest, and may end in any order. */
bool ka__enter(void);
void ka__leave(void);

/* Comes back after a ka__leave in the middle of a call, which a ka__leave will follow in any case;
 * false if drivers may not be called any more. */
bool ka__enter_again(void);

/* Makes the text for a call that ka__enter did not let in, and returns its status. */
ka_status ka__refused(const char *call);

/* Whether this process is a child made by fork() after its parent had called ka__enter. Drivers'
 * threads are not there, and locks may have been held by threads that are not there. */
bool ka__forked(void);

/* ka__exit_watch and ka__exiting are in backends/backend.h. */

#endif
