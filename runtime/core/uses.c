/* The set of queues whose operations still use an object. */
#include "runtime/core/uses.h"

#include <stdlib.h>
#include <string.h>

static struct ka__use *entries(struct ka__uses *uses) {
  return uses->many ? uses->many : uses->few;
}

static bool completed(const struct ka__use *use) {
  return atomic_load_explicit(&use->queue->completed, memory_order_acquire) >= use->ticket;
}

bool ka__uses_add(struct ka__uses *uses, struct ka__queue *queue, uint64_t ticket) {
  struct ka__use *all = entries(uses);
  struct ka__use *free_entry = NULL;
  for (uint32_t i = 0; i < uses->count; i++) {
    if (all[i].queue == queue) {
      all[i].ticket = ticket;
      return true;
    }
    if (!free_entry && completed(&all[i]))
      free_entry = &all[i];
  }
  if (!free_entry) {
    uint32_t capacity = uses->many ? uses->capacity : sizeof uses->few / sizeof *uses->few;
    if (uses->count == capacity) {
      struct ka__use *more = malloc(2 * capacity * sizeof *more);
      if (!more)
        return false;
      memcpy(more, all, uses->count * sizeof *more);
      free(uses->many);
      uses->many = all = more;
      uses->capacity = 2 * capacity;
    }
    free_entry = &all[uses->count++];
  }
  *free_entry = (struct ka__use){queue, ticket};
  return true;
}

bool ka__uses_pending(struct ka__uses *uses, struct ka__use *pending) {
  struct ka__use *all = entries(uses);
  while (uses->count) {
    if (!completed(&all[uses->count - 1])) {
      *pending = all[uses->count - 1];
      return true;
    }
    uses->count--;
  }
  return false;
}

void ka__uses_release(struct ka__uses *uses) {
  free(uses->many);
  *uses = (struct ka__uses){0};
}
