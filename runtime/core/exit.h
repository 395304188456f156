/* What happens when the program ends. */
#ifndef KA_RUNTIME_CORE_EXIT_H
#define KA_RUNTIME_CORE_EXIT_H

#include <stdbool.h>

/* Makes the end of the program wait for launches in flight before drivers are taken down. Called
 * after each step in which a driver or the compiler inside it may have registered functions that
 * run at exit: ours must run before them, so it must be registered after them. */
void ka__exit_watch(void);

/* Whether the program is ending: drivers may be gone and must not be called. Exit functions and
 * destructors of the program may still call libka. */
bool ka__exiting(void);

#endif
