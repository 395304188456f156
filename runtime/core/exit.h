/* What happens when the program ends. ka__exiting is in backends/backend.h. */
#ifndef KA_RUNTIME_CORE_EXIT_H
#define KA_RUNTIME_CORE_EXIT_H

/* Makes the end of the program wait for launches in flight before drivers are taken down. Called
 * after each step in which a driver or the compiler inside it may have registered functions that
 * run at exit: ours must run before them, so it must be registered after them. */
void ka__exit_watch(void);

#endif
