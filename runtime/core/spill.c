/* The copy is an allocation like those of programs. It is taken from the device's pool, the launch
 * marks it, and it is freed as soon as the launch has been put in the queue; so it goes back to the
 * pool when the launch has completed. Where the host can write the device's memory, the launch of a
 * kernel that was launched before takes no new memory. */
#include "runtime/core/spill.h"

#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"

#include <stdlib.h>
#include <string.h>

/* Where the host cannot write the copy, an operation of the queue does. */
static ka_status write_in_queue(struct ka__queue *queue, struct ka__launch *launch, void *copy,
                                size_t bytes) {
  void *stage = malloc(bytes);
  if (!stage)
    return KA_ERROR_OUT_OF_MEMORY;
  memcpy(stage, launch->tuple, bytes);
  if (!ka__registry_discard(queue->device, stage, bytes, queue, launch->ticket)) {
    free(stage);
    return KA_ERROR_OUT_OF_MEMORY;
  }
  ka_status status = queue->device->backend->table->copy(queue, launch->ticket, copy, stage, bytes);
  ka__queue_submitted(queue, launch->ticket);
  return status == KA_OK ? ka__queue_ticket(queue, &launch->ticket) : status;
}

ka_status ka__spill(struct ka__queue *queue, const struct ka__kernel_view *view,
                    struct ka__launch *launch) {
  struct ka__device *device = queue->device;
  const ka_device_properties *properties = &device->properties;
  size_t bytes = view->record->tuple_bytes;
  ka__registry_reclaim(device, properties->memory_bytes / KA__FREED_PART);
  ka_status status = KA_OK;
  void *copy = ka__registry_alloc(
      device, properties->unified ? KA_MEMORY_UNIFIED : KA_MEMORY_DEVICE, bytes, &status);
  if (!copy)
    return ka__fail(status, "kernel '%s': %zu bytes for its arguments: %s", view->name, bytes,
                    ka_error_message());
  launch->spilled = copy;
  if (properties->unified)
    memcpy(copy, launch->tuple, bytes);
  else
    status = write_in_queue(queue, launch, copy, bytes);
  struct ka__place place;
  if (status == KA_OK)
    status = ka__registry_hold(copy, queue, launch->ticket, &place);
  return status == KA_ERROR_OUT_OF_MEMORY
             ? ka__fail(status, "kernel '%s': no host memory to keep account of the launch",
                        view->name)
             : status;
}

void ka__spill_release(const struct ka__launch *launch) {
  if (launch->spilled)
    ka__registry_free(launch->spilled);
}
