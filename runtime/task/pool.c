/* Pools of scheduler threads, and new tasks on their way to one. */
#include "runtime/core/signals.h"
#include "runtime/core/status.h"
#include "runtime/task/loop.h"

#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* A thread that keeps computing after it made one task leaves it to others after that time. */
enum { WATCH_NANOSECONDS = 1000000 };
enum { THREADS_MOST = 256 };
#define STACK_MOST (1ull << 40)

struct ka__pool ka__pools[2];
/* Guards the preparation, which is done once; but one that fails is tried again. */
static pthread_mutex_t preparing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool sees_forks, prepared;

void ka__pool_init(struct ka__pool *pool, unsigned threads) {
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  ka__task_queue_init(&pool->fresh);
  pool->schedulers = NULL;
  pool->threads = threads;
  pool->started = 0;
  pool->hosts = 0;
  pool->stops = false;
  pool->watch_fd = threads ? timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC) : -1;
  atomic_store(&pool->fresh_count, 0);
  atomic_store(&pool->live, 0);
  atomic_store(&pool->watch_set, false);
}

/* With the pool's lock, under which threads leave. */
bool ka__pool_wake_one(struct ka__pool *pool) {
  for (struct ka__scheduler *s = pool->schedulers; s; s = s->next)
    if (s != ka__here && ka__scheduler_wake(s))
      return true;
  return false;
}

void ka__pool_wake_all(struct ka__pool *pool) {
  while (ka__pool_wake_one(pool))
    ;
}

static void *thread_main(void *argument) {
  struct ka__scheduler *s = argument;
  struct ka__pool *pool = s->pool;
  ka__scheduler_enter(s);
  for (;;) {
    uv_run(s->loop, UV_RUN_DEFAULT);
    pthread_mutex_lock(&pool->lock);
    if (ka__scheduler_is_over(s))
      break;
    pthread_mutex_unlock(&pool->lock);
  }
  ka__scheduler_leave(s);
  pthread_mutex_unlock(&pool->lock);
  ka__here = NULL;
  ka__scheduler_release(s);
  pthread_mutex_lock(&pool->lock);
  pool->started--;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

/* Fewer than there shall be are enough. */
ka_status ka__pool_start(struct ka__pool *pool) {
  while (pool->started + pool->hosts < pool->threads) {
    struct ka__scheduler *s = ka__scheduler_create(pool, NULL);
    if (!s)
      break;
    int error = ka__start_thread(thread_main, s);
    if (error) {
      ka__fail(KA_ERROR_OUT_OF_MEMORY, "a scheduler thread cannot be started: %s", strerror(error));
      ka__scheduler_release(s);
      break;
    }
    pool->started++;
  }
  return pool->started || pool->schedulers ? KA_OK : KA_ERROR_OUT_OF_MEMORY;
}

/* ---- The pools ---- */

static const char *threads_text, *stack_text; /* of the environment, if they are wrong */
size_t ka__stack_bytes = 256 << 10;
static _Atomic bool forked;

/* In a child of a process that has no tasks yet the preparation begins anew, whoever was at it. May
 * be called more than once. */
static void in_child(void) {
  pthread_mutex_init(&preparing, NULL);
  atomic_store(&forked, atomic_load(&prepared));
}

bool ka__tasks_forked(void) { return atomic_load_explicit(&forked, memory_order_relaxed); }

ka_status ka__tasks_refused(const char *call) {
  return ka__fail(KA_ERROR_NO_DEVICE,
                  "%s: this process is a child made by fork() of one that had tasks, and the "
                  "threads that run them are not there; call exec first, or fork before there are "
                  "tasks",
                  call);
}

static bool in_task(void) { return ka_task_self() != NULL; }

/* n or n,m. False if the text is something else. */
static bool read_threads(const char *text, unsigned counts[2]) {
  for (int p = 0; p < 2 && *text; p++) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || n > THREADS_MOST || (p == 0 && n == 0) ||
        (*end && (*end != ',' || p == 1)))
      return false;
    counts[p] = (unsigned)n;
    text = *end ? end + 1 : end;
  }
  return true;
}

static bool read_stack(const char *text, size_t *bytes) {
  char *end;
  unsigned long long n = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || n < KA__STACK_LEAST || n > STACK_MOST)
    return false;
  *bytes = (size_t)n;
  return true;
}

static void read_settings_and_begin(void) {
  static const struct ka__cooperation cooperation = {.wait = ka_cooperative_wait,
                                                     .complete = ka_wait_complete,
                                                     .in_task = in_task,
                                                     .in_callback = ka__in_callback,
                                                     .cancellation = ka__task_cancellation};
  ka__cooperate(&cooperation);
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned counts[2] = {cpus < 1 ? 1 : cpus > 4 ? 4 : (unsigned)cpus, 0};
  const char *threads = getenv("KA_TASK_THREADS"), *stack = getenv("KA_TASK_STACK");
  if (threads && !read_threads(threads, counts))
    threads_text = threads;
  if (stack && *stack && !read_stack(stack, &ka__stack_bytes))
    stack_text = stack;
  for (int p = 0; p < 2; p++)
    ka__pool_init(&ka__pools[p], counts[p]);
}

/* Without the handler children made by fork() would wait for threads that are not there, and for
 * the lock. Two threads may both register it. */
static bool see_forks(void) {
  if (!atomic_load(&sees_forks) && pthread_atfork(NULL, NULL, in_child) != 0)
    return false;
  atomic_store(&sees_forks, true);
  return true;
}

static bool prepare(void) {
  if (atomic_load_explicit(&prepared, memory_order_acquire))
    return true;
  if (!see_forks())
    return false;
  pthread_mutex_lock(&preparing);
  if (!atomic_load(&prepared)) {
    read_settings_and_begin();
    atomic_store(&prepared, true);
  }
  pthread_mutex_unlock(&preparing);
  return true;
}

ka_status ka__pools_init(const char *call) {
  if (!prepare())
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "%s: no host memory to prepare for tasks", call);
  if (ka__tasks_forked())
    return ka__tasks_refused(call);
  if (threads_text)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "%s: KA_TASK_THREADS is '%s'; it has the form n or n,m: 1 to %d scheduler "
                    "threads, and 0 to %d for the interactive pool",
                    call, threads_text, THREADS_MOST, THREADS_MOST);
  if (stack_text)
    return ka__fail(
        KA_ERROR_INVALID_ARGUMENT,
        "%s: KA_TASK_STACK is '%s'; it is the size of a task's stack in bytes, from %d to "
        "%llu",
        call, stack_text, (int)KA__STACK_LEAST, STACK_MOST);
  return KA_OK;
}

static struct ka__pool *choose_pool(ka_pool kind) {
  if (kind == KA_POOL_INTERACTIVE && ka__pools[KA_POOL_INTERACTIVE].threads > 0)
    return &ka__pools[KA_POOL_INTERACTIVE];
  if (ka__here && ka__here->pool == &ka__here->own_pool)
    return ka__here->pool;
  return &ka__pools[KA_POOL_DEFAULT];
}

/* Somebody has to see the new task: the calling thread, if it is of the pool, does when it waits
 * next. */
static void alert(struct ka__pool *pool) {
  bool here = ka__here && ka__here->pool == pool;
  if (!here || atomic_load(&pool->fresh_count) > 1 || pool->watch_fd < 0) {
    ka__pool_wake_one(pool);
  } else if (!atomic_exchange(&pool->watch_set, true)) {
    struct itimerspec spec = {.it_value = {0, WATCH_NANOSECONDS}};
    timerfd_settime(pool->watch_fd, 0, &spec, NULL);
  }
}

ka_status ka__task_begin(ka_task *task) {
  ka_status status = KA_OK;
  struct ka__pool *pool = choose_pool(task->pool_kind);
  pthread_mutex_lock(&pool->lock);
  bool hosted = ka__here && pool == &ka__here->own_pool;
  if (!hosted)
    status = ka__pool_start(pool);
  if (status == KA_OK) {
    ka__task_queue_append(&pool->fresh, task);
    atomic_fetch_add(&pool->fresh_count, 1);
    bool first = atomic_fetch_add(&pool->live, 1) == 0;
    if (first && hosted)
      uv_ref((uv_handle_t *)&ka__here->wakeup);
    if (ka__here && ka__here->pool == pool && !ka__here->running &&
        !uv_is_active((uv_handle_t *)&ka__here->idle))
      ka__scheduler_stay_awake(ka__here);
    alert(pool);
  }
  pthread_mutex_unlock(&pool->lock);
  return status;
}

/* Asks the pool's own threads to leave, and waits until they have. */
void ka__pool_stop(struct ka__pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stops = true;
  ka__pool_wake_all(pool);
  while (pool->started > 0 && atomic_load(&pool->live) == 0)
    pthread_cond_wait(&pool->changed, &pool->lock);
  pool->stops = false;
  pthread_mutex_unlock(&pool->lock);
}
