/* What libka keeps for each thread: its active devices and its queues. */
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

/* The calling thread's; NULL, with a text, only when there is no memory for it. It ends with the
 * thread, which gives the thread's queues back to their devices. */
struct ka__thread *ka__thread_self(void);

#endif
