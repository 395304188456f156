/* The active device and the queue of the calling thread, made ready on first use. */
#include "runtime/core/current.h"

#include "runtime/core/device.h"
#include "runtime/core/queue.h"
#include "runtime/core/status.h"
#include "runtime/core/thread.h"

#include <stdlib.h>

ka_status ka__device_of_thread(ka_backend *backend, struct ka__device **device) {
  *device = &backend->devices[ka_get_device(backend)];
  return ka__device_start(*device);
}

struct ka__queue *ka__queue_of_thread(ka_backend *backend, ka_status *status) {
  *status = KA_OK;
  struct ka__thread *thread = ka__thread_self();
  if (!thread) {
    *status = KA_ERROR_OUT_OF_MEMORY;
    return NULL;
  }
  struct ka__thread_backend *in = &thread->backends[backend->index];
  int number = ka_get_device(backend);
  if (!in->queues) {
    in->queues = calloc((size_t)backend->device_count, sizeof *in->queues);
    if (!in->queues) {
      *status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for the thread's queues");
      return NULL;
    }
    in->device_count = backend->device_count;
  }
  if (!in->queues[number]) {
    struct ka__device *device = &backend->devices[number];
    *status = ka__device_start(device);
    if (*status == KA_OK)
      in->queues[number] = ka__queue_take(device, status);
  }
  return in->queues[number];
}
