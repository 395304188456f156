/* Wait requests: where the one who waits and the one who reports the end meet.
 *
 *                        park                       complete
 *        RUNNING ───────────────────▶ PARKED ───────────────────▶ DONE, and the waiter is woken
 *           │                           │ abandon (cancelled)
 *           │ complete                  ▼         complete
 *           └────────▶ DONE         ABANDONED ──────────────▶ DONE, nobody is woken
 *
 * Two hold a request, waiter and reporter, and whoever lets go last puts it back into the pool. So
 * one that was abandoned is not used again before its reporter is done with it. Requests are never
 * given back to malloc: as many exist as were ever in use at once.
 */
#ifndef KA_RUNTIME_TASK_REQUEST_H
#define KA_RUNTIME_TASK_REQUEST_H

#include "runtime/task/lines.h"

#include <ka/task.h>
#include <semaphore.h>
#include <stdatomic.h>

enum ka__request_state {
  KA__REQUEST_RUNNING,
  KA__REQUEST_PARKED,
  KA__REQUEST_DONE,
  KA__REQUEST_ABANDONED
};

struct ka_wait_request {
  /* All that a wait without failure needs is in one cache line, which goes from waiter to reporter
   * and back. */
  _Alignas(KA__CACHE_LINE) _Atomic unsigned state; /* ka__request_state */
  _Atomic unsigned holders;                        /* 2, 1, 0 */
  ka_task *task;                                   /* who waits; NULL: a thread, on `signal` */
  ka_status status;                                /* the outcome, once DONE */
  bool has_text;                                   /* the reporter left one of a failure */

  /* What a worker thread shall do. */
  ka_status (*wait)(void *object);
  void *object;

  struct ka_wait_request *next; /* in the pool, or in a task's list of those who wait for it */

  sem_t signal;
  char text[512];
};

/* One for the calling task or thread, held by waiter and reporter; NULL, with a text, if there is
 * no memory. */
ka_wait_request *ka__request_take(void);

/* Waiter or reporter lets go of the request. */
void ka__request_drop(ka_wait_request *request);

/* As ka_wait_complete, with the calling thread's error text if the status is a failure. */
void ka__request_complete_with_text(ka_wait_request *request, ka_status status);

bool ka__request_is_done(const ka_wait_request *request);

/* Sleeps until the request is completed or abandoned, for nothing if it is already. */
void ka__request_park(ka_wait_request *request);

/* The waiter does not park but lets the request be abandoned, unless it is done. */
void ka__request_give_up(ka_wait_request *request);
bool ka__request_is_abandoned(const ka_wait_request *request);

/* Wakes the task that is parked with the request although it is not complete; false if it is not
 * parked. Only the task's scheduler thread calls this. */
bool ka__request_abandon(ka_wait_request *request);

/* The outcome of one that is done, with its text. */
ka_status ka__request_outcome(const ka_wait_request *request);

#endif
