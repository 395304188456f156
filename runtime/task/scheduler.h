/* Scheduler threads: each runs tasks and a libuv loop in turn. */
#ifndef KA_RUNTIME_TASK_SCHEDULER_H
#define KA_RUNTIME_TASK_SCHEDULER_H

#include "runtime/task/task.h"
#include "runtime/task/timers.h"

/* ---- For the running task ---- */

/* The calling task sleeps until somebody wakes it. */
void ka__task_park(void);
/* The calling task goes behind the others of its thread. */
void ka__task_yield(void);
/* The calling task has ended. Does not return. */
_Noreturn void ka__task_exit(void);

/* ---- From any thread ---- */

/* The parked task can go on. Exactly one call for each park. */
void ka__task_wake(ka_task *task);
/* Tells the task's scheduler thread that task->cancelled is set. */
void ka__task_send_cancel(ka_task *task);
/* Puts a new task where scheduler threads of its pool find it, and sees that there is one. */
ka_status ka__task_begin(ka_task *task);

/* ---- On a scheduler thread ---- */

struct ka__timers *ka__scheduler_timers(void);
/* A worker thread will soon (with +1) wake a task of this thread, or has done it (-1). */
void ka__scheduler_expect(int change);

#endif
