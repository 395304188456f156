/* How a scheduler thread divides its time.
 *
 * Everything happens in callbacks of one libuv loop, so that a program's own loop can host tasks
 * just as one of ours does. Tasks run in the check callback, and an idle handle, active while a
 * task can run, keeps the loop from sleeping; a turn ends when no task can run or input and timers
 * have waited long enough. Other threads put messages into the inbox and, only if the thread
 * sleeps, wake its loop. Before it sleeps, a thread whose tasks wait for worker threads looks at
 * its inbox for a moment.
 *
 * New tasks go to their pool, and any thread of the pool begins them; from then on they stay. A
 * thread that begins a task itself costs least, so others are woken only when more than one task
 * has not begun; and if the thread that made a task keeps computing, another one looks after a
 * millisecond.
 */
#include "runtime/core/status.h"
#include "runtime/task/loop.h"
#include "runtime/task/pause.h"
#include "runtime/task/request.h"

#include <sched.h>

/* Tasks run that long, at least one round, before input and timers are looked at again. */
enum { ROUND_NANOSECONDS = 100000 };
/* A thread that expects a worker thread to wake a task looks that long before it sleeps. */
enum { SPIN_NANOSECONDS = 20000 };
/* See look_at_clock. */
enum { CLOCK_TICKS = 2000 };

_Thread_local struct ka__scheduler *ka__here;

/* ---- Sleeping and waking ---- */

bool ka__scheduler_wake(struct ka__scheduler *s) {
  if (!atomic_load(&s->sleeps) || !atomic_exchange(&s->sleeps, false))
    return false;
  uv_async_send(&s->wakeup);
  return true;
}

/* The receiver stays: it has a task that has not ended. */
static void post(struct ka__scheduler *s, struct ka__message *message) {
  atomic_fetch_add(&s->senders, 1);
  message->next = atomic_load_explicit(&s->inbox, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&s->inbox, &message->next, message))
    ;
  ka__scheduler_wake(s);
  atomic_fetch_sub(&s->senders, 1);
}

/* Only there to be active. */
static void do_nothing(uv_idle_t *idle) { (void)idle; }

void ka__scheduler_stay_awake(struct ka__scheduler *s) {
  if (!uv_is_active((uv_handle_t *)&s->idle))
    uv_idle_start(&s->idle, do_nothing);
}

static void make_ready(struct ka__scheduler *s, ka_task *task) {
  ka__task_queue_append(&s->ready, task);
  ka__scheduler_stay_awake(s);
}

void ka__task_wake(ka_task *task) {
  struct ka__scheduler *s = atomic_load_explicit(&task->scheduler, memory_order_relaxed);
  if (s == ka__here)
    make_ready(s, task);
  else
    post(s, &task->wake);
}

void ka__task_send_cancel(ka_task *task) {
  /* Under the lock the task cannot end, so its thread does not leave. */
  pthread_mutex_lock(&task->lock);
  struct ka__scheduler *s = atomic_load(&task->scheduler);
  if (s && !atomic_load(&task->done) && !atomic_exchange(&task->cancel_sent, true)) {
    atomic_fetch_add_explicit(&task->holders, 1, memory_order_relaxed);
    post(s, &task->cancel);
  }
  pthread_mutex_unlock(&task->lock);
}

static void receive(struct ka__scheduler *s, struct ka__message *message) {
  ka_task *task = message->task;
  if (!message->cancel) {
    ka__task_queue_append(&s->ready, task);
    return;
  }
  atomic_store(&task->cancel_sent, false);
  /* The task may have been told meanwhile. */
  if (task->interruptible && atomic_load(&task->cancelled))
    ka__request_abandon(task->interruptible);
  ka__task_drop(task);
}

/* Messages come out last first; tasks are to go on in the order in which they were woken. */
static void empty_inbox(struct ka__scheduler *s) {
  if (!atomic_load_explicit(&s->inbox, memory_order_relaxed))
    return;
  struct ka__message *last = atomic_exchange_explicit(&s->inbox, NULL, memory_order_acquire);
  struct ka__message *first = NULL;
  while (last) {
    struct ka__message *next = last->next;
    last->next = first;
    first = last;
    last = next;
  }
  while (first) {
    struct ka__message *next = first->next;
    receive(s, first);
    first = next;
  }
}

/* ---- The running task ---- */

ka_task *ka_task_self(void) { return ka__here ? ka__here->running : NULL; }

bool ka__between_tasks(void) { return ka__here && !ka__here->running; }

bool ka__in_callback(void) { return ka__between_tasks() && ka__here->pool != &ka__here->own_pool; }

void ka__task_park(void) {
  ka_task *task = ka__here->running;
  ka__fiber_switch(&task->fiber, &ka__here->fiber, false);
}

void ka__task_yield(void) {
  ka__task_queue_append(&ka__here->ready, ka__here->running);
  ka__task_park();
}

void ka__task_exit(void) {
  ka__here->ended = ka__here->running;
  ka__fiber_switch(&ka__here->running->fiber, &ka__here->fiber, true);
  __builtin_unreachable();
}

struct ka__timers *ka__scheduler_timers(void) { return &ka__here->timers; }

/* ---- Lingering ----
 *
 * A kernel that ends soon is seen soonest by looking, but on a CPU the kernel may need the very
 * core. So the core is offered at each look. Whoever takes it for a slice of the system's is
 * another program or a long kernel: then sleeping until one is woken is better, and the next waits
 * do not linger; each time it happens again, twice as many. */

enum { SLICE_NANOSECONDS = 500000, CROWD_LEAST = 32, CROWD_MOST = 4096 };

static bool wait_in_crowd(struct ka__scheduler *s) {
  if (s->waits_in_crowd) {
    s->waits_in_crowd--;
    return true;
  }
  s->crowd /= 2;
  return false;
}

bool ka__scheduler_lets_linger(void) { return !ka__here || !wait_in_crowd(ka__here); }

bool ka__scheduler_is_free(void) { return !ka__here || !ka__scheduler_has_work(ka__here); }

bool ka__scheduler_linger(uint64_t *now) {
  struct ka__scheduler *s = ka__here;
  uint64_t before = *now;
  sched_yield();
  *now = ka__now();
  if (!s)
    return true;
  if (*now - before < SLICE_NANOSECONDS)
    return !ka__scheduler_has_work(s);
  s->crowd = s->crowd < CROWD_LEAST / 4  ? CROWD_LEAST
             : s->crowd < CROWD_MOST / 4 ? 4 * s->crowd
                                         : CROWD_MOST;
  s->waits_in_crowd = s->crowd;
  return false;
}

/* Looking for what a worker thread brings is worth while only at first: a wait that takes longer
 * than that will last, and the loop has others to serve. */
void ka__scheduler_expect(int change, bool lingers) {
  struct ka__scheduler *s = ka__here;
  if (!s)
    return;
  s->expected += change;
  /* The wait may have lingered already, and have met the crowd. */
  if (lingers && !s->waits_in_crowd)
    s->expected_until = ka__now() + SPIN_NANOSECONDS;
}

/* ---- Beginning and ending tasks ---- */

static bool take_stack(struct ka__scheduler *s, ka_task *task) {
  if (s->stack_count && s->stacks[s->stack_count - 1].bytes >= task->stack_bytes) {
    task->fiber.stack = s->stacks[--s->stack_count];
    return true;
  }
  return ka__stack_make(&task->fiber.stack, task->stack_bytes);
}

static void keep_stack(struct ka__scheduler *s, ka_task *task) {
  struct ka__stack *stack = &task->fiber.stack;
  /* Unusual sizes are not kept. */
  if (s->stack_count < KA__STACKS_KEPT && (!s->stack_count || s->stacks[0].bytes == stack->bytes))
    s->stacks[s->stack_count++] = *stack;
  else
    ka__stack_release(stack);
  *stack = (struct ka__stack){0};
}

/* The task has ended, begun or not, and is let go by the scheduler. */
static void bury(struct ka__pool *pool, ka_task *task) {
  ka__task_drop(task);
  if (atomic_fetch_sub(&pool->live, 1) != 1)
    return;
  if (pool == &ka__here->own_pool) {
    uv_unref((uv_handle_t *)&ka__here->wakeup);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  ka__pool_wake_all(pool);
  pthread_mutex_unlock(&pool->lock);
}

void ka__scheduler_begin(struct ka__scheduler *s, ka_task *task) {
  if (!take_stack(s, task)) {
    ka__task_end(task,
                 ka__fail(KA_ERROR_OUT_OF_MEMORY, "task '%s': no memory for its stack of %zu bytes",
                          task->name, task->stack_bytes));
    bury(s->pool, task);
    return;
  }
  ka__fiber_init(&task->fiber, ka__task_main, task);
  s->tasks++;
  atomic_store(&task->scheduler, s);
  ka__task_queue_append(&s->ready, task);
}

static void start_fresh(struct ka__scheduler *s) {
  struct ka__pool *pool = s->pool;
  if (!atomic_load_explicit(&pool->fresh_count, memory_order_relaxed))
    return;
  pthread_mutex_lock(&pool->lock);
  ka_task *task = ka__task_queue_take(&pool->fresh);
  if (task)
    atomic_fetch_sub_explicit(&pool->fresh_count, 1, memory_order_relaxed);
  pthread_mutex_unlock(&pool->lock);
  if (task)
    ka__scheduler_begin(s, task);
}

static void run(struct ka__scheduler *s, ka_task *task) {
  s->running = task;
  ka__task_state_swap(&task->state);
  ka__fiber_switch(&s->fiber, &task->fiber, false);
  ka__task_state_swap(&task->state);
  s->running = NULL;
  if (!s->ended)
    return;
  s->ended = NULL;
  ka__fiber_fini(&task->fiber);
  ka__task_state_fini(&task->state);
  keep_stack(s, task);
  s->tasks--;
  bury(s->pool, task);
}

static void fire_due(struct ka__scheduler *s, uint64_t now) {
  struct ka__timer *timer;
  while ((timer = s->timers.first) && timer->when <= now) {
    ka__timers_remove(&s->timers, timer);
    ka_wait_complete(timer->request, KA_OK);
  }
}

bool ka__scheduler_has_work(struct ka__scheduler *s) {
  return s->ready.first || atomic_load_explicit(&s->inbox, memory_order_relaxed) ||
         atomic_load_explicit(&s->pool->fresh_count, memory_order_relaxed);
}

/* A counter that is cheaper to read than the clock, and goes on by one to five a nanosecond. */
static uint64_t ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#else
  return ka__now();
#endif
}

/* The time, not more than a microsecond or two behind. */
static uint64_t look_at_clock(struct ka__scheduler *s) {
  uint64_t now = ticks();
  if (now - s->looked_at > CLOCK_TICKS) {
    s->looked_at = now;
    s->now = ka__now();
  }
  return s->now;
}

/* Whether there is something to run; looks for it for a moment if a worker thread will bring it. */
static bool find_work(struct ka__scheduler *s) {
  if (ka__scheduler_has_work(s))
    return true;
  if (s->expected <= 0 || !s->expected_until || !ka__several_cpus())
    return false;
  uint64_t now = ka__now();
  while (now < s->expected_until) {
    for (int i = 0; i < 32; i++) {
      ka__pause();
      if (ka__scheduler_has_work(s))
        return true;
    }
    if (!ka__scheduler_linger(&now)) /* the worker thread may need this core */
      break;
  }
  s->expected_until = 0;
  return ka__scheduler_has_work(s);
}

void ka__scheduler_run(struct ka__scheduler *s) {
  uint64_t now = look_at_clock(s), until = now + ROUND_NANOSECONDS;
  do {
    fire_due(s, now);
    empty_inbox(s);
    start_fresh(s);
    /* Those that can run now; who yields comes into the next round. */
    struct ka__task_queue round = s->ready;
    if (!round.first)
      round.end = &round.first;
    ka__task_queue_init(&s->ready);
    for (ka_task *task; (task = ka__task_queue_take(&round));)
      run(s, task);
    now = look_at_clock(s);
  } while (now < until && find_work(s));
}

/* Whether the thread has no more to do here. A pool's thread then has left it. */
bool ka__scheduler_is_over(struct ka__scheduler *s) {
  struct ka__pool *pool = s->pool;
  if (s->first)
    return atomic_load(&s->first->done) && atomic_load(&pool->live) == 0;
  if (pool == &s->own_pool || s->tasks || !pool->stops)
    return false;
  return atomic_load(&pool->fresh_count) == 0;
}
