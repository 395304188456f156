/* The switch KA_CHECK, and what can be said about an address. */
#include "runtime/core/check.h"

#include "runtime/core/mapping.h"
#include "runtime/core/memory_pool.h"
#include "runtime/core/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Atomic bool ka__check_on;

static void begin(void) {
  const char *variable = getenv("KA_CHECK");
  if (!variable || !*variable || strcmp(variable, "0") == 0)
    return;
  atomic_store(&ka__check_on, true);
  /* So that pointers to freed memory can be told from all others for as long as possible. */
  ka__memory_pool_choose(KA__MEMORY_POOL_QUARANTINE);
}

void ka__check_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin);
}

bool ka__check_freed(const void *pointer, char why[KA__CHECK_TEXT]) {
  struct ka__place place;
  if (!ka__registry_find_freed(pointer, &place))
    return false;
  snprintf(why, KA__CHECK_TEXT,
           "points %zu bytes into an allocation of %zu bytes at %p that was freed",
           (size_t)((const char *)pointer - place.base), place.bytes, (void *)place.base);
  return true;
}

bool ka__check_pointer(const void *pointer, char why[KA__CHECK_TEXT]) {
  if (ka__check_freed(pointer, why))
    return true;
  if (ka__mapped(pointer, 1, false) == 1)
    return false;
  snprintf(why, KA__CHECK_TEXT, "leads to no memory that can be read");
  return true;
}

/* How far from the pointer the first allocation of ka begins, live or freed; `bytes`: none does. */
static size_t up_to_allocation(const char *pointer, size_t bytes, struct ka__place *place) {
  enum { ALIGNMENT = 64 }; /* of all allocations */
  size_t at = (ALIGNMENT - (uintptr_t)pointer % ALIGNMENT) % ALIGNMENT;
  for (; at < bytes; at += ALIGNMENT)
    if (ka__registry_find(pointer + at, place) || ka__registry_find_freed(pointer + at, place))
      return at;
  return bytes;
}

bool ka__check_range(const void *pointer, size_t bytes, bool write, char why[KA__CHECK_TEXT]) {
  if (ka__check_freed(pointer, why))
    return true;
  struct ka__place place;
  size_t free_of_ka = up_to_allocation(pointer, bytes, &place);
  if (free_of_ka < bytes) {
    snprintf(why, KA__CHECK_TEXT,
             "does not lie in memory of ka, but %zu bytes on there begins an allocation of %zu "
             "bytes, into which %zu bytes would reach",
             free_of_ka, place.bytes, bytes);
    return true;
  }
  size_t readable = ka__mapped(pointer, bytes, false);
  if (readable < bytes) {
    snprintf(why, KA__CHECK_TEXT,
             "leads to memory that can be read for %zu bytes only, not for %zu", readable, bytes);
    return true;
  }
  size_t writable = write ? ka__mapped(pointer, bytes, true) : bytes;
  if (writable < bytes)
    snprintf(why, KA__CHECK_TEXT,
             "leads to memory that cannot be written from its byte %zu of %zu on", writable, bytes);
  return writable < bytes;
}
