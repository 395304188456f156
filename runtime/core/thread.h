/* What libka keeps for each thread, and for each task: active devices and queues. */
#ifndef KA_RUNTIME_CORE_THREAD_H
#define KA_RUNTIME_CORE_THREAD_H

#include "runtime/backends/backend.h"

struct ka__thread_backend {
  int device;                /* the active one; -1: not chosen, the backend's default */
  int device_count;          /* of `queues` */
  struct ka__queue **queues; /* one for each device, NULL until used */
};

struct ka__thread {
  struct ka__thread_backend backends[KA__BACKENDS_MAX];
};

/* The caller's; NULL, with a text, only when there is no memory for it. It ends with the thread or
 * task, which gives its queues back to their devices. */
struct ka__thread *ka__thread_self(void);
/* The same, but NULL, without a text, if there is none yet. */
struct ka__thread *ka__thread_if_any(void);

/* That of a task while it does not run, or of the thread meanwhile. All zero: none yet. */
struct ka__thread_place {
  struct ka__thread *self;
  bool of_task;
};

/* The calling thread from now on uses the other place. */
void ka__thread_swap(struct ka__thread_place *other);
/* The task whose place it was has ended. */
void ka__thread_fini(struct ka__thread_place *place);

#endif
