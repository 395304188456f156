/* Stands before the allocator. */
#include "test/runtime/support/allocations.h"

#include <stddef.h>

_Atomic long test_allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

void *__wrap_malloc(size_t bytes) {
  atomic_fetch_add(&test_allocations, 1);
  return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) {
  atomic_fetch_add(&test_allocations, 1);
  return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes) {
  atomic_fetch_add(&test_allocations, 1);
  return __real_realloc(old, bytes);
}
