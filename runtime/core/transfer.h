/* What copies and fills have in common: their tickets, and the memory that they use. */
#ifndef KA_RUNTIME_CORE_TRANSFER_H
#define KA_RUNTIME_CORE_TRANSFER_H

#include "runtime/backends/backend.h"

/* As ka__queue_ticket, with a text that says which call failed. */
ka_status ka__transfer_ticket(const char *call, struct ka__queue *queue, uint64_t *ticket);

/* Checks what the operation is to read, or write, and keeps its allocation, if it lies in one,
 * alive until the ticket has completed. */
ka_status ka__transfer_hold(const char *call, bool write, struct ka__queue *queue, uint64_t ticket,
                            const void *pointer, size_t bytes, bool *registered);

#endif
