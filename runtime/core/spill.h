/* Arguments that are more than a device takes: the kernel reads them from memory. */
#ifndef KA_RUNTIME_CORE_SPILL_H
#define KA_RUNTIME_CORE_SPILL_H

#include "runtime/backends/backend.h"

/* Sets launch->spilled to a copy of launch->tuple that lasts until the launch has completed. Called
 * by the queue's thread with a ticket that has not been submitted; if the copy is an operation of
 * the queue it takes that ticket, and the launch gets the next. A failure has a text. */
ka_status ka__spill(struct ka__queue *queue, const struct ka__kernel_view *view,
                    struct ka__launch *launch);

/* After the launch has been put in the queue, or has failed to be. */
void ka__spill_release(const struct ka__launch *launch);

#endif
