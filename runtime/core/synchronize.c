/* ka_synchronize, and the same at the end of a task. */
#include "runtime/core/check.h"
#include "runtime/core/cooperation.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/current.h"
#include "runtime/core/dependency.h"
#include "runtime/core/device.h"
#include "runtime/core/print_buffer.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"
#include "runtime/core/thread.h"

static ka_status finish(struct ka__queue *queue) {
  ka_status status = ka__queue_finish(queue);
  if (ka__checking() && status == KA_OK)
    ka__copy_source_check(queue, UINT64_MAX);
  ka__print_flush(queue);
  return status;
}

static void queues_are_finished(void) {
  ka__dependencies_settle();
  ka__registry_reap(SIZE_MAX);
}

static ka_status synchronize(ka_backend *backend) {
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  status = ka__queue_may_wait(queue, UINT64_MAX);
  if (status != KA_OK)
    return status;
  status = finish(queue);
  queues_are_finished();
  if (status == KA_OK)
    status = ka__queue_take_error(queue);
  return status == KA_OK ? ka__cancellation() : status;
}

ka_status ka_synchronize(ka_backend *backend) {
  if (!backend)
    return ka__null_backend("ka_synchronize");
  if (!ka__enter())
    return ka__refused("ka_synchronize");
  ka_status status = synchronize(backend);
  ka__leave();
  return status;
}

static ka_status for_each_queue(const struct ka__thread *thread, bool stops_at_failure,
                                ka_status (*function)(struct ka__queue *queue)) {
  ka_status status = KA_OK;
  for (int b = 0; b < KA__BACKENDS_MAX; b++) {
    const struct ka__thread_backend *in = &thread->backends[b];
    for (int d = 0; d < in->device_count; d++) {
      ka_status of_queue = in->queues[d] ? function(in->queues[d]) : KA_OK;
      if (of_queue != KA_OK)
        status = of_queue; /* the text is that of the last */
      if (status != KA_OK && stops_at_failure)
        return status;
    }
  }
  return status;
}

ka_status ka__synchronize_task(void) {
  const struct ka__thread *thread = ka__thread_if_any();
  if (!thread)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("waiting for the work of a task at its end");
  ka_status status = for_each_queue(thread, false, finish);
  queues_are_finished();
  if (status == KA_OK)
    status = for_each_queue(thread, true, ka__queue_take_error);
  ka__leave();
  return status;
}
