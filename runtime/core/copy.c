/* ka_copy. */
#include "runtime/core/check.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/status.h"
#include "runtime/core/transfer.h"

static ka_status copy(ka_backend *backend, void *destination, const void *source, size_t bytes) {
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  uintptr_t d = (uintptr_t)destination, s = (uintptr_t)source;
  if (destination && source && (d < s ? s - d : d - s) < bytes)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_copy: source %p and destination %p, %zu bytes each, overlap", source,
                    destination, bytes);
  uint64_t ticket;
  status = ka__transfer_ticket("ka_copy", queue, &ticket);
  if (status != KA_OK)
    return status;
  bool registered;
  status = ka__transfer_hold("ka_copy", true, queue, ticket, destination, bytes, &registered);
  if (status == KA_OK)
    status = ka__transfer_hold("ka_copy", false, queue, ticket, source, bytes, &registered);
  bool watch = ka__checking() && status == KA_OK && !registered;
  if (watch)
    ka__copy_source_watch(queue, ticket, destination, source, bytes);
  if (status == KA_OK)
    status = backend->table->copy(queue, ticket, destination, source, bytes);
  ka__queue_submitted(queue, ticket);
  if (watch && status != KA_OK)
    ka__copy_source_forget(queue, ticket);
  return status;
}

ka_status ka_copy(ka_backend *backend, void *destination, const void *source, size_t bytes) {
  if (!backend)
    return ka__null_backend("ka_copy");
  if (bytes == 0)
    return KA_OK;
  if (!ka__enter())
    return ka__refused("ka_copy");
  ka_status status = copy(backend, destination, source, bytes);
  ka__leave();
  return status;
}
