/* What libka's calls of malloc and the like, and of what else can lack resources, become in tests
 * that let them fail. */
#include "test/runtime/support/faulty_allocator.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic int calls, fail_at;

int faulty_allocations(void) { return atomic_load(&calls); }

void faulty_allocation_at(int number) {
  atomic_store(&fail_at, number ? atomic_load(&calls) + number : 0);
}

static bool fails(void) {
  int number = atomic_fetch_add(&calls, 1) + 1;
  if (number != atomic_load(&fail_at))
    return false;
  errno = ENOMEM;
  return true;
}

void *faulty_malloc(size_t bytes);
void *faulty_calloc(size_t count, size_t bytes);
void *faulty_realloc(void *old, size_t bytes);
void *faulty_aligned_alloc(size_t alignment, size_t bytes);
int faulty_posix_memalign(void **pointer, size_t alignment, size_t bytes);
char *faulty_strdup(const char *text);
char *faulty_strndup(const char *text, size_t bytes);
int faulty_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int faulty_pthread_key_create(pthread_key_t *key, void (*end)(void *));
int faulty_pthread_setspecific(pthread_key_t key, const void *value);
void *faulty_dlopen(const char *name, int flags);
int faulty_open(const char *path, int flags, ...);
ssize_t faulty_read(int file, void *to, size_t bytes);
int faulty_setenv(const char *name, const char *value, int overwrite);

void *faulty_malloc(size_t bytes) { return fails() ? NULL : malloc(bytes); }

void *faulty_calloc(size_t count, size_t bytes) { return fails() ? NULL : calloc(count, bytes); }

void *faulty_realloc(void *old, size_t bytes) { return fails() ? NULL : realloc(old, bytes); }

void *faulty_aligned_alloc(size_t alignment, size_t bytes) {
  return fails() ? NULL : aligned_alloc(alignment, bytes);
}

int faulty_posix_memalign(void **pointer, size_t alignment, size_t bytes) {
  return fails() ? ENOMEM : posix_memalign(pointer, alignment, bytes);
}

char *faulty_strdup(const char *text) { return fails() ? NULL : strdup(text); }

char *faulty_strndup(const char *text, size_t bytes) {
  return fails() ? NULL : strndup(text, bytes);
}

int faulty_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument) {
  return fails() ? EAGAIN : pthread_create(thread, attributes, run, argument);
}

int faulty_pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
  return fails() ? EAGAIN : pthread_key_create(key, end);
}

int faulty_pthread_setspecific(pthread_key_t key, const void *value) {
  return value && fails() ? ENOMEM : pthread_setspecific(key, value);
}

/* Libka creates no files. */
int faulty_open(const char *path, int flags, ...) { return fails() ? -1 : open(path, flags); }

ssize_t faulty_read(int file, void *to, size_t bytes) {
  return fails() ? -1 : read(file, to, bytes);
}

int faulty_setenv(const char *name, const char *value, int overwrite) {
  return fails() ? -1 : setenv(name, value, overwrite);
}

/* dlerror() says nothing then. */
void *faulty_dlopen(const char *name, int flags) { return fails() ? NULL : dlopen(name, flags); }
