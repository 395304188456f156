/* The state of each thread, made on first use and released when the thread ends. */
#include "runtime/core/thread.h"

#include "runtime/core/queue.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local struct ka__thread *self;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;

static void thread_end(void *pointer) {
  struct ka__thread *thread = pointer;
  for (int b = 0; b < KA__BACKENDS_MAX; b++) {
    struct ka__thread_backend *in = &thread->backends[b];
    if (!in->queues)
      continue;
    for (int d = 0; d < ka__backend_at(b)->device_count; d++)
      if (in->queues[d])
        ka__queue_give_back(in->queues[d]);
    free(in->queues);
  }
  free(thread->error.heap);
  free(thread);
  /* Destructors of other keys may still call libka: they get a fresh state. */
  self = NULL;
}

static void make_key(void) { have_key = pthread_key_create(&key, thread_end) == 0; }

struct ka__thread *ka__thread_self(void) {
  if (self)
    return self;
  pthread_once(&once, make_key);
  struct ka__thread *thread = calloc(1, sizeof *thread);
  if (!thread)
    return NULL;
  for (int b = 0; b < KA__BACKENDS_MAX; b++)
    thread->backends[b].device = -1;
  if (!have_key || pthread_setspecific(key, thread) != 0) {
    free(thread);
    return NULL;
  }
  self = thread;
  return thread;
}

struct ka__error *ka__thread_error(void) {
  struct ka__thread *thread = ka__thread_self();
  return thread ? &thread->error : NULL;
}
