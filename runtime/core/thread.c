/* The state of each thread and task, made on first use and released when it ends. */
#include "runtime/core/thread.h"

#include "runtime/core/queue.h"
#include "runtime/core/status.h"
#include "runtime/core/thread_end.h"

#include <stdlib.h>

static _Thread_local struct ka__thread_place here;

static void release(struct ka__thread *thread) {
  for (int b = 0; b < KA__BACKENDS_MAX; b++) {
    struct ka__thread_backend *in = &thread->backends[b];
    for (int d = 0; d < in->device_count; d++)
      if (in->queues[d])
        ka__queue_give_back(in->queues[d]);
    free(in->queues);
  }
  free(thread);
}

static void thread_end(void *pointer) {
  release(pointer);
  /* Destructors of other keys may still call libka: they get a fresh state. */
  here.self = NULL;
}

static struct ka__thread_end end = KA__THREAD_END(thread_end);

static struct ka__thread *no_memory(void) {
  ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for the state of the thread");
  return NULL;
}

struct ka__thread *ka__thread_self(void) {
  if (here.self)
    return here.self;
  struct ka__thread *thread = calloc(1, sizeof *thread);
  if (!thread)
    return no_memory();
  for (int b = 0; b < KA__BACKENDS_MAX; b++)
    thread->backends[b].device = -1;
  if (!here.of_task && !ka__thread_end_set(&end, thread)) {
    free(thread);
    return no_memory();
  }
  here.self = thread;
  return thread;
}

struct ka__thread *ka__thread_if_any(void) { return here.self; }

void ka__thread_swap(struct ka__thread_place *other) {
  struct ka__thread_place place = here;
  here = *other;
  *other = place;
}

void ka__thread_fini(struct ka__thread_place *place) {
  if (place->self)
    release(place->self);
}
