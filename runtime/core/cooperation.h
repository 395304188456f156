/* Between libka and libka-task, which knows libka but is not known to it: what libka does
 * differently in a task.
 *
 * libka-task is a library of its own because it needs libuv; where it is not loaded, there are no
 * tasks. */
#ifndef KA_RUNTIME_CORE_COOPERATION_H
#define KA_RUNTIME_CORE_COOPERATION_H

#include "runtime/core/status.h"
#include "runtime/core/thread.h"

#include <ka/task.h>

/* ---- For libka-task ---- */

struct ka__cooperation {
  ka_status (*wait)(const ka_wait_ops *ops, void *object); /* ka_cooperative_wait */
  void (*complete)(ka_wait_request *request, ka_status status);
  bool (*in_task)(void);           /* whether the caller runs in a task */
  bool (*in_callback)(void);       /* whether it is a callback of a scheduler thread's loop */
  ka_status (*cancellation)(void); /* fails, once, if the calling task has been cancelled */
};

/* Called once, before there are tasks. */
KA_API void ka__cooperate(const struct ka__cooperation *cooperation);

/* What belongs to a task and is the thread's own otherwise. All zero but `of_task`: that of a new
 * task. */
struct ka__task_state {
  struct ka__error_place error;
  struct ka__thread_place thread;
};

KA_API void ka__task_state_init(struct ka__task_state *state);
/* The calling thread from now on works with the other state: before a task runs, and after it. */
KA_API void ka__task_state_swap(struct ka__task_state *state);
/* Waits for what is in any queue of the calling task; fails as ka_synchronize does. A task that has
 * used no device waits for nothing. */
KA_API ka_status ka__synchronize_task(void);
/* Gives the task's queues back. */
KA_API void ka__task_state_fini(struct ka__task_state *state);

/* As ka_record_event, an event without a time: its queue need not keep times, which slows launches
 * down. */
KA_API ka_status ka__record_untimed_event(ka_backend *backend, ka_event **event);

/* ---- For libka ---- */

bool ka__in_task(void);

/* Waits as ka_cooperative_wait does; only in a task, and between ka__enter and ka__leave, which it
 * takes back meanwhile: other tasks of the thread run, and the program may end. Fails if it has. */
ka_status ka__wait_in_task(const ka_wait_ops *ops, void *object);

/* Whether the caller is a callback of the loop of a scheduler thread, where a wait would keep all
 * tasks of the thread from running. */
bool ka__in_callback_of_loop(void);

/* After a wait for the device, which is not cut short, has ended well in a task: fails, once, if
 * the task has been cancelled. */
ka_status ka__cancellation(void);

/* Calls a function that may take long or block, between ka__enter and ka__leave: in a task on a
 * worker thread, while other tasks of the caller's thread run; else at once. Its text is the
 * caller's then, however long. */
ka_status ka__run_aside(ka_status (*function)(void *argument), void *argument);

/* For drivers' callbacks: what they were to report has happened. */
void ka__wait_over(ka_wait_request *request);

#endif
