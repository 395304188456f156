/* The loop of a scheduler thread: when it sleeps, what wakes it, and how it is set up and closed.
 */
#include "runtime/task/loop.h"
#include "runtime/core/status.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Threads that send messages may touch a scheduler a moment longer than its thread lives, so they
 * are not freed but used again. */
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ka__scheduler *spare;

bool ka__several_cpus(void) {
  static _Atomic int known; /* 0: not yet */
  int count = atomic_load_explicit(&known, memory_order_relaxed);
  if (!count) {
    count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    atomic_store_explicit(&known, count, memory_order_relaxed);
  }
  return count > 1;
}

/* ---- libuv's callbacks ---- */

static void arm(struct ka__scheduler *s) {
  uint64_t when = s->timers.first ? s->timers.first->when : 0;
  if (when == s->armed_for)
    return;
  s->armed_for = when;
  struct itimerspec spec = {.it_value = {(time_t)(when / 1000000000u), (long)(when % 1000000000u)}};
  timerfd_settime(s->alarm_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

static void go_to_sleep(struct ka__scheduler *s) {
  arm(s);
  atomic_store(&s->sleeps, true);
  /* What came before others could see that this thread sleeps. */
  if (atomic_load(&s->inbox) || atomic_load(&s->pool->fresh_count) || ka__scheduler_is_over(s))
    ka__scheduler_stay_awake(s);
}

static void before_sleep(uv_prepare_t *handle) {
  struct ka__scheduler *s = handle->data;
  if (uv_is_active((uv_handle_t *)&s->idle))
    return;
  go_to_sleep(s);
}

static void after_sleep(uv_check_t *handle) {
  struct ka__scheduler *s = handle->data;
  atomic_store(&s->sleeps, false);
  ka__scheduler_run(s);
  if (ka__scheduler_has_work(s))
    ka__scheduler_stay_awake(s);
  else
    uv_idle_stop(&s->idle);
  if (ka__scheduler_is_over(s))
    uv_stop(s->loop);
  /* A program may wait for the loop's file descriptor outside of uv_run. */
  if (s->pool == &s->own_pool && !uv_is_active((uv_handle_t *)&s->idle))
    go_to_sleep(s);
}

static void woken(uv_async_t *handle) { (void)handle; /* Messages are read after the sleep. */ }

static void empty_timerfd(int fd) {
  uint64_t times;
  while (read(fd, &times, sizeof times) < 0 && errno == EINTR)
    ;
}

static void alarm_rang(uv_poll_t *handle, int status, int events) {
  (void)status, (void)events;
  struct ka__scheduler *s = handle->data;
  empty_timerfd(s->alarm_fd);
  s->armed_for = 0; /* What is due is found after the sleep. */
}

static void watch_rang(uv_poll_t *handle, int status, int events) {
  (void)status, (void)events;
  struct ka__scheduler *s = handle->data;
  empty_timerfd(s->pool->watch_fd);
  atomic_store(&s->pool->watch_set, false); /* A new task is found after the sleep. */
}

/* ---- Schedulers ---- */

static void closed(uv_handle_t *handle) {
  struct ka__scheduler *s = handle->data;
  s->open_handles--;
}

static void close_handle(struct ka__scheduler *s, void *handle) {
  ((uv_handle_t *)handle)->data = s;
  uv_close(handle, closed);
}

static void close_foreign(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

/* Undoes init_handles as far as it came. */
static void close_loop(struct ka__scheduler *s) {
  void *handles[] = {&s->wakeup, &s->idle, &s->prepare, &s->check, &s->alarm, &s->watch};
  int count = s->open_handles;
  for (int i = 0; i < count; i++)
    close_handle(s, handles[i]);
  if (s->loop == &s->own_loop) {
    /* What the program's tasks left open. */
    uv_walk(s->loop, close_foreign, NULL);
    uv_run(s->loop, UV_RUN_DEFAULT);
    uv_loop_close(s->loop);
  } else {
    while (s->open_handles > 0)
      uv_run(s->loop, UV_RUN_NOWAIT);
  }
  if (s->alarm_fd >= 0)
    close(s->alarm_fd);
}

static int init_handles(struct ka__scheduler *s) {
  int error = uv_async_init(s->loop, &s->wakeup, woken);
  if (error)
    return error;
  uv_idle_init(s->loop, &s->idle);
  uv_prepare_init(s->loop, &s->prepare);
  uv_check_init(s->loop, &s->check);
  s->open_handles = 4;
  s->wakeup.data = s->prepare.data = s->check.data = s->alarm.data = s->watch.data = s;
  s->alarm_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (s->alarm_fd < 0)
    return uv_translate_sys_error(errno);
  error = uv_poll_init(s->loop, &s->alarm, s->alarm_fd);
  if (error)
    return error;
  s->open_handles++;
  error = uv_poll_start(&s->alarm, UV_READABLE, alarm_rang);
  if (error || s->pool->watch_fd < 0)
    return error;
  error = uv_poll_init(s->loop, &s->watch, s->pool->watch_fd);
  if (error)
    return error;
  s->open_handles++;
  return uv_poll_start(&s->watch, UV_READABLE, watch_rang);
}

/* The memory of a scheduler, all zero but for what others may still look at. */
static struct ka__scheduler *take_spare(void) {
  pthread_mutex_lock(&spare_lock);
  struct ka__scheduler *s = spare;
  if (s)
    spare = s->next;
  pthread_mutex_unlock(&spare_lock);
  return s ? s : ka__new_lines(sizeof *s);
}

static void make_spare(struct ka__scheduler *s) {
  while (atomic_load(&s->senders) > 0)
    sched_yield();
  while (s->stack_count)
    ka__stack_release(&s->stacks[--s->stack_count]);
  pthread_mutex_lock(&spare_lock);
  s->next = spare;
  spare = s;
  pthread_mutex_unlock(&spare_lock);
}

/* `pool` NULL: one of its own. `loop` NULL: likewise. */
struct ka__scheduler *ka__scheduler_create(struct ka__pool *pool, uv_loop_t *loop) {
  struct ka__scheduler *s = take_spare();
  if (!s) {
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for a scheduler thread");
    return NULL;
  }
  if (!pool) {
    ka__pool_init(&s->own_pool, 0);
    pool = &s->own_pool;
  }
  s->pool = pool;
  s->loop = loop ? loop : &s->own_loop;
  s->open_handles = 0;
  s->alarm_fd = -1;
  s->armed_for = 0;
  s->running = s->ended = NULL;
  s->first = NULL;
  s->expected = 0;
  s->expected_until = 0;
  s->waits_in_crowd = s->crowd = 0;
  s->now = s->looked_at = 0;
  s->tasks = 0;
  s->timers.first = NULL;
  ka__task_queue_init(&s->ready);
  int error = loop ? 0 : uv_loop_init(&s->own_loop);
  if (!error) {
    error = init_handles(s);
    if (error)
      close_loop(s);
  }
  if (error) {
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "a scheduler thread cannot be set up: %s", uv_strerror(error));
    make_spare(s);
    return NULL;
  }
  uv_prepare_start(&s->prepare, before_sleep);
  uv_check_start(&s->check, after_sleep);
  return s;
}

void ka__scheduler_enter(struct ka__scheduler *s) {
  ka__fiber_of_thread(&s->fiber);
  ka__here = s;
  pthread_mutex_lock(&s->pool->lock);
  s->next = s->pool->schedulers;
  s->pool->schedulers = s;
  pthread_mutex_unlock(&s->pool->lock);
}

/* With the pool's lock. */
void ka__scheduler_leave(struct ka__scheduler *s) {
  struct ka__scheduler **at = &s->pool->schedulers;
  while (*at != s)
    at = &(*at)->next;
  *at = s->next;
}

void ka__scheduler_release(struct ka__scheduler *s) {
  close_loop(s);
  make_spare(s);
}
