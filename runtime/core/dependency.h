/* Queues that wait for events of other queues: a failure before the event is one of the queue that
 * waited for it, whatever the driver makes of that. */
#ifndef KA_RUNTIME_CORE_DEPENDENCY_H
#define KA_RUNTIME_CORE_DEPENDENCY_H

#include "runtime/backends/backend.h"

/* The operation of `queue` with that ticket follows what another queue has before the event, and
 * fails if something of it fails. `ticket` has been taken and not yet submitted; the event is held
 * as long as the answer is needed. Fails, with a text, if there is no memory. */
ka_status ka__dependency_add(struct ka__queue *queue, uint64_t ticket, ka_event *on);

/* Hands on failures to operations that have completed, in all queues. Does not block. */
void ka__dependencies_settle(void);

#endif
