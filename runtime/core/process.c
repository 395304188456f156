/* The life of the process: who is inside libka, the end of the program, and fork().
 *
 * At exit no thread may be inside a driver when the driver's own exit functions run. Each call of
 * libka counts itself in, and the exit function, once it has shut the door, waits until those
 * inside have left and their queues are empty. Threads spread over several counters, so that they
 * do not wait for one cache line at each launch. */
#include "runtime/core/process.h"

#include "runtime/core/queue.h"
#include "runtime/core/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { COUNTERS = 16 };

static struct {
  _Alignas(64) _Atomic unsigned inside;
} counters[COUNTERS];

enum { RUNNING, ENDING, FORKED };
static _Atomic int state;
static _Atomic bool used;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER; /* signalled by who leaves while ENDING */

static _Thread_local struct {
  _Atomic unsigned *inside; /* the thread's counter; NULL before its first call */
  unsigned depth;           /* of its calls */
  int cancel_state;         /* what it was outside */
} self;

static _Atomic unsigned *choose_counter(void) {
  static _Atomic unsigned next;
  atomic_store_explicit(&used, true, memory_order_relaxed);
  return &counters[atomic_fetch_add(&next, 1) % COUNTERS].inside;
}

static void count_out(void) {
  /* Either the exit function sees the count, or this sees that it waits. */
  atomic_fetch_sub(self.inside, 1);
  if (atomic_load(&state) != ENDING)
    return;
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&left);
  pthread_mutex_unlock(&lock);
}

static bool count_in(void) {
  if (!self.inside)
    self.inside = choose_counter();
  atomic_fetch_add(self.inside, 1);
  return atomic_load(&state) == RUNNING;
}

static void go_in(void) {
  if (self.depth++ == 0)
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &self.cancel_state);
}

bool ka__enter(void) {
  if (!count_in()) {
    count_out();
    return false;
  }
  go_in();
  return true;
}

bool ka__enter_again(void) {
  bool allowed = count_in();
  go_in();
  return allowed;
}

void ka__leave(void) {
  bool outside = --self.depth == 0;
  count_out();
  if (outside)
    pthread_setcancelstate(self.cancel_state, NULL);
}

ka_status ka__refused(const char *call) {
  if (ka__forked())
    return ka__fail(KA_ERROR_NO_DEVICE,
                    "%s: this process is a child made by fork() of one that had used ka, and "
                    "drivers do not work in it; call exec first, or fork before ka is used",
                    call);
  return ka__fail(KA_ERROR_NO_DEVICE,
                  "%s: the program is ending, and its devices have been let go; use ka before main "
                  "returns, or in an exit function that is registered after each kernel has been "
                  "launched once",
                  call);
}

/* ---- The end of the program ---- */

static bool others_are_inside(void) {
  unsigned count = 0;
  for (int i = 0; i < COUNTERS; i++)
    count += atomic_load(&counters[i].inside);
  return count > self.depth; /* what the exiting thread itself has left half-way ends with it */
}

static void at_exit(void) {
  int running = RUNNING;
  if (!atomic_compare_exchange_strong(&state, &running, ENDING))
    return;
  pthread_mutex_lock(&lock);
  while (others_are_inside())
    pthread_cond_wait(&left, &lock);
  pthread_mutex_unlock(&lock);
  ka__queue_finish_all();
  ka__queue_tell_the_rest();
}

void ka__exit_watch(void) { atexit(at_exit); }

bool ka__exiting(void) { return atomic_load(&state) == ENDING; }

/* ---- fork ---- */

static void in_child(void) {
  if (atomic_load(&used))
    atomic_store(&state, FORKED);
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

bool ka__forked(void) { return atomic_load(&state) == FORKED; }
