/* Events: a moment in a queue, which is the queue and a ticket. Since queues run in order,
 * recording one costs nothing at the device. */
#include "runtime/core/check.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/current.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/status.h"

#include <stdlib.h>

struct ka_event {
  struct ka__queue *queue;
  uint64_t ticket; /* the last one submitted when the event was recorded */
};

/* Waits until the queue has passed the event. */
static ka_status wait_for(const ka_event *event) {
  ka_status status = ka__queue_wait(event->queue, event->ticket);
  if (ka__checking() && status == KA_OK)
    ka__copy_source_check(event->queue, event->ticket);
  return status;
}

/* A backend that cannot say how far it is has nothing to wait for later. */
static bool can_say(const struct ka__backend_table *table) { return table->poll || table->wait; }

static ka_status record(ka_backend *backend, ka_event **event) {
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
  *event = malloc(sizeof **event);
  if (!*event)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_record_event: no host memory for an event");
  (*event)->queue = queue;
  (*event)->ticket = atomic_load_explicit(&queue->submitted, memory_order_relaxed);
  return KA_OK;
}

ka_status ka_record_event(ka_backend *backend, ka_event **event) {
  if (!event)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_record_event: there is no place for the event");
  *event = NULL;
  if (!backend)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_record_event: the backend is NULL");
  if (!ka__enter())
    return ka__refused("ka_record_event");
  ka_status status = record(backend, event);
  ka__leave();
  return status;
}

static bool has_passed(const ka_event *event) {
  return atomic_load_explicit(&event->queue->completed, memory_order_acquire) >= event->ticket;
}

static ka_status wait_in_queue(ka_backend *backend, const ka_event *event) {
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  /* What is in one queue is in order anyway. */
  if (!queue || queue == event->queue)
    return status;
  /* With KA_CHECK=1 the host waits: what comes next may write the sources of copies before. */
  if (ka__checking())
    return wait_for(event);
  if (has_passed(event))
    return status;
  if (queue->device != event->queue->device || !backend->table->wait_for)
    return wait_for(event);
  uint64_t ticket;
  status = ka__queue_ticket(queue, &ticket);
  if (status != KA_OK)
    return status;
  status = backend->table->wait_for(queue, ticket, event->queue, event->ticket);
  ka__queue_submitted(queue, ticket);
  return status;
}

ka_status ka_wait_event(ka_backend *backend, const ka_event *event) {
  if (!backend)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_wait_event: the backend is NULL");
  if (!event)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("ka_wait_event");
  ka_status status = wait_in_queue(backend, event);
  ka__leave();
  return status;
}

bool ka_event_query(const ka_event *event) {
  if (!event || (has_passed(event) && !ka__checking()))
    return true;
  if (!ka__enter())
    return has_passed(event);
  ka__queue_poll(event->queue);
  bool passed = has_passed(event);
  if (ka__checking() && passed)
    ka__copy_source_check(event->queue, event->ticket);
  ka__leave();
  return passed;
}

ka_status ka_event_wait(const ka_event *event) {
  if (!event)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("ka_event_wait");
  ka_status status = wait_for(event);
  ka__leave();
  return status;
}

void ka_event_release(ka_event *event) { free(event); }
