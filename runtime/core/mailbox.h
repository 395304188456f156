/* The mailbox of a queue (ka/abi.h): what its kernels tell the host.
 *
 * A queue gets it at the first launch of a kernel with KA_METADATA_MAILBOX. It is memory that the
 * device and the host see, and beside it the host's own record of which launch was which kernel's.
 * It stays as long as the queue, which is for ever. */
#ifndef KA_RUNTIME_CORE_MAILBOX_H
#define KA_RUNTIME_CORE_MAILBOX_H

#include "runtime/core/module.h"

/* Sets launch->mailbox for a launch, with its final ticket, of a kernel that needs one, and notes
 * whose launch it is. Only the queue's thread calls it. Takes memory for the first such launch of
 * the queue only. Fails, with a text, if the device has no memory that the host sees. */
ka_status ka__mailbox_prepare(struct ka__queue *queue, const struct ka__kernel_state *kernel,
                              struct ka__launch *launch);

/* Takes out what launches with tickets up to `ticket`, which have completed, have put in, and gives
 * failures to ka__queue_failed. The core calls it before it lets anybody know that they have
 * completed. Any thread; the same may be asked for by several at once. */
void ka__mailbox_empty(struct ka__queue *queue, uint64_t ticket);

#endif
