/* Inside the scheduler: threads, their loops and their pools. */
#ifndef KA_RUNTIME_TASK_LOOP_H
#define KA_RUNTIME_TASK_LOOP_H

#include "runtime/task/lines.h"
#include "runtime/task/scheduler.h"

#include <uv.h>

/* Stacks of ended tasks that a thread keeps for new ones. */
enum { KA__STACKS_KEPT = 64 };

struct ka__task_queue {
  ka_task *first, **end;
};

struct ka__pool {
  pthread_mutex_t lock; /* guards what follows, up to `live`; taken inside a task's lock or none */
  struct ka__task_queue fresh; /* tasks that have not begun */
  struct ka__scheduler *schedulers;
  unsigned threads;   /* scheduler threads that there shall be */
  unsigned started;   /* that there are */
  unsigned hosts;     /* threads in ka_run, which count as well */
  _Atomic bool stops; /* they leave when they have nothing to do */
  pthread_cond_t changed;
  _Atomic unsigned fresh_count; /* of `fresh`; read without the lock too */
  _Atomic size_t live;          /* tasks that have not ended */
  int watch_fd;                 /* fires when a new task has been left alone for long; -1: none */
  _Atomic bool watch_set;
};

/* What other threads touch lies apart from the rest. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct ka__scheduler {
  struct ka__pool *pool;
  struct ka__scheduler *next; /* in the pool, or among those that wait to be used again */
  uv_loop_t *loop, own_loop;
  uv_async_t wakeup;
  uv_idle_t idle;           /* active while a task can run, so that the loop does not sleep */
  uv_prepare_t prepare;     /* before the loop sleeps */
  uv_check_t check;         /* after it slept, or did not: runs tasks */
  uv_poll_t alarm;          /* alarm_fd */
  uv_poll_t watch;          /* the pool's watch_fd */
  int alarm_fd;             /* fires for the earliest timer */
  uint64_t armed_for;       /* what it is set to; 0: nothing */
  int open_handles;         /* of these */
  struct ka__pool own_pool; /* of a thread whose loop is the program's */

  struct ka__fiber fiber; /* the thread itself */
  ka_task *running;
  ka_task *ended; /* to be cleared away after the switch */
  struct ka__task_queue ready;
  struct ka__timers timers;
  int expected;            /* wakes by worker threads */
  uint64_t expected_until; /* how long to look for the one that was expected last; 0: not at all */
  /* Waits to come that do not linger, and as many the last time; halved by each that does. */
  unsigned waits_in_crowd, crowd;
  uint64_t now; /* what the clock said, when the counter was */
  uint64_t looked_at;
  size_t tasks;         /* begun here and not ended */
  const ka_task *first; /* of ka_run; NULL: a thread of a pool or with the program's loop */

  struct ka__stack stacks[KA__STACKS_KEPT];
  unsigned stack_count;

  /* What other threads write, apart from what the thread looks at while it waits for it. */
  _Alignas(KA__CACHE_LINE) _Atomic(struct ka__message *) inbox;
  _Alignas(KA__CACHE_LINE) _Atomic unsigned senders; /* threads that are putting a message there */
  _Atomic bool sleeps;
};

/* The calling thread's scheduler; NULL on a plain thread. */
extern _Thread_local struct ka__scheduler *ka__here;

/* ---- Queues of tasks ---- */

static inline void ka__task_queue_init(struct ka__task_queue *queue) {
  queue->first = NULL;
  queue->end = &queue->first;
}

static inline void ka__task_queue_append(struct ka__task_queue *queue, ka_task *task) {
  task->next = NULL;
  *queue->end = task;
  queue->end = &task->next;
}

static inline ka_task *ka__task_queue_take(struct ka__task_queue *queue) {
  ka_task *task = queue->first;
  if (task && !(queue->first = task->next))
    queue->end = &queue->first;
  return task;
}

/* ---- scheduler.c: running tasks ---- */

/* Begins a new task here, which can then run. */
void ka__scheduler_begin(struct ka__scheduler *s, ka_task *task);
/* Runs what can run, until nothing can or the loop's turn has come. */
void ka__scheduler_run(struct ka__scheduler *s);
bool ka__scheduler_has_work(struct ka__scheduler *s);
/* Whether the thread has no more to do here: ka_run has ended, or its pool is to stop. */
bool ka__scheduler_is_over(struct ka__scheduler *s);
/* The loop must not sleep: there is something to run. Only on the scheduler's thread. */
void ka__scheduler_stay_awake(struct ka__scheduler *s);
/* Wakes the loop if it sleeps. Any thread, while the scheduler cannot leave. */
bool ka__scheduler_wake(struct ka__scheduler *s);

/* ---- loop.c: making and closing ---- */

bool ka__several_cpus(void);

/* In the pool, or, if that is NULL, one of its own; with `loop`, or one of its own. NULL, with a
 * text, if that cannot be had. Not yet part of the pool. */
struct ka__scheduler *ka__scheduler_create(struct ka__pool *pool, uv_loop_t *loop);
/* The calling thread becomes the scheduler's thread. */
void ka__scheduler_enter(struct ka__scheduler *s);
/* The calling thread leaves the pool. With the pool's lock. */
void ka__scheduler_leave(struct ka__scheduler *s);
/* Closes its handles and its loop, and keeps the memory for the next. */
void ka__scheduler_release(struct ka__scheduler *s);

/* ---- pool.c ---- */

void ka__pool_init(struct ka__pool *pool, unsigned threads);
/* The default pool and the interactive one; after ka__pools_init. */
extern struct ka__pool ka__pools[2];
/* With the pool's lock: starts the threads that are missing; KA_OK if the pool then has one. */
ka_status ka__pool_start(struct ka__pool *pool);
/* Asks the pool's threads to leave, and waits until they have or there is work again. */
void ka__pool_stop(struct ka__pool *pool);
/* With the pool's lock, under which threads leave: wakes one of its threads, or all, that sleep. */
bool ka__pool_wake_one(struct ka__pool *pool);
void ka__pool_wake_all(struct ka__pool *pool);

#endif
