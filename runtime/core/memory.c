/* ka_alloc, ka_free, and which allocation a pointer lies in. */
#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"

#include <string.h>

static void *allocate_inside(const char *call, ka_backend *backend, ka_memory_kind kind,
                             size_t bytes) {
  struct ka__device *device;
  if (ka__device_of_thread(backend, &device) != KA_OK)
    return NULL;
  const ka_device_properties *properties = &device->properties;
  if (kind == KA_MEMORY_UNIFIED && !properties->unified) {
    ka__fail(KA_ERROR_UNSUPPORTED,
             "%s: device '%s' has no memory that the host can use too; take memory from "
             "ka_alloc_device, and move what is in it with ka_copy and ka_fill",
             call, properties->name);
    return NULL;
  }
  if (bytes > properties->max_alloc_bytes) {
    ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY,
             "%s: %zu bytes are more than device '%s' gives in one piece (%llu bytes)", call, bytes,
             properties->name, (unsigned long long)properties->max_alloc_bytes);
    return NULL;
  }
  ka__registry_reclaim(device, properties->memory_bytes / KA__FREED_PART);
  ka_status status = KA_OK;
  void *pointer = ka__registry_alloc(device, kind, bytes, &status);
  if (!pointer)
    ka__fail(status, "%s: %zu bytes on device '%s': %s", call, bytes, properties->name,
             ka_error_message());
  return pointer;
}

static void *allocate(const char *call, ka_backend *backend, ka_memory_kind kind, size_t bytes) {
  if (!backend) {
    ka__null_backend(call);
    return NULL;
  }
  if (!ka__enter()) {
    ka__refused(call);
    return NULL;
  }
  void *pointer = allocate_inside(call, backend, kind, bytes);
  ka__leave();
  return pointer;
}

void *ka_alloc(ka_backend *backend, size_t bytes) {
  return allocate("ka_alloc", backend, KA_MEMORY_UNIFIED, bytes);
}

void *ka_alloc_device(ka_backend *backend, size_t bytes) {
  return allocate("ka_alloc_device", backend, KA_MEMORY_DEVICE, bytes);
}

void *ka_alloc_zeroed(ka_backend *backend, size_t bytes) {
  void *pointer = allocate("ka_alloc_zeroed", backend, KA_MEMORY_UNIFIED, bytes);
  if (pointer)
    memset(pointer, 0, bytes);
  return pointer;
}

static ka_status free_inside(void *pointer) {
  if (ka__registry_free(pointer))
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

ka_status ka_free(void *pointer) {
  if (!pointer)
    return KA_OK;
  bool inside = ka__enter();
  if (!inside && !ka__exiting())
    return ka__refused("ka_free");
  ka_status status = free_inside(pointer);
  if (inside)
    ka__leave();
  return status;
}

/* In a child made by fork() a thread that is not there may hold the registry's lock. */
static bool find(const void *pointer, struct ka__place *place) {
  return !ka__forked() && ka__registry_find(pointer, place);
}

ka_backend *ka_backend_of(const void *pointer) {
  struct ka__place place;
  return find(pointer, &place) ? place.device->backend : NULL;
}

ka_memory_kind ka_memory_kind_of(const void *pointer) {
  struct ka__place place;
  return find(pointer, &place) ? place.kind : KA_MEMORY_HOST;
}

bool ka_allocation_of(const void *pointer, void **base, size_t *bytes) {
  struct ka__place place;
  if (!find(pointer, &place))
    return false;
  if (base)
    *base = place.base;
  if (bytes)
    *bytes = place.bytes;
  return true;
}
