/* Queues: one in-order queue for each thread and device, from a pool. */
#ifndef KA_RUNTIME_CORE_QUEUE_H
#define KA_RUNTIME_CORE_QUEUE_H

#include "runtime/backends/backend.h"

/* A queue of the started device for a thread that has none: one that rests, or a new one. NULL and
 * a status if it cannot be had. */
struct ka__queue *ka__queue_take(struct ka__device *device, ka_status *status);

/* The thread has ended: its queue rests until another thread needs one. What is in it still runs.
 * It must not be used by the caller any more. */
void ka__queue_give_back(struct ka__queue *queue);

/* Takes the next ticket, after making sure that no more than KA__QUEUE_DEPTH operations are under
 * way: that can block, and fails, with a text, if waiting fails. Only the queue's thread calls it.
 * The operation may fail to be put in the queue; its ticket then counts as completed with those
 * before it. */
ka_status ka__queue_ticket(struct ka__queue *queue, uint64_t *ticket);

/* The operation with this ticket has been handed to the driver, or has failed to be. */
void ka__queue_submitted(struct ka__queue *queue, uint64_t ticket);

/* Brings queue->completed up to date without blocking. */
void ka__queue_poll(struct ka__queue *queue);

/* Whether the caller may wait for the ticket: not in a callback of the loop of a scheduler thread,
 * unless it has completed already. */
ka_status ka__queue_may_wait(struct ka__queue *queue, uint64_t ticket);

/* Blocks until the ticket, if it was submitted, has completed. */
ka_status ka__queue_wait(struct ka__queue *queue, uint64_t ticket);

/* Whether everything submitted is known to have completed; does not ask the driver. */
bool ka__queue_is_idle(const struct ka__queue *queue);

/* Blocks until everything submitted has completed; the first asynchronous error stays recorded. */
ka_status ka__queue_finish(struct ka__queue *queue);

/* The same for all queues of all devices. */
void ka__queue_finish_all(void);

/* At the end of the program: says on stderr which failures nobody has asked for. */
void ka__queue_tell_the_rest(void);

/* What is put in from now on has that priority. Only the queue's thread calls it. */
ka_status ka__queue_set_priority(struct ka__queue *queue, ka_priority_level level);

#endif
