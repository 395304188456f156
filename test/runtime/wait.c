/* ka_cooperative_wait: each way in which a wait can end, on tasks and on plain threads. */
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

/* Runs the function on a plain thread and in a task. */
static void on_both(ka_task_function *function) {
  CHECK_OK(function(NULL, NULL));
  CHECK_OK(ka_run(function, NULL));
}

/* ---- Poll ---- */

struct countdown {
  int polls;
  ka_status failure;
};

static ka_status count_down(void *object, bool *complete) {
  struct countdown *c = object;
  *complete = --c->polls <= 0;
  return *complete ? c->failure : KA_OK;
}

static ka_status poll_only(void *argument, void **result) {
  (void)argument, (void)result;
  const ka_wait_ops once = {.poll = count_down};
  const ka_wait_ops a_while = {.poll = count_down, .poll_nanoseconds = 1000000000};
  struct countdown c = {1, KA_OK};
  CHECK_OK(ka_cooperative_wait(&once, &c));
  c = (struct countdown){50, KA_OK};
  CHECK_OK(ka_cooperative_wait(&a_while, &c));
  c = (struct countdown){20, KA_OK}; /* polled on, between other tasks */
  CHECK_OK(ka_cooperative_wait(&once, &c));
  c = (struct countdown){3, KA_ERROR_DRIVER};
  CHECK_STATUS(ka_cooperative_wait(&a_while, &c), KA_ERROR_DRIVER);
  c = (struct countdown){3, KA_ERROR_DRIVER};
  CHECK_STATUS(ka_cooperative_wait(&once, &c), KA_ERROR_DRIVER);
  return KA_OK;
}

TEST(polling_alone_is_enough) { on_both(poll_only); }

static ka_status wrong_ops(void *argument, void **result) {
  (void)argument, (void)result;
  CHECK_STATUS(ka_cooperative_wait(NULL, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_cooperative_wait(&(ka_wait_ops){0}, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("poll, subscribe and wait");
  return KA_OK;
}

TEST(a_wait_needs_a_function) { on_both(wrong_ops); }

/* ---- Subscribe ---- */

static ka_status complete_inside(void *object, ka_wait_request *request) {
  ka_wait_complete(request, *(ka_status *)object);
  return KA_OK;
}

static ka_status inside(void *argument, void **result) {
  (void)argument, (void)result;
  const ka_wait_ops ops = {.subscribe = complete_inside};
  for (int i = 0; i < 1000; i++) {
    ka_status status = i % 3 ? KA_OK : KA_ERROR_DRIVER;
    CHECK_STATUS(ka_cooperative_wait(&ops, &status), status);
  }
  return KA_OK;
}

TEST(completion_inside_subscribe) { on_both(inside); }

struct foreign {
  ka_wait_request *request;
  ka_status status;
  unsigned delay; /* microseconds */
  pthread_t thread;
};

static void *complete_from_thread(void *argument) {
  struct foreign *f = argument;
  if (f->delay)
    usleep(f->delay);
  ka_wait_complete(f->request, f->status);
  return NULL;
}

static ka_status complete_by_thread(void *object, ka_wait_request *request) {
  struct foreign *f = object;
  f->request = request;
  CHECK_INT(pthread_create(&f->thread, NULL, complete_from_thread, f), 0);
  return KA_OK;
}

static ka_status foreign(void *argument, void **result) {
  (void)argument, (void)result;
  const ka_wait_ops ops = {.subscribe = complete_by_thread};
  for (int i = 0; i < 200; i++) {
    struct foreign f = {.status = i % 2 ? KA_OK : KA_ERROR_DRIVER, .delay = i % 5 ? 0 : 100};
    CHECK_STATUS(ka_cooperative_wait(&ops, &f), f.status);
    CHECK_INT(pthread_join(f.thread, NULL), 0);
  }
  return KA_OK;
}

TEST(completion_from_a_foreign_thread) { on_both(foreign); }

static int polls;

static ka_status count_poll(void *object, bool *complete) {
  (void)object;
  polls++;
  *complete = false;
  return KA_OK;
}

/* A poll may disturb what is waited for, so where the end is told nobody asks again. */
static ka_status watched(void *argument, void **result) {
  (void)argument, (void)result;
  const ka_wait_ops ops = {
      .poll = count_poll, .subscribe = complete_by_thread, .poll_nanoseconds = 100000};
  for (int i = 0; i < 20; i++) {
    /* Ends while the request is looked at, and after that. */
    struct foreign f = {.status = i % 2 ? KA_OK : KA_ERROR_DRIVER, .delay = i % 4 * 100};
    polls = 0;
    CHECK_STATUS(ka_cooperative_wait(&ops, &f), f.status);
    CHECK_INT(pthread_join(f.thread, NULL), 0);
    CHECK_INT(polls, 1);
  }
  return KA_OK;
}

TEST(what_tells_its_end_is_polled_once) { on_both(watched); }

static ka_status refuse(void *object, ka_wait_request *request) {
  (void)object, (void)request;
  return KA_ERROR_UNSUPPORTED;
}

static ka_status refused(void *argument, void **result) {
  (void)argument, (void)result;
  for (int i = 0; i < 100; i++)
    CHECK_STATUS(ka_cooperative_wait(&(ka_wait_ops){.subscribe = refuse}, NULL),
                 KA_ERROR_UNSUPPORTED);
  return KA_OK;
}

TEST(a_failure_to_subscribe_ends_the_wait) { on_both(refused); }

/* ---- Cancelling ---- */

static ka_wait_request *kept;

static ka_status keep(void *object, ka_wait_request *request) {
  (void)object;
  kept = request;
  return KA_OK;
}

static ka_status wait_for_ever(void *argument, void **result) {
  (void)result;
  return ka_cooperative_wait(argument, NULL);
}

static ka_status not_reused(void *object, ka_wait_request *request) {
  (void)object;
  CHECK(request != kept);
  ka_wait_complete(request, KA_OK);
  return KA_OK;
}

static ka_status late_callback(void *argument, void **result) {
  (void)argument, (void)result;
  static const ka_wait_ops ops = {.subscribe = keep};
  kept = NULL;
  ka_task *task = test_spawn(NULL, wait_for_ever, (void *)&ops);
  while (!kept)
    ka_yield();
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  ka_task_release(task);
  /* The callback has yet to come: its request serves nobody else. */
  for (int i = 0; i < 100; i++)
    CHECK_OK(ka_cooperative_wait(&(ka_wait_ops){.subscribe = not_reused}, NULL));
  ka_wait_complete(kept, KA_OK);
  return KA_OK;
}

TEST(a_callback_may_come_after_cancellation) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(late_callback, NULL));
}

static bool take_back(void *object, ka_wait_request *request) {
  (void)object;
  CHECK(request == kept);
  kept = NULL;
  return true;
}

static ka_status unsubscribe(void *argument, void **result) {
  (void)argument, (void)result;
  static const ka_wait_ops ops = {.subscribe = keep, .unsubscribe = take_back};
  ka_task *task = test_spawn(NULL, wait_for_ever, (void *)&ops);
  while (!kept)
    ka_yield();
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  CHECK(!kept);
  ka_task_release(task);
  return KA_OK;
}

TEST(a_cancelled_wait_takes_its_subscription_back) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(unsubscribe, NULL));
}

static ka_status uninterruptible(void *argument, void **result) {
  (void)argument, (void)result;
  static const ka_wait_ops ops = {.subscribe = keep, .uninterruptible = true};
  kept = NULL;
  ka_task *task = test_spawn(NULL, wait_for_ever, (void *)&ops);
  while (!kept)
    ka_yield();
  ka_task_cancel(task);
  for (int i = 0; i < 100; i++)
    ka_yield();
  CHECK(!ka_task_done(task));
  ka_wait_complete(kept, KA_OK);
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
  return KA_OK;
}

TEST(an_uninterruptible_wait_ends_when_its_object_is_complete) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(uninterruptible, NULL));
}

static ka_status wait_for_foreign(void *argument, void **result) {
  (void)result;
  static const ka_wait_ops ops = {.subscribe = complete_by_thread};
  return ka_cooperative_wait(&ops, argument);
}

/* Cancellation and callback at the same time, again and again: one of them ends the wait. */
static ka_status cancel_race(void *argument, void **result) {
  (void)argument, (void)result;
  for (int i = 0; i < 300; i++) {
    struct foreign f = {.status = KA_OK, .delay = (unsigned)(i % 7) * 10};
    ka_task *task = test_spawn(NULL, wait_for_foreign, &f);
    if (i % 2)
      ka_yield();
    ka_task_cancel(task);
    ka_status status = ka_task_wait(task);
    CHECK(status == KA_OK || status == KA_ERROR_CANCELLED);
    if (f.request)
      CHECK_INT(pthread_join(f.thread, NULL), 0);
    ka_task_release(task);
  }
  return KA_OK;
}

TEST(cancellation_and_completion_race) { CHECK_OK(ka_run(cancel_race, NULL)); }

/* ---- Worker threads ---- */

static ka_status wait_for_semaphore(void *object) {
  while (sem_wait(object) != 0)
    ;
  return KA_OK;
}

static ka_status semaphore_in_task(void *argument, void **result) {
  (void)result;
  static const ka_wait_ops ops = {.wait = wait_for_semaphore};
  return ka_cooperative_wait(&ops, argument);
}

static ka_status others_run(void *argument, void **result) {
  (void)argument, (void)result;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  ka_task *task = test_spawn(NULL, semaphore_in_task, &semaphore);
  for (int i = 0; i < 100; i++)
    ka_yield();
  CHECK(!ka_task_done(task));
  sem_post(&semaphore);
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
  sem_destroy(&semaphore);
  return KA_OK;
}

TEST(other_tasks_run_while_a_worker_thread_blocks) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(others_run, NULL));
}

static ka_status fail_with_text(void *object) { return ka_free(object); /* fails, with a text */ }

static ka_status text_of_worker(void *argument, void **result) {
  (void)argument, (void)result;
  int local;
  CHECK_STATUS(ka_cooperative_wait(&(ka_wait_ops){.wait = fail_with_text}, &local),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "not a live allocation");
  return KA_OK;
}

TEST(the_text_of_a_failure_comes_from_the_worker_thread) { on_both(text_of_worker); }

enum { CHAIN = 40 };
static sem_t chain[CHAIN + 1];

static ka_status wait_then_post(void *object) {
  sem_t *semaphore = object;
  while (sem_wait(semaphore + 1) != 0)
    ;
  sem_post(semaphore);
  return KA_OK;
}

static ka_status link_of_chain(void *argument, void **result) {
  (void)result;
  static const ka_wait_ops ops = {.wait = wait_then_post};
  return ka_cooperative_wait(&ops, argument);
}

/* Each wait ends when the one that was begun after it has ended; there are more than workers. */
static ka_status dependent_waits(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task *tasks[CHAIN];
  for (int i = 0; i <= CHAIN; i++)
    sem_init(&chain[i], 0, 0);
  for (int i = 0; i < CHAIN; i++)
    tasks[i] = test_spawn(NULL, link_of_chain, &chain[i]);
  CHECK_OK(ka_sleep(5000000));
  sem_post(&chain[CHAIN]);
  for (int i = 0; i < CHAIN; i++) {
    CHECK_OK(ka_task_wait(tasks[i]));
    ka_task_release(tasks[i]);
  }
  return KA_OK;
}

TEST(waits_that_depend_on_each_other_do_not_deadlock) { CHECK_OK(ka_run(dependent_waits, NULL)); }

static ka_status nothing(void *object) {
  (void)object;
  return KA_OK;
}

static ka_status ten_short_waits(void *argument, void **result) {
  (void)argument, (void)result;
  for (int i = 0; i < 10; i++)
    CHECK_OK(ka_cooperative_wait(&(ka_wait_ops){.wait = nothing}, NULL));
  return KA_OK;
}

static ka_status long_and_short_waits(void *argument, void **result) {
  (void)argument, (void)result;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  ka_task *slow = test_spawn(NULL, semaphore_in_task, &semaphore);
  ka_task *fast[8];
  for (int i = 0; i < 8; i++)
    fast[i] = test_spawn(NULL, ten_short_waits, NULL);
  for (int i = 0; i < 8; i++) {
    CHECK_OK(ka_task_wait(fast[i]));
    ka_task_release(fast[i]);
  }
  CHECK(!ka_task_done(slow)); /* it ends only now */
  sem_post(&semaphore);
  CHECK_OK(ka_task_wait(slow));
  ka_task_release(slow);
  sem_destroy(&semaphore);
  return KA_OK;
}

TEST(a_long_wait_does_not_delay_eight_times_ten_short_ones) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(long_and_short_waits, NULL));
}

/* ---- More waits than worker threads ---- */

static _Atomic bool opened;

static ka_status poll_gate(void *object, bool *complete) {
  (void)object;
  *complete = opened;
  return KA_OK;
}

static ka_status wait_at_gate(void *object) {
  while (!opened)
    usleep(100);
  return nothing(object);
}

static ka_status pass_gate(void *argument, void **result) {
  (void)argument, (void)result;
  static const ka_wait_ops ops = {.poll = poll_gate, .wait = wait_at_gate};
  return ka_cooperative_wait(&ops, NULL);
}

/* Those that find no worker thread are polled, and hold nobody up. */
static ka_status more_waits_than_workers(void *argument, void **result) {
  (void)argument, (void)result;
  ka_task *tasks[64];
  for (int i = 0; i < 64; i++)
    tasks[i] = test_spawn(NULL, pass_gate, NULL);
  for (int i = 0; i < 100; i++)
    ka_yield();
  for (int i = 0; i < 64; i++)
    CHECK(!ka_task_done(tasks[i]));
  opened = true;
  for (int i = 0; i < 64; i++) {
    CHECK_OK(ka_task_wait(tasks[i]));
    ka_task_release(tasks[i]);
  }
  return KA_OK;
}

TEST(more_waits_than_worker_threads) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(more_waits_than_workers, NULL));
}

/* ---- Storms ---- */

enum { STORM = 500 };
static _Atomic int subscribed;
static ka_wait_request *storm[STORM];

static ka_status join_storm(void *object, ka_wait_request *request) {
  (void)object;
  storm[subscribed++] = request;
  return KA_OK;
}

static ka_status stand_in_storm(void *argument, void **result) {
  (void)argument, (void)result;
  static const ka_wait_ops ops = {.subscribe = join_storm};
  return ka_cooperative_wait(&ops, NULL);
}

static void *complete_part(void *argument) {
  for (size_t i = *(size_t *)argument; i < STORM; i += 4)
    ka_wait_complete(storm[i], KA_OK);
  return NULL;
}

/* Four threads complete five hundred waits of one scheduler thread at once. */
static ka_status callback_storm(void *argument, void **result) {
  (void)argument, (void)result;
  for (int round = 0; round < 10; round++) {
    ka_task *tasks[STORM];
    subscribed = 0;
    for (int i = 0; i < STORM; i++)
      tasks[i] = test_spawn(NULL, stand_in_storm, NULL);
    while (subscribed < STORM)
      ka_yield();
    pthread_t threads[4];
    size_t from[4] = {0, 1, 2, 3};
    for (int t = 0; t < 4; t++)
      CHECK_INT(pthread_create(&threads[t], NULL, complete_part, &from[t]), 0);
    for (int i = 0; i < STORM; i++) {
      CHECK_OK(ka_task_wait(tasks[i]));
      ka_task_release(tasks[i]);
    }
    for (int t = 0; t < 4; t++)
      CHECK_INT(pthread_join(threads[t], NULL), 0);
  }
  return KA_OK;
}

TEST(many_callbacks_at_once_wake_each_task_once) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(callback_storm, NULL));
}
