/* The list of dependencies between queues, in the order in which they were made.
 *
 * That order makes one pass enough: a queue can only wait for events that were recorded before, so
 * whatever the awaited part of a queue depends on itself stands earlier in the list. */
#include "runtime/core/dependency.h"

#include "runtime/core/event.h"
#include "runtime/core/queue.h"
#include "runtime/core/status.h"

#include <stdlib.h>

struct dependency {
  struct ka__queue *queue;
  uint64_t ticket;
  ka_event *on; /* held */
  struct dependency *next;
};

/* With so many undecided ones a pass is due; it then may be as many more. */
enum { SOME = 64 };

/* The lock guards the rest. Locks of queues, and of drivers for a question that does not block, are
 * taken inside. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dependency *first, **end = &first;
static struct dependency *spare;
static size_t pass_due = SOME;
static _Atomic size_t count; /* read without the lock where none is what matters */

static bool is_over(const struct dependency *d) {
  if (atomic_load(&d->queue->completed) < d->ticket)
    ka__queue_poll(d->queue);
  return atomic_load(&d->queue->completed) >= d->ticket;
}

static void hand_on_failure(const struct dependency *d) {
  char text[KA__FAILURE_TEXT];
  ka__queue_poll(d->on->before.queue);
  ka_status status = ka__stretch_failure(&d->on->before, text);
  if (status != KA_OK)
    ka__queue_failed(d->queue, d->ticket, status,
                     "what was before an event that the queue waits for has failed: %s", text);
}

/* Under the lock. Returns those that are over, for let_go. */
static struct dependency *settle(void) {
  struct dependency *over = NULL;
  struct dependency **at = &first;
  while (*at) {
    struct dependency *d = *at;
    if (!is_over(d)) {
      at = &d->next;
      continue;
    }
    hand_on_failure(d);
    *at = d->next;
    d->next = over;
    over = d;
    atomic_fetch_sub(&count, 1);
  }
  end = at;
  return over;
}

/* Without the lock, since who releases the last hold on an event may call the driver. */
static void let_go(struct dependency *over) {
  if (!over)
    return;
  struct dependency *last = NULL;
  for (struct dependency *d = over; d; d = d->next) {
    ka_event_release(d->on);
    last = d;
  }
  pthread_mutex_lock(&lock);
  last->next = spare;
  spare = over;
  pthread_mutex_unlock(&lock);
}

void ka__dependencies_settle(void) {
  if (!atomic_load(&count))
    return;
  pthread_mutex_lock(&lock);
  struct dependency *over = settle();
  pthread_mutex_unlock(&lock);
  let_go(over);
}

ka_status ka__dependency_add(struct ka__queue *queue, uint64_t ticket, ka_event *on) {
  struct dependency *over = NULL;
  pthread_mutex_lock(&lock);
  if (atomic_load(&count) >= pass_due) {
    over = settle();
    pass_due = 2 * atomic_load(&count) + SOME;
  }
  struct dependency *d = spare;
  if (d)
    spare = d->next;
  else
    d = malloc(sizeof *d);
  if (d) {
    *d = (struct dependency){.queue = queue, .ticket = ticket, .on = on};
    ka__event_hold(on);
    *end = d;
    end = &d->next;
    atomic_fetch_add(&count, 1);
  }
  pthread_mutex_unlock(&lock);
  let_go(over);
  return d ? KA_OK
           : ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory to keep account of what a queue "
                                              "waits for");
}
