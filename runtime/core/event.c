/* Events: a moment in a queue, which is the queue and a ticket. Since queues run in order,
 * recording one costs nothing at the device. */
#include "runtime/core/event.h"

#include "runtime/core/check.h"
#include "runtime/core/cooperation.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/current.h"
#include "runtime/core/dependency.h"
#include "runtime/core/device.h"
#include "runtime/core/print_buffer.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/signals.h"
#include "runtime/core/status.h"

#include <stdlib.h>

/* Waits until the queue has passed the ticket. */
static ka_status wait_for(struct ka__queue *queue, uint64_t ticket) {
  ka_status status = ka__queue_wait(queue, ticket);
  if (ka__checking() && status == KA_OK)
    ka__copy_source_check(queue, ticket);
  return status;
}

/* A backend that cannot say how far it is has nothing to wait for later. */
static bool can_say(const struct ka__backend_table *table) { return table->poll || table->wait; }

static ka_status record(ka_backend *backend, bool timed, ka_event **out) {
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  if (!can_say(backend->table)) {
    status = ka__queue_finish(queue);
    if (ka__checking() && status == KA_OK)
      ka__copy_source_check(queue, UINT64_MAX);
    return status;
  }
  ka_event *event = calloc(1, sizeof *event);
  if (!event)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_record_event: no host memory for an event");
  atomic_init(&event->holders, 1);
  uint64_t ticket = atomic_load_explicit(&queue->submitted, memory_order_relaxed);
  ka__stretch_begin(&event->before, queue, ticket);
  if (timed && backend->table->stamp)
    backend->table->stamp(queue, ticket, &event->stamp);
  *out = event;
  return KA_OK;
}

static ka_status record_event(ka_backend *backend, bool timed, ka_event **event) {
  if (!event)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_record_event: there is no place for the event");
  *event = NULL;
  if (!backend)
    return ka__null_backend("ka_record_event");
  if (!ka__enter())
    return ka__refused("ka_record_event");
  ka_status status = record(backend, timed, event);
  ka__leave();
  return status;
}

ka_status ka_record_event(ka_backend *backend, ka_event **event) {
  return record_event(backend, true, event);
}

ka_status ka__record_untimed_event(ka_backend *backend, ka_event **event) {
  return record_event(backend, false, event);
}

bool ka__event_has_passed(const ka_event *event) {
  const struct ka__stretch *before = &event->before;
  return atomic_load_explicit(&before->queue->completed, memory_order_acquire) >= before->up_to;
}

/* ---- Waiting: the event, which may be released meanwhile, is held ---- */

static ka_event *hold(const ka_event *event) {
  /* Who has a pointer to a constant one shares it; only the number of holders changes. */
  ka_event *held = (ka_event *)(uintptr_t)event;
  ka__event_hold(held);
  return held;
}

static ka_status wait_in_queue(ka_backend *backend, ka_event *event) {
  const struct ka__stretch *awaited = &event->before;
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  struct ka__queue *other = awaited->queue;
  uint64_t ticket;
  /* What is in one queue is in order anyway, and fails for its thread; unless it was put in for the
   * thread before. */
  if (!queue || (queue == other && awaited->up_to > queue->begun))
    return status;
  /* With KA_CHECK=1 the host waits: what comes next may write the sources of copies before. */
  bool passed = ka__event_has_passed(event) && !ka__checking();
  char text[KA__FAILURE_TEXT];
  /* If it has passed, maybe long ago, there is nothing to wait for but a failure. */
  if (passed) {
    ka__dependencies_settle();
    if (ka__stretch_failure(awaited, text) == KA_OK)
      return KA_OK;
  }
  bool in_driver =
      !passed && queue->device == other->device && backend->table->wait_for && !ka__checking();
  if (!passed && !in_driver)
    status = wait_for(other, awaited->up_to);
  if (status == KA_OK)
    status = ka__queue_ticket(queue, &ticket);
  if (status != KA_OK)
    return status;
  status = ka__dependency_add(queue, ticket, event);
  if (status == KA_OK && in_driver)
    status = backend->table->wait_for(queue, ticket, other, awaited->up_to);
  ka__queue_submitted(queue, ticket);
  return status;
}

ka_status ka_wait_event(ka_backend *backend, const ka_event *event) {
  if (!backend)
    return ka__null_backend("ka_wait_event");
  if (!event)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("ka_wait_event");
  ka_event *held = hold(event);
  ka_status status = wait_in_queue(backend, held);
  ka_event_release(held);
  ka__leave();
  return status;
}

bool ka_event_query(const ka_event *event) {
  if (!event)
    return true;
  bool prints = atomic_load_explicit(&event->before.queue->printer, memory_order_relaxed);
  if (ka__event_has_passed(event) && !prints && !ka__checking())
    return true;
  if (!ka__enter())
    return ka__event_has_passed(event);
  ka__queue_poll(event->before.queue);
  bool passed = ka__event_has_passed(event);
  if (ka__checking() && passed)
    ka__copy_source_check(event->before.queue, event->before.up_to);
  if (passed)
    ka__print_try_flush(event->before.queue);
  ka__leave();
  return passed;
}

static ka_status wait_on_host(const struct ka__stretch *awaited) {
  ka_status status = ka__queue_may_wait(awaited->queue, awaited->up_to);
  if (status != KA_OK)
    return status;
  status = wait_for(awaited->queue, awaited->up_to);
  ka__print_flush(awaited->queue);
  if (status != KA_OK)
    return status;
  ka__dependencies_settle();
  char text[KA__FAILURE_TEXT];
  status = ka__stretch_failure(awaited, text);
  return status == KA_OK ? ka__cancellation() : ka__fail(status, "%s", text);
}

ka_status ka_event_wait(const ka_event *event) {
  if (!event)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("ka_event_wait");
  ka_event *held = hold(event);
  ka_status status = wait_on_host(&held->before);
  ka_event_release(held);
  ka__leave();
  return status;
}

/* ---- Being told ---- */

/* For backends that cannot call back: a thread that waits. */
struct watch {
  struct ka__queue *queue;
  uint64_t ticket;
  struct ka__completion *completion;
};

static void *watch(void *argument) {
  struct watch w = *(struct watch *)argument;
  free(argument);
  if (!ka__enter())
    return NULL; /* the program is ending: nobody is called any more */
  ka__queue_wait(w.queue, w.ticket);
  ka__leave();
  w.completion->function(w.completion);
  return NULL;
}

static ka_status notify_by_thread(const ka_event *event, struct ka__completion *completion) {
  struct watch *w = malloc(sizeof *w);
  if (w) {
    *w = (struct watch){event->before.queue, event->before.up_to, completion};
    if (ka__start_thread(watch, w) == 0)
      return KA_OK;
  }
  free(w);
  return ka__fail(KA_ERROR_OUT_OF_MEMORY, "no memory, or no thread, to watch an event");
}

ka_status ka__event_notify(const ka_event *event, struct ka__completion *completion) {
  if (!event || ka_event_query(event)) {
    completion->function(completion);
    return KA_OK;
  }
  const struct ka__backend_table *table = event->before.queue->device->backend->table;
  return table->notify ? table->notify(event->before.queue, event->before.up_to, completion)
                       : notify_by_thread(event, completion);
}

/* ---- Life ---- */

void ka__event_hold(ka_event *event) {
  if (event)
    atomic_fetch_add_explicit(&event->holders, 1, memory_order_relaxed);
}

void ka_event_release(ka_event *event) {
  if (!event || atomic_fetch_sub_explicit(&event->holders, 1, memory_order_acq_rel) != 1)
    return;
  /* At the end of the program, and after fork(), others may still look at it. */
  if (!ka__enter())
    return;
  if (event->stamp.driver)
    event->before.queue->device->backend->table->stamp_release(&event->stamp);
  ka__stretch_end(&event->before);
  ka__leave();
  free(event);
}
