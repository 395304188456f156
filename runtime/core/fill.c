/* ka_fill. */
#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"
#include "runtime/core/transfer.h"

#include <stdlib.h>
#include <string.h>

/* For what the backend cannot fill, or cannot fill with: copies the value once, then what is there
 * already behind itself, twice as much each time. */
static ka_status fill_by_copies(struct ka__queue *queue, char *destination, const void *value,
                                size_t value_bytes, size_t bytes) {
  struct ka__device *device = queue->device;
  const struct ka__backend_table *table = device->backend->table;
  uint64_t ticket;
  ka_status status = ka__transfer_ticket("ka_fill", queue, &ticket);
  if (status != KA_OK)
    return status;
  /* The host cannot write all memory of the device; all devices copy from the host's. */
  void *stage = malloc(value_bytes);
  if (!stage)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_fill: no host memory to keep the value");
  memcpy(stage, value, value_bytes);
  if (!ka__registry_discard(device, stage, value_bytes, queue, ticket)) {
    free(stage);
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_fill: no host memory to keep account of the value");
  }
  status = table->copy(queue, ticket, destination, stage, value_bytes);
  ka__queue_submitted(queue, ticket);
  for (size_t done = value_bytes; status == KA_OK && done < bytes;) {
    size_t n = bytes - done < done ? bytes - done : done;
    status = ka__transfer_ticket("ka_fill", queue, &ticket);
    if (status != KA_OK)
      break;
    struct ka__place place;
    ka__registry_hold(destination, queue, ticket, &place);
    status = table->copy(queue, ticket, destination + done, destination, n);
    ka__queue_submitted(queue, ticket);
    done += n;
  }
  return status;
}

static ka_status fill(ka_backend *backend, void *destination, const void *value, size_t value_bytes,
                      size_t count) {
  size_t bytes = value_bytes * count;
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  uint64_t ticket;
  status = ka__transfer_ticket("ka_fill", queue, &ticket);
  if (status != KA_OK)
    return status;
  bool registered = false;
  status = ka__transfer_hold("ka_fill", true, queue, ticket, destination, bytes, &registered);
  bool by_copies = false;
  if (status == KA_OK) {
    status = KA_ERROR_UNSUPPORTED;
    if (backend->table->fill && (registered || queue->device->properties.host_pointers))
      status = backend->table->fill(queue, ticket, destination, value, value_bytes, count);
    by_copies = status == KA_ERROR_UNSUPPORTED;
  }
  ka__queue_submitted(queue, ticket);
  return by_copies ? fill_by_copies(queue, destination, value, value_bytes, bytes) : status;
}

ka_status ka_fill(ka_backend *backend, void *destination, const void *value, size_t value_bytes,
                  size_t count) {
  if (!backend)
    return ka__null_backend("ka_fill");
  if (value_bytes == 0 || count == 0)
    return KA_OK;
  if (!value)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_fill: the value is NULL");
  if (count > SIZE_MAX / value_bytes)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_fill: %zu values of %zu bytes are more than memory can hold", count,
                    value_bytes);
  if (!ka__enter())
    return ka__refused("ka_fill");
  ka_status status = fill(backend, destination, value, value_bytes, count);
  ka__leave();
  return status;
}
