/* The print buffer of a queue (ka/abi.h): memory that its kernels fill and the host empties.
 *
 * A queue gets it at the first launch of a kernel that prints, and keeps it. Any thread may print
 * what is in it, also while kernels run; only the queue's own thread, when none does, takes what
 * has been printed out of it. */
#ifndef KA_RUNTIME_CORE_PRINT_BUFFER_H
#define KA_RUNTIME_CORE_PRINT_BUFFER_H

#include "runtime/backends/backend.h"

struct ka__print_buffer;

/* Before a launch of a kernel that prints: sees that there is a buffer, and that it is not half
 * full, which can mean to wait for the launches before. Only the queue's thread calls it. */
ka_status ka__print_prepare(struct ka__queue *queue, const char *kernel,
                            struct ka__print_buffer **buffer);

/* Writes to stdout what kernels of the queue have printed; all that those have that have completed,
 * in order. The caller holds no lock, since it can block as any writing to stdout can. */
void ka__print_flush(struct ka__queue *queue);
/* The same, but leaves it to another thread that is doing it. */
void ka__print_try_flush(struct ka__queue *queue);

#endif
