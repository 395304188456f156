/* ka_cooperative_wait: poll, then subscribe and park, else a worker thread, else poll between other
 * tasks. And ka_sleep and ka_yield, which stand on the same. */
#include "runtime/core/status.h"
#include "runtime/task/request.h"
#include "runtime/task/scheduler.h"
#include "runtime/task/workers.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

static ka_status cancelled(void) {
  return ka__fail(KA_ERROR_CANCELLED, "task '%s' was cancelled while it waited",
                  ka_task_name(ka_task_self()));
}

ka_status ka__task_cancellation(void) { return ka__task_take_cancellation() ? cancelled() : KA_OK; }

static ka_status refuse_between_tasks(void) {
  return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                  "a wait in a callback of the loop, or outside of uv_run on a thread with "
                  "ka_task_attach_loop, would keep every task of this thread from running; spawn a "
                  "task that waits");
}

/* Whether a wait looks for its end for a while before it sleeps. The scheduler counts who asks, so
 * each wait that would does so once. */
enum lingering { UNDECIDED, LINGERS, SLEEPS };

static bool lingers(enum lingering *lingering) {
  if (*lingering == UNDECIDED)
    *lingering = ka__scheduler_lets_linger() ? LINGERS : SLEEPS;
  return *lingering == LINGERS;
}

/* Polls once, or until the time is over, or something else is to be done here. */
static ka_status poll_for_a_while(const ka_wait_ops *ops, void *object, enum lingering *lingering,
                                  bool *complete) {
  *complete = false;
  ka_status status = ops->poll(object, complete);
  if (status != KA_OK || *complete || !ops->poll_nanoseconds || ops->subscribe ||
      ka__between_tasks() || !lingers(lingering) || !ka__scheduler_is_free())
    return status;
  uint64_t now = ka__now(), until = now + ops->poll_nanoseconds;
  do {
    bool stays = ka__scheduler_linger(&now);
    status = ops->poll(object, complete);
    if (!stays)
      break;
  } while (status == KA_OK && !*complete && now < until);
  return status;
}

/* Sleeps until the request, which somebody will complete, is done or the task is cancelled. */
static ka_status park(ka_wait_request *request, const ka_wait_ops *ops, void *object) {
  ka_task *task = request->task;
  bool interruptible = task && !ops->uninterruptible;
  if (!interruptible) {
    ka__request_park(request);
  } else if (!ka__task_cancellation_pending()) {
    task->interruptible = request;
    ka__request_park(request);
    task->interruptible = NULL;
  } else {
    ka__request_give_up(request);
  }
  ka_status status;
  /* It may be done by now although it was abandoned; then cancellation comes with the next wait. */
  if (ka__request_is_abandoned(request)) {
    if (ops->unsubscribe && ops->unsubscribe(object, request))
      ka__request_drop(request);
    ka__task_take_cancellation();
    status = cancelled();
  } else {
    status = ka__request_outcome(request);
  }
  ka__request_drop(request);
  return status;
}

/* Looks at the request, which costs whoever completes it nothing, before the caller sleeps. */
static void watch_for_a_while(const ka_wait_request *request, uint64_t nanoseconds) {
  if (!nanoseconds || ka__request_is_done(request) || !ka__scheduler_lets_linger() ||
      !ka__scheduler_is_free())
    return;
  uint64_t now = ka__now(), until = now + nanoseconds;
  while (ka__scheduler_linger(&now) && !ka__request_is_done(request) && now < until)
    ;
}

static ka_status subscribe(const ka_wait_ops *ops, void *object) {
  ka_wait_request *request = ka__request_take();
  if (!request)
    return KA_ERROR_OUT_OF_MEMORY;
  ka_status status = ops->subscribe(object, request);
  if (status == KA_OK) {
    watch_for_a_while(request, ops->poll_nanoseconds);
    return park(request, ops, object);
  }
  ka__request_drop(request);
  ka__request_drop(request);
  return status;
}

/* True if a worker thread took the wait; then *status is how it ended. */
static bool hand_over(const ka_wait_ops *ops, void *object, enum lingering *lingering,
                      ka_status *status) {
  ka_wait_request *request = ka__request_take();
  if (!request)
    return false;
  request->wait = ops->wait;
  request->object = object;
  /* What cannot be polled may wait for another wait that is in line behind it. */
  if (!ka__worker_run(request, !ops->poll)) {
    ka__request_drop(request);
    ka__request_drop(request);
    return false;
  }
  ka__scheduler_expect(1, lingers(lingering));
  *status = park(request, ops, object);
  ka__scheduler_expect(-1, false);
  return true;
}

/* Nothing will wake the caller, so it looks again and again, at growing distances. */
static ka_status poll_on(const ka_wait_ops *ops, void *object) {
  enum { SHORTEST = 20000, LONGEST = 1000000 };
  for (uint64_t pause = SHORTEST;; pause = pause < LONGEST ? 2 * pause : LONGEST) {
    ka_status status = ka_sleep(pause);
    bool complete = false;
    if (status != KA_OK && ops->uninterruptible)
      ka_yield(); /* there may be no memory for a sleep */
    if (status == KA_OK || ops->uninterruptible)
      status = ops->poll(object, &complete);
    if (status != KA_OK || complete)
      return status;
  }
}

ka_status ka_cooperative_wait(const ka_wait_ops *ops, void *object) {
  if (!ops || !(ops->poll || ops->subscribe || ops->wait))
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_cooperative_wait: one of poll, subscribe and wait has to be given");
  ka_status status = ops->uninterruptible ? KA_OK : ka__task_cancellation();
  if (status != KA_OK)
    return status;
  enum lingering lingering = UNDECIDED;
  if (ops->poll) {
    bool complete;
    status = poll_for_a_while(ops, object, &lingering, &complete);
    if (status != KA_OK || complete)
      return status;
  }
  if (ka__between_tasks())
    return refuse_between_tasks();
  if (ka__tasks_forked())
    return ka__tasks_refused("a wait");
  if (ops->subscribe)
    return subscribe(ops, object);
  if (ops->wait && ka_task_self() && hand_over(ops, object, &lingering, &status))
    return status;
  /* No worker thread is to be had: keeping other tasks from running is better than failing. */
  if (ops->wait && (!ops->poll || !ka_task_self()))
    return ops->wait(object);
  return poll_on(ops, object);
}

/* ---- Time ---- */

static ka_status subscribe_timer(void *object, ka_wait_request *request) {
  struct ka__timer *timer = object;
  timer->request = request;
  ka__timers_add(ka__scheduler_timers(), timer);
  return KA_OK;
}

static bool unsubscribe_timer(void *object, ka_wait_request *request) {
  (void)request;
  struct ka__timer *timer = object;
  bool is_set = ka__timer_is_set(timer);
  if (is_set)
    ka__timers_remove(ka__scheduler_timers(), timer);
  return is_set;
}

ka_status ka_sleep(uint64_t nanoseconds) {
  uint64_t now = ka__now();
  uint64_t when = nanoseconds > UINT64_MAX / 2 - now ? UINT64_MAX / 2 : now + nanoseconds;
  if (ka_task_self()) {
    static const ka_wait_ops ops = {.subscribe = subscribe_timer, .unsubscribe = unsubscribe_timer};
    struct ka__timer timer = {.when = when};
    return ka_cooperative_wait(&ops, &timer);
  }
  if (ka__in_callback())
    return refuse_between_tasks();
  struct timespec until = {(time_t)(when / 1000000000u), (long)(when % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
    ;
  return KA_OK;
}

void ka_yield(void) {
  if (!ka_task_self())
    sched_yield();
  else if (!ka__tasks_forked()) /* there the others are the parent's */
    ka__task_yield();
}
