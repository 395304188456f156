/* KA_CHECK=1: whether the host leaves the sources of copies alone until they are done. */
#ifndef KA_RUNTIME_CORE_COPY_SOURCE_H
#define KA_RUNTIME_CORE_COPY_SOURCE_H

#include "runtime/backends/backend.h"

/* Before a copy from memory of the host, not ka's, is put in the queue: waits until nothing that is
 * in the queue can write the source any more, and remembers what is in it. */
void ka__copy_source_watch(struct ka__queue *queue, uint64_t ticket, void *destination,
                           const void *source, size_t bytes);

/* Forgets that source again: the copy could not be put in the queue. */
void ka__copy_source_forget(struct ka__queue *queue, uint64_t ticket);

/* Before something is put in the queue that may write these bytes: waits for the copies whose
 * sources it would change, and looks at them. SIZE_MAX bytes from NULL on: it may write anything.
 */
void ka__copy_source_release(struct ka__queue *queue, const void *pointer, size_t bytes);

/* The program has waited for the ticket, in any thread: looks at the sources of all copies up to
 * it. What has changed is a failure of the copy's. */
void ka__copy_source_check(struct ka__queue *queue, uint64_t ticket);

#endif
