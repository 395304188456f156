/* Worker threads: few, the one that became idle last works first, since its caches are warm. Idle
 * ones end. */
#include "runtime/task/workers.h"

#include "runtime/core/signals.h"
#include "runtime/task/lines.h"
#include "runtime/task/pause.h"
#include "runtime/task/request.h"
#include "runtime/task/timers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* More are started only for waits that cannot be polled. */
enum { FEW = 4 };
/* An idle thread ends after that time; the next wait that needs one starts it again in some 20 us.
 */
enum { IDLE_SECONDS = 5 };
/* After its work a worker looks that long for more before it sleeps: waking a thread takes several
 * microseconds, and waits that are handed over mostly come one after the other. */
enum { SPIN_NANOSECONDS = 20000 };

struct worker {
  _Alignas(KA__CACHE_LINE) _Atomic(ka_wait_request *) work;
  _Atomic bool sleeps; /* on `signal`, which must be posted */
  sem_t signal;
  struct worker *below; /* in the stack of idle ones */
};

static struct {
  /* Guards the rest; taken inside no other lock of ours, and none is taken inside. */
  _Alignas(KA__CACHE_LINE) pthread_mutex_t lock;
  struct worker *idle;
  unsigned count;
} workers = {PTHREAD_MUTEX_INITIALIZER, NULL, 0};

static void push_idle(struct worker *worker) {
  pthread_mutex_lock(&workers.lock);
  worker->below = workers.idle;
  workers.idle = worker;
  pthread_mutex_unlock(&workers.lock);
}

/* False if somebody has taken it out to give it work. */
static bool remove_idle(struct worker *worker) {
  pthread_mutex_lock(&workers.lock);
  struct worker **at = &workers.idle;
  while (*at && *at != worker)
    at = &(*at)->below;
  bool found = *at;
  if (found) {
    *at = worker->below;
    workers.count--;
  }
  pthread_mutex_unlock(&workers.lock);
  return found;
}

static ka_wait_request *look_for_work(struct worker *worker) {
  uint64_t until = ka__now() + SPIN_NANOSECONDS;
  do {
    for (int i = 0; i < 32; i++) {
      ka_wait_request *work = atomic_load_explicit(&worker->work, memory_order_acquire);
      if (work)
        return work;
      ka__pause();
    }
    sched_yield(); /* who brings work may need this core */
  } while (ka__now() < until);
  return NULL;
}

/* NULL: it has been idle for long and is no worker any more. Whoever gives it work while `sleeps`
 * is set clears that and posts the signal, which is then waited for: nobody touches a worker that
 * has ended. */
static ka_wait_request *next_work(struct worker *worker) {
  ka_wait_request *work = look_for_work(worker);
  if (work)
    return work;
  atomic_store(&worker->sleeps, true);
  work = atomic_load(&worker->work);
  if (work && atomic_exchange(&worker->sleeps, false))
    return work;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += IDLE_SECONDS;
  while (sem_timedwait(&worker->signal, &until) != 0)
    if (errno == ETIMEDOUT) {
      if (remove_idle(worker))
        return NULL;
      until.tv_sec += IDLE_SECONDS;
    }
  return atomic_load(&worker->work);
}

static void *run(void *argument) {
  struct worker *worker = argument;
  ka_wait_request *work;
  while ((work = next_work(worker))) {
    atomic_store_explicit(&worker->work, NULL, memory_order_relaxed);
    ka_status status = work->wait(work->object);
    /* Idle first: the woken task may hand over its next wait at once. */
    push_idle(worker);
    ka__request_complete_with_text(work, status);
  }
  sem_destroy(&worker->signal);
  free(worker);
  return NULL;
}

static struct worker *start_worker(ka_wait_request *work) {
  struct worker *worker = ka__new_lines(sizeof *worker);
  if (!worker || sem_init(&worker->signal, 0, 0) != 0) {
    free(worker);
    return NULL;
  }
  atomic_init(&worker->work, work);
  if (ka__start_thread(run, worker) != 0) {
    sem_destroy(&worker->signal);
    free(worker);
    return NULL;
  }
  return worker;
}

bool ka__worker_run(ka_wait_request *request, bool more) {
  pthread_mutex_lock(&workers.lock);
  struct worker *worker = workers.idle;
  bool start = !worker && (more || workers.count < FEW), sleeps = false;
  if (worker) {
    workers.idle = worker->below;
    atomic_store(&worker->work, request);
    sleeps = atomic_exchange(&worker->sleeps, false);
  }
  if (start)
    workers.count++;
  pthread_mutex_unlock(&workers.lock);
  if (worker) {
    if (sleeps)
      sem_post(&worker->signal);
    return true;
  }
  if (!start)
    return false;
  if (start_worker(request))
    return true;
  pthread_mutex_lock(&workers.lock);
  workers.count--;
  pthread_mutex_unlock(&workers.lock);
  return false;
}
