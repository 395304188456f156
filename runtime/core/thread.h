/* What libka keeps for each thread: its error text, its active devices and its queues. */
#ifndef KA_RUNTIME_CORE_THREAD_H
#define KA_RUNTIME_CORE_THREAD_H

#include "runtime/backends/backend.h"

struct ka__error {
  const char *shown; /* `text`, `heap` or NULL */
  char *heap;        /* a text too long for `text` */
  char text[1024];
  char spare[1024]; /* where the next text is made: it may quote the present one */
};

struct ka__thread_backend {
  int device;                /* the active one; -1: not chosen, the backend's default */
  struct ka__queue **queues; /* one for each device, NULL until used */
};

struct ka__thread {
  struct ka__error error;
  struct ka__thread_backend backends[KA__BACKENDS_MAX];
};

/* The calling thread's; NULL only when there is no memory for it. It ends with the thread, which
 * gives the thread's queues back to their devices. */
struct ka__thread *ka__thread_self(void);

/* The calling thread's error text; NULL when there is no memory for it. */
struct ka__error *ka__thread_error(void);

#endif
