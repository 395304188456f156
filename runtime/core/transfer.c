/* Tickets and memory of copies and fills. */
#include "runtime/core/transfer.h"

#include "runtime/core/check.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"

/* KA_CHECK=1: memory that is not a live allocation. */
static ka_status check_host(const char *call, bool write, struct ka__queue *queue,
                            const void *pointer, size_t bytes) {
  char why[KA__CHECK_TEXT];
  if (ka__check_range(pointer, bytes, write, why))
    return ka__fail(KA_ERROR_INVALID_POINTER, "%s: the %s %p %s", call,
                    write ? "destination" : "source", pointer, why);
  if (write)
    ka__copy_source_release(queue, pointer, bytes);
  return KA_OK;
}

ka_status ka__transfer_hold(const char *call, bool write, struct ka__queue *queue, uint64_t ticket,
                            const void *pointer, size_t bytes, bool *registered) {
  const char *side = write ? "destination" : "source";
  if (!pointer)
    return ka__fail(KA_ERROR_INVALID_POINTER, "%s: the %s is NULL", call, side);
  if (bytes > UINTPTR_MAX - (uintptr_t)pointer)
    return ka__fail(KA_ERROR_INVALID_POINTER,
                    "%s: %zu bytes from %p as %s reach beyond the end of memory", call, bytes,
                    pointer, side);
  struct ka__place place;
  ka_status status = ka__registry_hold(pointer, queue, ticket, &place);
  if (status == KA_ERROR_OUT_OF_MEMORY)
    return ka__fail(status, "%s: no host memory to keep account of the %s", call, side);
  *registered = status == KA_OK && !place.is_behind;
  if (*registered && !ka__place_reaches(&place, queue->device))
    return ka__fail(
        KA_ERROR_INVALID_POINTER,
        "%s: the %s %p was allocated on device %d '%s', but the calling thread's active "
        "device is %d '%s'; copy it through memory of the host, on each device in turn "
        "(ka_set_device)",
        call, side, pointer, place.device->number, place.device->properties.name,
        queue->device->number, queue->device->properties.name);
  if (*registered) {
    size_t at = (size_t)((const char *)pointer - place.base);
    if (bytes > place.bytes - at)
      return ka__fail(KA_ERROR_INVALID_POINTER,
                      "%s: %zu bytes at offset %zu of the %s reach beyond its allocation of %zu "
                      "bytes at %p",
                      call, bytes, at, side, place.bytes, (void *)place.base);
  }
  return ka__checking() && !*registered ? check_host(call, write, queue, pointer, bytes) : KA_OK;
}

ka_status ka__transfer_ticket(const char *call, struct ka__queue *queue, uint64_t *ticket) {
  ka_status status = ka__queue_ticket(queue, ticket);
  return status == KA_OK ? KA_OK
                         : ka__fail(status, "%s: the queue is full, and waiting for it failed: %s",
                                    call, ka_error_message());
}
