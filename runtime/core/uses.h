/* Who still uses something: for each queue, the ticket of the last operation that does. */
#ifndef KA_RUNTIME_CORE_USES_H
#define KA_RUNTIME_CORE_USES_H

#include "runtime/backends/backend.h"

struct ka__use {
  struct ka__queue *queue;
  uint64_t ticket;
};

/* Callers hold one lock for all calls on one object. All bits zero is an empty set. */
struct ka__uses {
  struct ka__use few[2]; /* most objects meet one or two queues */
  struct ka__use *many;  /* instead of `few`, once those did not suffice */
  uint32_t count, capacity;
};

/* Replaces the queue's earlier use. Does not allocate unless more queues use the object at once
 * than ever before. False: out of memory. */
bool ka__uses_add(struct ka__uses *uses, struct ka__queue *queue, uint64_t ticket);

/* Forgets uses that are known to have completed. True and one of the others, if there is one. */
bool ka__uses_pending(struct ka__uses *uses, struct ka__use *pending);

void ka__uses_release(struct ka__uses *uses);

#endif
