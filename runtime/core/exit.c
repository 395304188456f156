/* At exit: waits for what is in flight, once, before the drivers' own exit functions run. */
#include "runtime/core/exit.h"

#include "runtime/core/queue.h"

#include <stdlib.h>

static _Atomic bool exiting;

static void at_exit(void) {
  if (atomic_exchange(&exiting, true))
    return;
  for (int b = 0; b < KA__BACKENDS_MAX; b++) {
    ka_backend *backend = ka__backend_at(b);
    for (int d = 0; d < backend->device_count; d++) {
      struct ka__device *device = &backend->devices[d];
      pthread_mutex_lock(&device->lock);
      struct ka__queue *first = device->queues;
      pthread_mutex_unlock(&device->lock);
      /* Queues are never taken out of the list, so it can be walked without the lock. */
      for (struct ka__queue *queue = first; queue; queue = queue->next)
        ka__queue_finish(queue);
    }
  }
}

void ka__exit_watch(void) { atexit(at_exit); }

bool ka__exiting(void) { return atomic_load(&exiting); }
