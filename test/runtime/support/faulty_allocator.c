/* What calls of malloc and the like, and of what else can lack resources, by libka and libka-task
 * become in tests that let them fail. */
#include "test/runtime/support/faulty_allocator.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

static _Atomic int calls, fail_at, mappings;

int faulty_allocations(void) { return atomic_load(&calls); }

int faulty_mappings(void) { return atomic_load(&mappings); }

void faulty_allocation_at(int number) {
  atomic_store(&fail_at, number ? atomic_load(&calls) + number : 0);
}

bool faulty_fails(void) {
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
int faulty_asprintf(char **text, const char *format, ...);
void *faulty_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int faulty_munmap(void *at, size_t bytes);
int faulty_mprotect(void *at, size_t bytes, int protection);
int faulty_madvise(void *at, size_t bytes, int advice);
int faulty_sem_init(sem_t *semaphore, int shared, unsigned value);
int faulty_pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
int faulty_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
int faulty_eventfd(unsigned count, int flags);
int faulty_timerfd_create(int clock, int flags);

void *faulty_malloc(size_t bytes) { return faulty_fails() ? NULL : malloc(bytes); }

void *faulty_calloc(size_t count, size_t bytes) {
  return faulty_fails() ? NULL : calloc(count, bytes);
}

void *faulty_realloc(void *old, size_t bytes) {
  return faulty_fails() ? NULL : realloc(old, bytes);
}

void *faulty_aligned_alloc(size_t alignment, size_t bytes) {
  return faulty_fails() ? NULL : aligned_alloc(alignment, bytes);
}

int faulty_posix_memalign(void **pointer, size_t alignment, size_t bytes) {
  return faulty_fails() ? ENOMEM : posix_memalign(pointer, alignment, bytes);
}

char *faulty_strdup(const char *text) { return faulty_fails() ? NULL : strdup(text); }

char *faulty_strndup(const char *text, size_t bytes) {
  return faulty_fails() ? NULL : strndup(text, bytes);
}

int faulty_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument) {
  return faulty_fails() ? EAGAIN : pthread_create(thread, attributes, run, argument);
}

int faulty_pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
  return faulty_fails() ? EAGAIN : pthread_key_create(key, end);
}

int faulty_pthread_setspecific(pthread_key_t key, const void *value) {
  return value && faulty_fails() ? ENOMEM : pthread_setspecific(key, value);
}

/* Libka creates no files. */
int faulty_open(const char *path, int flags, ...) {
  return faulty_fails() ? -1 : open(path, flags);
}

ssize_t faulty_read(int file, void *to, size_t bytes) {
  return faulty_fails() ? -1 : read(file, to, bytes);
}

int faulty_setenv(const char *name, const char *value, int overwrite) {
  return faulty_fails() ? -1 : setenv(name, value, overwrite);
}

/* dlerror() says nothing then. */
void *faulty_dlopen(const char *name, int flags) {
  return faulty_fails() ? NULL : dlopen(name, flags);
}

int faulty_asprintf(char **text, const char *format, ...) {
  if (faulty_fails())
    return -1;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(text, format, arguments);
  va_end(arguments);
  return length;
}

void *faulty_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  void *memory = faulty_fails() ? MAP_FAILED : mmap(at, bytes, protection, flags, file, offset);
  if (memory != MAP_FAILED)
    atomic_fetch_add(&mappings, 1);
  return memory;
}

int faulty_munmap(void *at, size_t bytes) {
  atomic_fetch_sub(&mappings, 1);
  return munmap(at, bytes);
}

int faulty_mprotect(void *at, size_t bytes, int protection) {
  return faulty_fails() ? -1 : mprotect(at, bytes, protection);
}

int faulty_madvise(void *at, size_t bytes, int advice) {
  return faulty_fails() ? -1 : madvise(at, bytes, advice);
}

int faulty_sem_init(sem_t *semaphore, int shared, unsigned value) {
  return faulty_fails() ? -1 : sem_init(semaphore, shared, value);
}

int faulty_pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
  return faulty_fails() ? ENOMEM : pthread_atfork(before, in_parent, in_child);
}

int faulty_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  return faulty_fails() ? ENOMEM : pthread_getattr_np(thread, attributes);
}

int faulty_eventfd(unsigned count, int flags) {
  return faulty_fails() ? -1 : eventfd(count, flags);
}

int faulty_timerfd_create(int clock, int flags) {
  return faulty_fails() ? -1 : timerfd_create(clock, flags);
}
