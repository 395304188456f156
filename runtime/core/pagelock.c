/* ka_pagelock, ka_pageunlock: the host's memory that devices are told to expect copies of. */
#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/mapping.h"
#include "runtime/core/process.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"

#include <stdlib.h>

struct locked {
  struct ka__device *device; /* that the backend did it for */
  void *pointer;
  size_t bytes;
  struct locked *next;
};

/* Held while the backend locks or unlocks, too: it is seldom done. No other lock is taken inside
 * but the backend's own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct locked *all;

static ka_status check(void *pointer, size_t bytes) {
  if (!pointer)
    return ka__fail(KA_ERROR_INVALID_POINTER, "ka_pagelock: the pointer is NULL");
  if (bytes > UINTPTR_MAX - (uintptr_t)pointer)
    return ka__fail(KA_ERROR_INVALID_POINTER,
                    "ka_pagelock: %zu bytes from %p reach beyond the end of memory", bytes,
                    pointer);
  struct ka__place place;
  if (ka__registry_find(pointer, &place) ||
      (bytes > 0 && ka__registry_find((char *)pointer + bytes - 1, &place)))
    return ka__fail(KA_ERROR_INVALID_POINTER,
                    "ka_pagelock: %p lies in memory of ka_alloc, which needs no locking", pointer);
  size_t mapped = ka__mapped(pointer, bytes, false);
  if (mapped < bytes)
    return ka__fail(KA_ERROR_INVALID_POINTER,
                    "ka_pagelock: of %zu bytes from %p only the first %zu are memory that can be "
                    "read",
                    bytes, pointer, mapped);
  return KA_OK;
}

/* Under the lock. */
static const struct locked *overlapping(const ka_backend *backend, void *pointer, size_t bytes) {
  uintptr_t first = (uintptr_t)pointer;
  for (const struct locked *l = all; l; l = l->next) {
    uintptr_t other = (uintptr_t)l->pointer;
    if (l->device->backend == backend &&
        (first == other || (first < other + l->bytes && other < first + bytes)))
      return l;
  }
  return NULL;
}

/* Under the lock. */
static ka_status add(struct ka__device *device, void *pointer, size_t bytes) {
  const struct locked *other = overlapping(device->backend, pointer, bytes);
  if (other)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_pagelock: of %zu bytes from %p some are locked already, with the %zu bytes "
                    "from %p; ka_pageunlock ends that",
                    bytes, pointer, other->bytes, other->pointer);
  struct locked *l = malloc(sizeof *l);
  if (!l)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "ka_pagelock: no host memory to keep account of it");
  ka_status (*hook)(struct ka__device *, void *, size_t) = device->backend->table->pagelock;
  ka_status status = hook && bytes ? hook(device, pointer, bytes) : KA_OK;
  if (status != KA_OK) {
    free(l);
    return ka__fail(status, "ka_pagelock: %zu bytes from %p for device '%s': %s", bytes, pointer,
                    device->properties.name, ka_error_message());
  }
  *l = (struct locked){device, pointer, bytes, all};
  all = l;
  return KA_OK;
}

/* Under the lock. */
static ka_status take_out(const ka_backend *backend, void *pointer) {
  for (struct locked **at = &all; *at; at = &(*at)->next) {
    struct locked *l = *at;
    if (l->pointer != pointer || l->device->backend != backend)
      continue;
    ka_status (*hook)(struct ka__device *, void *, size_t) = backend->table->pageunlock;
    ka_status status = hook && l->bytes ? hook(l->device, pointer, l->bytes) : KA_OK;
    if (status != KA_OK)
      return ka__fail(status, "ka_pageunlock: %p: %s", pointer, ka_error_message());
    *at = l->next;
    free(l);
    return KA_OK;
  }
  return ka__fail(KA_ERROR_INVALID_POINTER,
                  "ka_pageunlock: no memory from %p on is locked; pass the pointer that "
                  "ka_pagelock got, once",
                  pointer);
}

static ka_status lock_pages(ka_backend *backend, void *pointer, size_t bytes) {
  struct ka__device *device;
  ka_status status = ka__device_of_thread(backend, &device);
  if (status != KA_OK)
    return status;
  pthread_mutex_lock(&lock);
  status = add(device, pointer, bytes);
  pthread_mutex_unlock(&lock);
  return status;
}

ka_status ka_pagelock(ka_backend *backend, void *pointer, size_t bytes) {
  if (!backend)
    return ka__null_backend("ka_pagelock");
  if (!ka__enter())
    return ka__refused("ka_pagelock");
  ka_status status = check(pointer, bytes);
  if (status == KA_OK)
    status = lock_pages(backend, pointer, bytes);
  ka__leave();
  return status;
}

ka_status ka_pageunlock(ka_backend *backend, void *pointer) {
  if (!backend)
    return ka__null_backend("ka_pageunlock");
  if (!ka__enter())
    return ka__refused("ka_pageunlock");
  pthread_mutex_lock(&lock);
  ka_status status = take_out(backend, pointer);
  pthread_mutex_unlock(&lock);
  ka__leave();
  return status;
}
