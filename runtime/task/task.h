/* What a task is made of. */
#ifndef KA_RUNTIME_TASK_TASK_H
#define KA_RUNTIME_TASK_TASK_H

#include "runtime/core/cooperation.h"
#include "runtime/task/fiber.h"

#include <ka/task.h>
#include <pthread.h>
#include <stdatomic.h>

struct ka__scheduler;

/* Something for a task's scheduler thread to do, sent by any thread. */
struct ka__message {
  struct ka__message *next;
  ka_task *task;
  bool cancel; /* else: the task can go on */
};

struct ka_task {
  /* Of the scheduler thread alone, once the task has begun. */
  struct ka__fiber fiber;
  struct ka__task_state state; /* while it does not run */
  ka_task *next; /* in the queue of tasks that can run, or (under the pool's lock) of new ones */
  ka_wait_request *interruptible; /* what it is parked with, if cancellation may wake it */

  ka_task_function *function;
  void *argument, *result;
  void (*release)(const void *argument); /* when the task needs it no more; NULL: nothing to do */
  ka_backend *backend;                   /* NULL: it uses no device */
  int device;
  ka_event *after; /* it begins its work there after that */
  ka_pool pool_kind;
  size_t stack_bytes;
  char name[32];

  _Atomic unsigned holders; /* the caller; the scheduler until the task ends; messages */
  _Atomic(struct ka__scheduler *) scheduler; /* NULL until it begins */
  _Atomic bool cancelled;                    /* asked for and not yet delivered */
  struct ka__message wake, cancel;
  _Atomic bool cancel_sent;

  /* The end. `lock` guards the list; status, text and result do not change once `done`. */
  pthread_mutex_t lock;
  ka_wait_request *waiters;
  _Atomic bool done;
  ka_status status;
  char *text; /* of a failure; NULL: none */
};

/* The least size of a stack, also where less is asked for. */
enum { KA__STACK_LEAST = 16 << 10 };

/* Held by the caller and by the scheduler. NULL, with a text that begins with `call`, as
 * ka_spawn_with. */
ka_task *ka__task_create(const char *call, ka_backend *backend, const ka_spawn_options *options,
                         ka_task_function *function, void *argument);

void ka__task_drop(ka_task *task);
/* Of a task that will never begin and that nobody else knows. */
void ka__task_discard(ka_task *task);

/* Whether the calling task was asked to end and has not been told yet. The second tells it. */
bool ka__task_cancellation_pending(void);
bool ka__task_take_cancellation(void);
/* KA_ERROR_CANCELLED, with a text, if it could be taken. */
ka_status ka__task_cancellation(void);

/* Runs on the task's own stack: the function, then the end of the task. */
void ka__task_main(void *task);

/* Ends a task, begun or not: tells those who wait. */
void ka__task_end(ka_task *task, ka_status status);

#endif
