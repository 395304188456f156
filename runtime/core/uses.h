/* Who still uses something: for each queue, the ticket of the last operation that does. */
#ifndef KA_RUNTIME_CORE_USES_H
#define KA_RUNTIME_CORE_USES_H

#include "runtime/backends/backend.h"

struct ka__use {
  struct ka__queue *queue;
  uint64_t ticket;
};

/* The marks of so many queues are in the object itself: most objects meet one or two. */
#define KA__USES_NEAR 3

enum { KA__TICKET_BITS = 48 }; /* at a launch each microsecond, nine years of a queue */

/* All bits zero is an empty set. Marks are made and looked at from any thread, without a lock.
 * Each is one word, the number of a queue and a ticket of it, so that who looks never sees half of
 * one, and a mark that is over is replaced in one step. */
struct ka__uses {
  _Atomic uint64_t near[KA__USES_NEAR];
  _Atomic(void *) far; /* once more queues than that used the object at a time */
};

/* Gives the queue the number that marks know it by. False: there are no more. */
bool ka__uses_enter_queue(struct ka__queue *queue);
/* Takes the number back, of a queue that could not be made. */
void ka__uses_leave_queue(struct ka__queue *queue);

/* Replaces the queue's earlier mark. Called by the thread that has the queue, with a ticket that
 * has not been submitted. What it reads afterwards (memory_order_seq_cst) it reads after all others
 * can see the mark. Allocates only when more queues use the object at once than ever before.
 * False: out of memory. */
bool ka__uses_add(struct ka__uses *uses, const struct ka__queue *queue, uint64_t ticket);

/* As ka__uses_add, if the queue has a mark in the object itself already. False: it has not, or
 * another thread has taken it out meanwhile, and nothing is marked. Here, since each pointer of
 * each launch comes by. */
static inline bool ka__uses_renew(struct ka__uses *uses, const struct ka__queue *queue,
                                  uint64_t ticket) {
  uint64_t number = queue->number;
  for (int i = 0; i < KA__USES_NEAR; i++) {
    uint64_t mark = atomic_load_explicit(&uses->near[i], memory_order_acquire);
    if (mark >> KA__TICKET_BITS == number)
      return atomic_compare_exchange_strong(&uses->near[i], &mark,
                                            number << KA__TICKET_BITS | ticket);
  }
  return false;
}

/* Forgets marks that are known to be over. True and one of the others, if there is one. */
bool ka__uses_pending(struct ka__uses *uses, struct ka__use *pending);

#endif
