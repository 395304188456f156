/* Command queues, and a ring with the event of each operation that is not known to have completed:
 * it answers how far a queue has come, and which operation failed. */
#include "runtime/backends/opencl/opencl.h"

#include <stdlib.h>

/* Room for what the core lets a queue hold, and as much again for operations whose events still say
 * that they run when the driver has said that they completed. A power of two. */
enum { RING = 2 * KA__QUEUE_DEPTH };

/* While much is under way, a look is taken now and then which operations have completed, and their
 * events are let go of. The driver makes the next ones of the same memory, which is in the caches
 * still, and PoCL takes memory for each argument: so it is time after so many operations and
 * arguments. With PoCL, 1000 launches with 40 arguments take 7 to 10 % less time when a look is
 * taken at each eighth; with 4 arguments each 64th is best, and each eighth costs 5 %. */
enum { LOOK_AFTER = 320 };

struct operation {
  cl_event event; /* NULL: nothing to wait for */
  struct ka__cl_label label;
};

struct ka__cl_queue {
  cl_command_queue queue; /* NULL: given up; the next operation gets another */
  /* Only the queue's thread looks at these two. */
  uint64_t timed_from; /* the first ticket whose time the driver keeps */
  uint32_t unseen;     /* operations and arguments since the last look */
  /* What is taken out of the ring is taken under the lock. The queue's own thread alone puts in,
   * without it. No other lock is taken inside but ka__queue's own. */
  pthread_mutex_t lock;
  _Atomic uint64_t first, next; /* tickets of the oldest in the ring and of the one to come */
  struct operation ring[RING];
};

static cl_command_queue create(const struct ka__cl_device *device, ka_priority_level level,
                               bool timed, cl_int *error) {
  cl_queue_properties properties[5] = {CL_QUEUE_PROPERTIES, timed ? CL_QUEUE_PROFILING_ENABLE : 0};
  if (level != KA_PRIORITY_NORMAL) {
    properties[2] = CL_QUEUE_PRIORITY_KHR;
    properties[3] =
        level == KA_PRIORITY_HIGH ? CL_QUEUE_PRIORITY_HIGH_KHR : CL_QUEUE_PRIORITY_LOW_KHR;
  }
  *error = CL_SUCCESS;
  return ka__cl.clCreateCommandQueueWithProperties(device->context, device->id, properties, error);
}

ka_status ka__cl_queue_create(struct ka__queue *queue) {
  const struct ka__cl_device *device = queue->device->driver;
  struct ka__cl_queue *driver = calloc(1, sizeof *driver);
  if (!driver)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for a queue");
  cl_int error;
  driver->queue = create(device, KA_PRIORITY_NORMAL, false, &error);
  if (!driver->queue) {
    free(driver);
    return ka__cl_fail(error, "clCreateCommandQueueWithProperties", "device '%s'",
                       queue->device->properties.name);
  }
  pthread_mutex_init(&driver->lock, NULL);
  atomic_store(&driver->first, 1);
  atomic_store(&driver->next, 1);
  driver->timed_from = UINT64_MAX;
  queue->driver = driver;
  return KA_OK;
}

/* Takes the oldest operation out of the ring, and returns its event. Under the lock. */
static cl_event take_oldest(struct ka__cl_queue *driver) {
  uint64_t first = atomic_load_explicit(&driver->first, memory_order_relaxed);
  struct operation *oldest = &driver->ring[first % RING];
  cl_event event = oldest->event;
  oldest->event = NULL;
  atomic_store_explicit(&driver->first, first + 1, memory_order_release); /* its place is free */
  return event;
}

/* How many operations are in the ring before the one with this ticket is put in. */
static uint64_t count_before(const struct ka__cl_queue *driver, uint64_t ticket) {
  return ticket - atomic_load_explicit(&driver->first, memory_order_acquire);
}

static void make_room(struct ka__cl_queue *driver, uint64_t ticket) {
  pthread_mutex_lock(&driver->lock);
  while (count_before(driver, ticket) >= RING) {
    cl_event event = take_oldest(driver);
    if (event)
      ka__cl.clReleaseEvent(event);
  }
  pthread_mutex_unlock(&driver->lock);
}

const struct ka__cl_label ka__cl_transfer = {.is_wait = false};
static const struct ka__cl_label a_wait = {.is_wait = true};

void ka__cl_submitted(struct ka__queue *queue, uint64_t ticket, cl_event event,
                      const struct ka__cl_label *label) {
  struct ka__cl_queue *driver = queue->driver;
  uint64_t before = count_before(driver, ticket);
  if (before >= RING)
    make_room(driver, ticket);
  driver->ring[ticket % RING] = (struct operation){event, *label};
  atomic_store_explicit(&driver->next, ticket + 1, memory_order_release);
  driver->unseen += 1 + label->arguments;
  if (driver->unseen >= LOOK_AFTER) {
    driver->unseen = 0;
    if (before > 0) /* else nothing has had time to complete */
      ka__cl_poll(queue);
  }
  /* Some drivers keep operations back until they are told to start; the program may do other work
   * for long before it waits. */
  const struct ka__cl_device *device = queue->device->driver;
  if (!device->starts_at_once)
    ka__cl.clFlush(driver->queue);
}

/* Whether the operation with this ticket has completed; reports it if it failed. An event that
 * cannot be asked says nothing: the operation may still be running, unless the queue is known to
 * have `finished`, and then nobody can say any more whether it succeeded. */
static bool has_completed(struct ka__queue *queue, uint64_t ticket, bool finished) {
  const struct ka__cl_queue *driver = queue->driver;
  const struct operation *operation = &driver->ring[ticket % RING];
  if (!operation->event)
    return true;
  cl_int state = CL_QUEUED;
  cl_int error = ka__cl.clGetEventInfo(operation->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                       sizeof state, &state, NULL);
  if (error == CL_SUCCESS ? state > CL_COMPLETE : !finished)
    return false;
  const struct ka__cl_label *label = &operation->label;
  if (!label->is_wait && (error != CL_SUCCESS || state < 0))
    ka__queue_failed(
        queue, ticket, error == CL_SUCCESS ? KA_ERROR_KERNEL_FAILED : KA_ERROR_DRIVER,
        "%s%s%s on device '%s' %s: %s (%d)", *label->kernel ? "kernel '" : "a copy or fill",
        label->kernel, *label->kernel ? "'" : "", queue->device->properties.name,
        error == CL_SUCCESS ? "failed while it ran"
                            : "may have failed while it ran, as clGetEventInfo does not say",
        ka__cl_error_name(error == CL_SUCCESS ? state : error),
        error == CL_SUCCESS ? state : error);
  return true;
}

static uint64_t take_completed(struct ka__queue *queue, bool finished) {
  struct ka__cl_queue *driver = queue->driver;
  pthread_mutex_lock(&driver->lock);
  cl_event last = NULL;
  uint64_t next = atomic_load_explicit(&driver->next, memory_order_acquire);
  uint64_t first = atomic_load_explicit(&driver->first, memory_order_relaxed);
  for (; first < next && has_completed(queue, first, finished); first++) {
    cl_event event = take_oldest(driver);
    if (event && last)
      ka__cl.clReleaseEvent(last);
    if (event)
      last = event;
  }
  if (last) {
    /* What an event says is no synchronisation in OpenCL, a wait for it is: from here on the host
     * sees what the operations wrote. */
    if (!finished)
      ka__cl.clWaitForEvents(1, &last);
    ka__cl.clReleaseEvent(last);
  }
  pthread_mutex_unlock(&driver->lock);
  return first < next ? first - 1 : UINT64_MAX;
}

uint64_t ka__cl_poll(struct ka__queue *queue) { return take_completed(queue, false); }

static bool has_failed(cl_event event) {
  cl_int state = CL_QUEUED;
  return ka__cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                               NULL) == CL_SUCCESS &&
         state < 0;
}

/* Whether there is nothing to wait for. A failure can show while what was before the operation
 * still runs; and PoCL 6 never ends an operation that was told to wait for an event that has
 * failed. */
static bool is_passed_over(cl_event event) { return !event || has_failed(event); }

ka_status ka__cl_get_event(struct ka__queue *queue, uint64_t ticket, cl_event *event) {
  struct ka__cl_queue *driver = queue->driver;
  cl_int error = CL_SUCCESS;
  *event = NULL;
  pthread_mutex_lock(&driver->lock);
  uint64_t next = atomic_load_explicit(&driver->next, memory_order_acquire);
  uint64_t first = atomic_load_explicit(&driver->first, memory_order_relaxed);
  uint64_t t = ticket < next ? ticket : next - 1;
  while (t >= first && is_passed_over(driver->ring[t % RING].event))
    t--;
  if (t >= first) {
    *event = driver->ring[t % RING].event;
    error = ka__cl.clRetainEvent(*event);
  }
  pthread_mutex_unlock(&driver->lock);
  return error == CL_SUCCESS
             ? KA_OK
             : ka__cl_fail(error, "clRetainEvent", "device '%s'", queue->device->properties.name);
}

ka_status ka__cl_wait(struct ka__queue *queue, uint64_t ticket) {
  cl_event event;
  ka_status status = ka__cl_get_event(queue, ticket, &event);
  if (status != KA_OK)
    return status;
  if (event) {
    cl_int error = ka__cl.clWaitForEvents(1, &event);
    ka__cl.clReleaseEvent(event);
    /* That the operation failed is for its own queue to hear. */
    if (error != CL_SUCCESS && error != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
      return ka__cl_fail(error, "clWaitForEvents", "device '%s'", queue->device->properties.name);
  }
  ka__cl_poll(queue);
  return KA_OK;
}

static void CL_CALLBACK event_completed(cl_event event, cl_int state, void *argument) {
  (void)event, (void)state;
  struct ka__completion *completion = argument;
  completion->function(completion);
}

ka_status ka__cl_notify(struct ka__queue *queue, uint64_t ticket,
                        struct ka__completion *completion) {
  cl_event event;
  ka_status status = ka__cl_get_event(queue, ticket, &event);
  if (status != KA_OK)
    return status;
  if (!event) {
    completion->function(completion);
    return KA_OK;
  }
  cl_int error = ka__cl.clSetEventCallback(event, CL_COMPLETE, event_completed, completion);
  ka__cl.clReleaseEvent(event);
  return error == CL_SUCCESS ? KA_OK
                             : ka__cl_fail(error, "clSetEventCallback", "device '%s'",
                                           queue->device->properties.name);
}

/* Puts a wait for the event into a queue of the driver's. If it is `stuck`, the event has failed in
 * between: then the wait, and what is behind it, may never end, and the queue is to be given up. */
static cl_int put_wait(cl_command_queue commands, cl_event event, cl_event *wait, bool *stuck) {
  cl_int error = ka__cl.clEnqueueBarrierWithWaitList(commands, 1, &event, wait);
  *stuck = error == CL_SUCCESS && has_failed(event);
  return error;
}

/* The driver deletes the queue when what is in it has completed. Others ask only events. */
static void give_up(struct ka__cl_queue *driver) {
  if (driver->queue)
    ka__cl.clReleaseCommandQueue(driver->queue);
  driver->queue = NULL;
}

/* What a queue of OpenCL is like stays as it was made, so another takes its place, and begins with
 * a wait for what is in the old one. */
static ka_status try_to_replace(struct ka__queue *queue, ka_priority_level level, bool timed,
                                const char *purpose, bool *stuck) {
  const struct ka__cl_device *device = queue->device->driver;
  struct ka__cl_queue *driver = queue->driver;
  cl_event event;
  *stuck = false;
  ka_status status = ka__cl_get_event(queue, UINT64_MAX, &event);
  if (status != KA_OK)
    return status;
  cl_int error;
  const char *call = "clCreateCommandQueueWithProperties";
  cl_command_queue other = create(device, level, timed, &error);
  if (other && event) {
    call = "clEnqueueBarrierWithWaitList";
    error = put_wait(other, event, NULL, stuck);
  }
  if (event)
    ka__cl.clReleaseEvent(event);
  if (other && (error != CL_SUCCESS || *stuck))
    ka__cl.clReleaseCommandQueue(other);
  if (error != CL_SUCCESS)
    return ka__cl_fail(error, call, "%s on device '%s'", purpose, queue->device->properties.name);
  if (*stuck)
    return KA_OK;
  give_up(driver);
  driver->queue = other;
  if (timed && driver->timed_from == UINT64_MAX)
    driver->timed_from = atomic_load_explicit(&driver->next, memory_order_relaxed);
  return KA_OK;
}

static ka_status replace(struct ka__queue *queue, ka_priority_level level, bool timed,
                         const char *purpose) {
  bool stuck = true;
  ka_status status = KA_OK;
  /* What has failed is passed over the next time. */
  while (status == KA_OK && stuck)
    status = try_to_replace(queue, level, timed, purpose, &stuck);
  return status;
}

ka_status ka__cl_command_queue(struct ka__queue *queue, cl_command_queue *commands) {
  const struct ka__cl_queue *driver = queue->driver;
  ka_status status = KA_OK;
  if (!driver->queue)
    status = replace(queue, queue->priority, driver->timed_from != UINT64_MAX,
                     "a queue instead of one that waits for what has failed");
  if (status != KA_OK)
    status =
        ka__fail(status,
                 "%s; nothing was put in the queue, and the next call tries again: release what "
                 "the driver may lack (memory, queues of threads that could end)",
                 ka_error_message());
  *commands = driver->queue;
  return status;
}

ka_status ka__cl_wait_for(struct ka__queue *queue, uint64_t ticket, struct ka__queue *other,
                          uint64_t other_ticket) {
  struct ka__cl_queue *driver = queue->driver;
  for (;;) {
    cl_command_queue commands;
    cl_event event, barrier;
    bool stuck;
    ka_status status = ka__cl_get_event(other, other_ticket, &event);
    if (status != KA_OK || !event)
      return status;
    status = ka__cl_command_queue(queue, &commands);
    if (status != KA_OK) {
      ka__cl.clReleaseEvent(event);
      return status;
    }
    cl_int error = put_wait(commands, event, &barrier, &stuck);
    ka__cl.clReleaseEvent(event);
    if (error != CL_SUCCESS)
      return ka__cl_fail(error, "clEnqueueBarrierWithWaitList", "device '%s'",
                         queue->device->properties.name);
    if (!stuck) {
      ka__cl_submitted(queue, ticket, barrier, &a_wait);
      return KA_OK;
    }
    ka__cl.clReleaseEvent(barrier);
    give_up(driver);
  }
}

ka_status ka__cl_set_priority(struct ka__queue *queue, ka_priority_level level) {
  const struct ka__cl_device *device = queue->device->driver;
  const struct ka__cl_queue *driver = queue->driver;
  if (!device->priorities)
    return ka__fail(KA_ERROR_UNSUPPORTED,
                    "device '%s' has no priorities (its driver lacks cl_khr_priority_hints); all "
                    "queues are served alike",
                    queue->device->properties.name);
  return replace(queue, level, driver->timed_from != UINT64_MAX, "a priority");
}

bool ka__cl_keeps_time(struct ka__queue *queue, uint64_t ticket) {
  const struct ka__cl_queue *driver = queue->driver;
  /* Only queues in which events are recorded pay for it: in a batch, a tenth of each launch with
   * PoCL (docs/design.md). */
  if (driver->timed_from == UINT64_MAX &&
      replace(queue, queue->priority, true, "times of events") != KA_OK)
    return false;
  return ticket >= driver->timed_from;
}

ka_status ka__cl_synchronize(struct ka__queue *queue) {
  const struct ka__cl_queue *driver = queue->driver;
  if (!driver->queue) {
    ka_status status = ka__cl_wait(queue, UINT64_MAX);
    if (status == KA_OK)
      take_completed(queue, true);
    return status;
  }
  cl_int error = ka__cl.clFinish(driver->queue);
  if (error != CL_SUCCESS) {
    /* What has completed all the same is let go of: it may be long until the queue is used again.
     */
    ka__cl_poll(queue);
    return ka__cl_fail(error, "clFinish", "device '%s'", queue->device->properties.name);
  }
  take_completed(queue, true);
  return KA_OK;
}
