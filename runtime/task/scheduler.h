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

/* Whether the caller is a scheduler thread that runs no task: in a callback of its loop, or in a
 * program that runs the loop itself. Nothing that a task has to do would ever be done while it
 * waits. */
bool ka__between_tasks(void);

/* In a callback of a loop that is ours. Where the program runs the loop itself, libka cannot tell a
 * callback from what comes before and after uv_run. */
bool ka__in_callback(void);

/* The parked task can go on. Exactly one call for each park. */
void ka__task_wake(ka_task *task);
/* Tells the task's scheduler thread that task->cancelled is set. */
void ka__task_send_cancel(ka_task *task);
/* Reads the settings of the environment once, and says whether there can be tasks: with a text if a
 * setting is wrong, or if this process is a child made by fork(). To be called before all else, by
 * the public function of that name. */
ka_status ka__pools_init(const char *call);
/* The size of a stack for which nothing else was asked; after ka__pools_init. */
extern size_t ka__stack_bytes;
/* Whether the process is a child made by fork() of one that had tasks. Threads that ran them are
 * not there, and locks may have been held by threads that are not there. */
bool ka__tasks_forked(void);
/* Makes the text for what cannot be done there, and returns its status. */
ka_status ka__tasks_refused(const char *call);
/* Puts a new task where scheduler threads of its pool find it, and sees that there is one. */
ka_status ka__task_begin(ka_task *task);

/* ---- On a scheduler thread ---- */

struct ka__timers *ka__scheduler_timers(void);
/* Whether a wait may look again and again at something that may end soon: not if others have lately
 * wanted the core. On a plain thread it may. Counts the waits, so each asks once. */
bool ka__scheduler_lets_linger(void);
/* Whether no other task can run now. */
bool ka__scheduler_is_free(void);
/* Between two looks: lets others have the core if they want it, brings the time up to date, and
 * says whether looking is still worth it. */
bool ka__scheduler_linger(uint64_t *now);
/* A worker thread will wake a task of this thread (+1), for which it may linger, or has done so
 * (-1). */
void ka__scheduler_expect(int change, bool lingers);

#endif
