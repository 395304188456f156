/* ka_alloc, ka_free, ka_copy, ka_fill. */
#include "runtime/core/current.h"
#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"

#include <string.h>

/* ka_free does not wait for the memory's last use, so a program that allocates, launches and frees
 * in a loop could run far ahead of the device and fill the machine. ka_alloc waits when freed
 * memory in use is more than this part of the device's memory. */
enum { FREED_PART = 16 };

static void *allocate(const char *call, ka_backend *backend, size_t bytes) {
  if (!backend) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: the backend is NULL", call);
    return NULL;
  }
  struct ka__device *device;
  if (ka__device_of_thread(backend, &device) != KA_OK)
    return NULL;
  const ka_device_properties *properties = &device->properties;
  if (bytes > properties->max_alloc_bytes) {
    ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY,
             "%s: %zu bytes are more than device '%s' gives in one piece (%llu bytes)", call, bytes,
             properties->name, (unsigned long long)properties->max_alloc_bytes);
    return NULL;
  }
  ka__registry_reclaim(device, properties->memory_bytes / FREED_PART);
  void *pointer = NULL;
  ka_status status = device->backend->table->alloc(device, bytes, &pointer);
  if (status != KA_OK) {
    ka__registry_reclaim(device, 0);
    status = device->backend->table->alloc(device, bytes, &pointer);
  }
  if (status != KA_OK) {
    ka__fail(status, "%s: %zu bytes on device '%s': %s", call, bytes, properties->name,
             ka_error_message());
    return NULL;
  }
  if (!ka__registry_add(device, pointer, bytes)) {
    device->backend->table->free(device, pointer);
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "%s: no host memory to keep account of the allocation", call);
    return NULL;
  }
  return pointer;
}

void *ka_alloc(ka_backend *backend, size_t bytes) { return allocate("ka_alloc", backend, bytes); }

void *ka_alloc_zeroed(ka_backend *backend, size_t bytes) {
  void *pointer = allocate("ka_alloc_zeroed", backend, bytes);
  if (pointer)
    memset(pointer, 0, bytes);
  return pointer;
}

ka_status ka_free(void *pointer) {
  if (!pointer || ka__registry_free(pointer))
    return KA_OK;
  struct ka__place place;
  if (ka__registry_find(pointer, &place))
    return ka__fail(KA_ERROR_INVALID_POINTER,
                    "ka_free: %p lies %zu bytes inside the allocation at %p; pass the pointer that "
                    "ka_alloc returned",
                    pointer, (size_t)((char *)pointer - place.base), (void *)place.base);
  return ka__fail(KA_ERROR_INVALID_POINTER,
                  "ka_free: %p is not a live allocation of ka_alloc; it was freed before, or comes "
                  "from elsewhere",
                  pointer);
}

ka_backend *ka_backend_of(const void *pointer) {
  struct ka__place place;
  return ka__registry_find(pointer, &place) ? place.device->backend : NULL;
}

bool ka_allocation_of(const void *pointer, void **base, size_t *bytes) {
  struct ka__place place;
  if (!ka__registry_find(pointer, &place))
    return false;
  if (base)
    *base = place.base;
  if (bytes)
    *bytes = place.bytes;
  return true;
}

/* Checks one side of an operation and marks its allocation, if it lies in one, as used. */
static ka_status hold_range(const char *call, const char *side, struct ka__queue *queue,
                            uint64_t ticket, const void *pointer, size_t bytes, bool *registered) {
  if (!pointer)
    return ka__fail(KA_ERROR_INVALID_POINTER, "%s: the %s is NULL", call, side);
  if (bytes > UINTPTR_MAX - (uintptr_t)pointer)
    return ka__fail(KA_ERROR_INVALID_POINTER,
                    "%s: %zu bytes from %p as %s reach beyond the end of memory", call, bytes,
                    pointer, side);
  struct ka__place place;
  ka__registry_lock();
  ka_status status = ka__registry_hold(pointer, queue, ticket, &place);
  ka__registry_unlock();
  if (status == KA_ERROR_OUT_OF_MEMORY)
    return ka__fail(status, "%s: no host memory to keep account of the %s", call, side);
  *registered = status == KA_OK && (const char *)pointer < place.base + place.bytes;
  if (*registered) {
    size_t at = (size_t)((const char *)pointer - place.base);
    if (bytes > place.bytes - at)
      return ka__fail(KA_ERROR_INVALID_POINTER,
                      "%s: %zu bytes at offset %zu of the %s reach beyond its allocation of %zu "
                      "bytes at %p",
                      call, bytes, at, side, place.bytes, (void *)place.base);
  }
  return KA_OK;
}

/* As ka__queue_ticket, with a text that says which call failed. */
static ka_status take_ticket(const char *call, struct ka__queue *queue, uint64_t *ticket) {
  ka_status status = ka__queue_ticket(queue, ticket);
  return status == KA_OK ? KA_OK
                         : ka__fail(status, "%s: the queue is full, and waiting for it failed: %s",
                                    call, ka_error_message());
}

ka_status ka_copy(ka_backend *backend, void *destination, const void *source, size_t bytes) {
  if (!backend)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_copy: the backend is NULL");
  if (bytes == 0)
    return KA_OK;
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
  status = take_ticket("ka_copy", queue, &ticket);
  if (status != KA_OK)
    return status;
  bool registered;
  status = hold_range("ka_copy", "destination", queue, ticket, destination, bytes, &registered);
  if (status == KA_OK)
    status = hold_range("ka_copy", "source", queue, ticket, source, bytes, &registered);
  if (status == KA_OK)
    status = backend->table->copy(queue, ticket, destination, source, bytes);
  ka__queue_submitted(queue, ticket);
  return status;
}

/* For values that the backend cannot fill with: copies the value once, then what is there already
 * behind itself, twice as much each time. */
static ka_status fill_by_copies(struct ka__queue *queue, char *destination, const void *value,
                                size_t value_bytes, size_t bytes) {
  struct ka__device *device = queue->device;
  const struct ka__backend_table *table = device->backend->table;
  uint64_t ticket;
  ka_status status = take_ticket("ka_fill", queue, &ticket);
  if (status != KA_OK)
    return status;
  void *stage;
  status = table->alloc(device, value_bytes, &stage);
  if (status != KA_OK)
    return status;
  memcpy(stage, value, value_bytes);
  if (!ka__registry_discard(device, stage, value_bytes, queue, ticket)) {
    table->free(device, stage);
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_fill: no host memory to keep account of the value");
  }
  status = table->copy(queue, ticket, destination, stage, value_bytes);
  ka__queue_submitted(queue, ticket);
  for (size_t done = value_bytes; status == KA_OK && done < bytes;) {
    size_t n = bytes - done < done ? bytes - done : done;
    status = take_ticket("ka_fill", queue, &ticket);
    if (status != KA_OK)
      break;
    struct ka__place place;
    ka__registry_lock();
    ka__registry_hold(destination, queue, ticket, &place);
    ka__registry_unlock();
    status = table->copy(queue, ticket, destination + done, destination, n);
    ka__queue_submitted(queue, ticket);
    done += n;
  }
  return status;
}

ka_status ka_fill(ka_backend *backend, void *destination, const void *value, size_t value_bytes,
                  size_t count) {
  if (!backend)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_fill: the backend is NULL");
  if (value_bytes == 0 || count == 0)
    return KA_OK;
  if (!value)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_fill: the value is NULL");
  if (count > SIZE_MAX / value_bytes)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_fill: %zu values of %zu bytes are more than memory can hold", count,
                    value_bytes);
  size_t bytes = value_bytes * count;
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  uint64_t ticket;
  status = take_ticket("ka_fill", queue, &ticket);
  if (status != KA_OK)
    return status;
  bool registered = false;
  status = hold_range("ka_fill", "destination", queue, ticket, destination, bytes, &registered);
  if (status == KA_OK && !registered && !queue->device->properties.host_pointers)
    status = ka__fail(KA_ERROR_INVALID_POINTER,
                      "ka_fill: the destination %p does not lie in memory of ka_alloc, and device "
                      "'%s' cannot use other memory; fill it with a loop on the host",
                      destination, queue->device->properties.name);
  bool by_copies = false;
  if (status == KA_OK) {
    status = KA_ERROR_UNSUPPORTED;
    if (backend->table->fill)
      status = backend->table->fill(queue, ticket, destination, value, value_bytes, count);
    by_copies = status == KA_ERROR_UNSUPPORTED;
  }
  ka__queue_submitted(queue, ticket);
  return by_copies ? fill_by_copies(queue, destination, value, value_bytes, bytes) : status;
}
