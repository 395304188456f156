/* The pool of queues of each device, tickets, and waiting. */
#include "runtime/core/queue.h"

#include "runtime/core/cooperation.h"
#include "runtime/core/failure.h"
#include "runtime/core/mailbox.h"
#include "runtime/core/print_buffer.h"
#include "runtime/core/process.h"
#include "runtime/core/signals.h"
#include "runtime/core/status.h"
#include "runtime/core/uses.h"

#include <stdlib.h>

/* Every queue of every device, linked by `next`. None is ever taken out. */
static _Atomic(struct ka__queue *) all_queues;

/* What an earlier thread left in a queue would delay the next one, so a queue that is still busy
 * rests on, unless there are so many: then one that has rested long is taken. */
enum { MOST_BUSY = 16 };

bool ka__queue_is_idle(const struct ka__queue *queue) {
  return atomic_load_explicit(&queue->completed, memory_order_acquire) >=
         atomic_load_explicit(&queue->submitted, memory_order_acquire);
}

/* Whether something that was put in is known to be under way. */
static bool is_busy(struct ka__queue *queue) {
  ka__queue_poll(queue);
  return queue->device->backend->table->poll && !ka__queue_is_idle(queue);
}

/* Under the device's lock. */
static struct ka__queue *resting_queue(struct ka__device *device) {
  struct ka__queue **at = &device->resting;
  int busy = 0;
  for (; *at && is_busy(*at); at = &(*at)->next_resting)
    if (++busy == MOST_BUSY)
      break;
  struct ka__queue *queue = *at;
  if (queue) {
    *at = queue->next_resting;
    queue->next_resting = NULL;
  }
  return queue;
}

struct ka__queue *ka__queue_take(struct ka__device *device, ka_status *status) {
  pthread_mutex_lock(&device->lock);
  struct ka__queue *queue = resting_queue(device);
  pthread_mutex_unlock(&device->lock);
  if (queue) {
    /* A failure still to come of the thread before would keep this one's out of the mailbox. If
     * waiting fails, that is the driver's, and what is launched next says it. */
    if (atomic_load(&queue->mailbox) && !ka__queue_is_idle(queue))
      ka__queue_finish(queue);
    ka__queue_forget_error(queue);
    queue->begun = atomic_load(&queue->submitted);
    /* If the driver cannot any more, the order of service is all that suffers. */
    ka__queue_set_priority(queue, KA_PRIORITY_NORMAL);
    return queue;
  }
  queue = calloc(1, sizeof *queue);
  if (!queue) {
    *status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for a queue");
    return NULL;
  }
  queue->device = device;
  pthread_mutex_init(&queue->lock, NULL);
  bool numbered = ka__uses_enter_queue(queue);
  if (numbered) {
    sigset_t signals;
    ka__signals_block_all(&signals);
    *status = device->backend->table->queue_create(queue);
    ka__signals_restore(&signals);
  } else {
    *status = ka__fail(KA_ERROR_OUT_OF_MEMORY,
                       "more threads use devices at a time than there can be queues");
  }
  if (*status != KA_OK) {
    if (numbered)
      ka__uses_leave_queue(queue);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    return NULL;
  }
  queue->next = atomic_load(&all_queues);
  while (!atomic_compare_exchange_weak(&all_queues, &queue->next, queue))
    ;
  return queue;
}

void ka__queue_give_back(struct ka__queue *queue) {
  if (ka__forked())
    return; /* it is the parent's */
  struct ka__device *device = queue->device;
  pthread_mutex_lock(&device->lock);
  queue->next_resting = device->resting;
  device->resting = queue;
  pthread_mutex_unlock(&device->lock);
}

ka_status ka__queue_set_priority(struct ka__queue *queue, ka_priority_level level) {
  if (queue->priority == level)
    return KA_OK;
  const struct ka__device *device = queue->device;
  if (!device->backend->table->set_priority)
    return ka__fail(KA_ERROR_UNSUPPORTED,
                    "device '%s': backend %s has no priorities; all queues are served alike",
                    device->properties.name, device->backend->table->name);
  ka_status status = device->backend->table->set_priority(queue, level);
  if (status == KA_OK)
    queue->priority = level;
  return status;
}

static bool is_full(const struct ka__queue *queue, uint64_t ticket) {
  return ticket - atomic_load_explicit(&queue->completed, memory_order_relaxed) > KA__QUEUE_DEPTH;
}

ka_status ka__queue_ticket(struct ka__queue *queue, uint64_t *ticket) {
  *ticket = atomic_load_explicit(&queue->submitted, memory_order_relaxed) + 1;
  if (is_full(queue, *ticket)) {
    ka__queue_poll(queue);
    if (is_full(queue, *ticket))
      return ka__queue_wait(queue, *ticket - KA__QUEUE_DEPTH / 2);
  }
  return KA_OK;
}

void ka__queue_submitted(struct ka__queue *queue, uint64_t ticket) {
  atomic_store_explicit(&queue->submitted, ticket, memory_order_release);
}

/* Several threads may learn of progress at once; the number only grows. Who sees it finds that
 * failures of what has completed are recorded. */
static void completed_up_to(struct ka__queue *queue, uint64_t ticket) {
  uint64_t known = atomic_load_explicit(&queue->completed, memory_order_relaxed);
  if (known < ticket)
    ka__mailbox_empty(queue, ticket);
  while (known < ticket &&
         !atomic_compare_exchange_weak_explicit(&queue->completed, &known, ticket,
                                                memory_order_release, memory_order_relaxed))
    ;
}

void ka__queue_poll(struct ka__queue *queue) {
  const struct ka__backend_table *table = queue->device->backend->table;
  if (!table->poll)
    return;
  uint64_t submitted = atomic_load_explicit(&queue->submitted, memory_order_acquire);
  uint64_t completed = table->poll(queue);
  completed_up_to(queue, completed < submitted ? completed : submitted);
}

static bool is_complete(const struct ka__queue *queue, uint64_t ticket) {
  return atomic_load_explicit(&queue->completed, memory_order_acquire) >= ticket;
}

/* Blocks the thread. */
static ka_status wait_in_driver(struct ka__queue *queue, uint64_t ticket) {
  const struct ka__backend_table *table = queue->device->backend->table;
  ka_status status = table->wait ? table->wait(queue, ticket) : table->synchronize(queue);
  if (status == KA_OK)
    completed_up_to(queue, ticket);
  return status;
}

/* ---- Waiting in a task ---- */

/* On the stack of the task, which stays until it has come. */
struct moment {
  struct ka__completion completion; /* first: its address is the moment's */
  struct ka__queue *queue;
  uint64_t ticket;
  ka_wait_request *request;
};

static void moment_has_come(struct ka__completion *completion) {
  ka__wait_over(((struct moment *)completion)->request);
}

static ka_status poll_moment(void *object, bool *complete) {
  const struct moment *m = object;
  *complete = is_complete(m->queue, m->ticket);
  if (*complete)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("a wait for the device");
  ka__queue_poll(m->queue);
  ka__leave();
  *complete = is_complete(m->queue, m->ticket);
  return KA_OK;
}

static ka_status subscribe_moment(void *object, ka_wait_request *request) {
  struct moment *m = object;
  if (!ka__enter())
    return ka__refused("a wait for the device");
  m->request = request;
  ka_status status = m->queue->device->backend->table->notify(m->queue, m->ticket, &m->completion);
  ka__leave();
  return status;
}

static ka_status block_for_moment(void *object) {
  const struct moment *m = object;
  if (!ka__enter())
    return ka__refused("a wait for the device");
  ka_status status = wait_in_driver(m->queue, m->ticket);
  ka__leave();
  return status;
}

/* A kernel that ends soon is seen soonest by looking. Not where the device is the processor: there
 * the driver's thread may be about to run on the very core of who looks, and sched_yield does not
 * always give that away. (Measured: kernels of 20 to 300 us ended 16 us later; docs/design.md.) */
enum { POLL_NANOSECONDS = 10000 };

static ka_status wait_as_task(struct ka__queue *queue, uint64_t ticket) {
  uint64_t polls = queue->device->properties.is_cpu ? 0 : POLL_NANOSECONDS;
  /* A cancelled task waits all the same: the device may still be writing memory of its. */
  const ka_wait_ops with_callback = {.poll = poll_moment,
                                     .subscribe = subscribe_moment,
                                     .poll_nanoseconds = polls,
                                     .uninterruptible = true};
  const ka_wait_ops with_poll = {.poll = poll_moment,
                                 .wait = block_for_moment,
                                 .poll_nanoseconds = polls,
                                 .uninterruptible = true};
  static const ka_wait_ops blocking = {.wait = block_for_moment, .uninterruptible = true};
  const struct ka__backend_table *table = queue->device->backend->table;
  struct moment moment = {{moment_has_come}, queue, ticket, NULL};
  ka_status status = KA_ERROR_UNSUPPORTED;
  if (table->poll && table->notify)
    status = ka__wait_in_task(&with_callback, &moment);
  if (status != KA_OK)
    status = ka__wait_in_task(table->poll ? &with_poll : &blocking, &moment);
  if (status == KA_OK)
    completed_up_to(queue, ticket);
  return status;
}

/* The ticket, or that of what was put in last. */
static uint64_t submitted_up_to(const struct ka__queue *queue, uint64_t ticket) {
  uint64_t submitted = atomic_load_explicit(&queue->submitted, memory_order_acquire);
  return ticket < submitted ? ticket : submitted;
}

ka_status ka__queue_may_wait(struct ka__queue *queue, uint64_t ticket) {
  if (!ka__in_callback_of_loop())
    return KA_OK;
  ka__queue_poll(queue);
  if (is_complete(queue, submitted_up_to(queue, ticket)))
    return KA_OK;
  return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                  "a wait for device '%s' in a callback of the loop would keep every task of this "
                  "thread from running; spawn a task that waits",
                  queue->device->properties.name);
}

ka_status ka__queue_wait(struct ka__queue *queue, uint64_t ticket) {
  ticket = submitted_up_to(queue, ticket);
  if (is_complete(queue, ticket))
    return KA_OK;
  return ka__in_task() ? wait_as_task(queue, ticket) : wait_in_driver(queue, ticket);
}

ka_status ka__queue_finish(struct ka__queue *queue) {
  uint64_t submitted = atomic_load_explicit(&queue->submitted, memory_order_acquire);
  if (ka__in_task()) {
    ka_status status = ka__queue_wait(queue, submitted);
    if (status != KA_OK)
      return status;
  }
  /* Also when all has completed: that an operation has ended does not yet say that its writes are
   * seen. */
  ka_status status = queue->device->backend->table->synchronize(queue);
  if (status == KA_OK)
    completed_up_to(queue, submitted);
  return status;
}

void ka__queue_finish_all(void) {
  for (struct ka__queue *queue = atomic_load(&all_queues); queue; queue = queue->next) {
    ka__queue_finish(queue);
    ka__print_flush(queue);
  }
}

void ka__queue_tell_the_rest(void) {
  for (struct ka__queue *queue = atomic_load(&all_queues); queue; queue = queue->next)
    ka__queue_tell_error(queue);
}
