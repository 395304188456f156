/* Marks: the queues whose operations still use an object.
 *
 * A queue has one mark in an object. The first few are in the object, wherever there is room; only
 * the queue's own thread makes or renews its mark, and anybody may take the place of one that is
 * over, always by compare-and-swap, so no mark is ever lost. Further ones are in a table by the
 * queue's number, where each word has one writer. The table stays until the program ends: somebody
 * may be looking at it, and what was shared once is shared again. */
#include "runtime/core/uses.h"

#include "runtime/core/permanent.h"

enum {
  QUEUE_LIMIT = 1 << (64 - KA__TICKET_BITS),
  BLOCK = 256, /* queues in a part of the table */
};

struct block {
  _Atomic uint64_t tickets[BLOCK];
};

struct far {
  _Atomic(void *) blocks[QUEUE_LIMIT / BLOCK]; /* struct block */
};

/* By number; 0 stands for no queue. Pages of it that no queue has reached take no memory. */
static _Atomic(struct ka__queue *) queues[QUEUE_LIMIT];
static _Atomic uint32_t queue_count;

bool ka__uses_enter_queue(struct ka__queue *queue) {
  uint32_t count = atomic_load(&queue_count);
  do {
    if (count + 1 >= QUEUE_LIMIT)
      return false;
  } while (!atomic_compare_exchange_weak(&queue_count, &count, count + 1));
  queue->number = count + 1;
  atomic_store_explicit(&queues[queue->number], queue, memory_order_release);
  return true;
}

void ka__uses_leave_queue(struct ka__queue *queue) {
  atomic_store(&queues[queue->number], NULL);
  /* If another queue has come since, the number is lost. */
  uint32_t last = queue->number;
  atomic_compare_exchange_strong(&queue_count, &last, last - 1);
}

static struct ka__use use_of(uint64_t number, uint64_t ticket) {
  return (struct ka__use){atomic_load_explicit(&queues[number], memory_order_acquire), ticket};
}

static struct ka__use unpack(uint64_t mark) {
  return use_of(mark >> KA__TICKET_BITS, mark & (((uint64_t)1 << KA__TICKET_BITS) - 1));
}

static bool is_over(const struct ka__use *use) {
  return atomic_load_explicit(&use->queue->completed, memory_order_acquire) >= use->ticket;
}

/* Makes the queue's mark in the object itself, in a place that is its own already, else one that is
 * free, else one whose mark is over. */
static bool add_near(struct ka__uses *uses, uint64_t number, uint64_t ticket) {
  uint64_t mark = number << KA__TICKET_BITS | ticket;
  for (;;) {
    _Atomic uint64_t *place = NULL;
    uint64_t seen = 0;
    for (int i = 0; i < KA__USES_NEAR; i++) {
      uint64_t there = atomic_load_explicit(&uses->near[i], memory_order_acquire);
      if (there >> KA__TICKET_BITS == number || (there == 0 && !place)) {
        place = &uses->near[i];
        seen = there;
        if (there)
          break;
      }
    }
    for (int i = 0; !place && i < KA__USES_NEAR; i++) {
      seen = atomic_load_explicit(&uses->near[i], memory_order_acquire);
      struct ka__use use = unpack(seen);
      if (seen == 0 || is_over(&use))
        place = &uses->near[i];
    }
    if (!place)
      return false;
    /* Fails only when another thread has taken the place; then look again. */
    if (atomic_compare_exchange_strong(place, &seen, mark))
      return true;
  }
}

/* Memory that several threads may make at once: the first one's stays. */
static void *made_once(_Atomic(void *) *place, size_t bytes) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  void *there = atomic_load_explicit(place, memory_order_acquire);
  if (there)
    return there;
  pthread_mutex_lock(&making);
  there = atomic_load_explicit(place, memory_order_relaxed);
  if (!there) {
    there = ka__permanent(bytes);
    atomic_store_explicit(place, there, memory_order_release);
  }
  pthread_mutex_unlock(&making);
  return there;
}

static bool add_far(struct ka__uses *uses, uint64_t number, uint64_t ticket) {
  struct far *far = made_once(&uses->far, sizeof *far);
  if (!far)
    return false;
  struct block *block = made_once(&far->blocks[number / BLOCK], sizeof *block);
  if (!block)
    return false;
  atomic_exchange(&block->tickets[number % BLOCK], ticket);
  return true;
}

bool ka__uses_add(struct ka__uses *uses, const struct ka__queue *queue, uint64_t ticket) {
  return add_near(uses, queue->number, ticket) || add_far(uses, queue->number, ticket);
}

static bool far_pending(struct far *far, struct ka__use *pending) {
  uint32_t last = atomic_load(&queue_count);
  for (uint32_t b = 0; b <= last / BLOCK; b++) {
    struct block *block = atomic_load(&far->blocks[b]);
    for (uint32_t i = 0; block && i < BLOCK; i++) {
      uint64_t ticket = atomic_load(&block->tickets[i]);
      if (!ticket)
        continue;
      *pending = use_of((uint64_t)b * BLOCK + i, ticket);
      if (!is_over(pending))
        return true;
    }
  }
  return false;
}

bool ka__uses_pending(struct ka__uses *uses, struct ka__use *pending) {
  for (int i = 0; i < KA__USES_NEAR; i++) {
    uint64_t mark = atomic_load(&uses->near[i]);
    if (!mark)
      continue;
    *pending = unpack(mark);
    if (!is_over(pending))
      return true;
    /* If it has been renewed meanwhile, that is by somebody who will see that the object is gone,
     * or who made the mark too late for this look. */
    atomic_compare_exchange_strong(&uses->near[i], &mark, 0);
  }
  struct far *far = atomic_load(&uses->far);
  return far && far_pending(far, pending);
}
