/* A wait allocates nothing once as many have been under way at a time, whichever way it takes:
 * calls of malloc and its like by libka and libka-task are counted. */
#include "test/runtime/support/allocations.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static ka_status at_once(void *object, bool *complete) {
  (void)object;
  *complete = true;
  return KA_OK;
}

static ka_status at_fourth(void *object, bool *complete) {
  (void)object;
  static _Atomic int polls;
  *complete = atomic_fetch_add(&polls, 1) % 4 == 0;
  return KA_OK;
}

static ka_status inside(void *object, ka_wait_request *request) {
  (void)object;
  ka_wait_complete(request, KA_OK);
  return KA_OK;
}

static _Atomic(ka_wait_request *) to_complete;
static _Atomic bool over;

static ka_status by_thread(void *object, ka_wait_request *request) {
  (void)object;
  ka_wait_request *none = NULL;
  while (!atomic_compare_exchange_weak(&to_complete, &none, request))
    none = NULL;
  return KA_OK;
}

static void *complete_all(void *none) {
  while (!atomic_load(&over)) {
    ka_wait_request *request = atomic_exchange(&to_complete, NULL);
    if (request)
      ka_wait_complete(request, KA_OK);
    else
      sched_yield();
  }
  return none;
}

static ka_status by_worker(void *object) {
  (void)object;
  return KA_OK;
}

static const ka_wait_ops ways[] = {
    {.poll = at_once},        {.poll = at_fourth, .poll_nanoseconds = 1000000},
    {.poll = at_fourth},      {.subscribe = inside},
    {.subscribe = by_thread}, {.poll = at_fourth, .subscribe = by_thread},
    {.wait = by_worker},      {.poll = at_fourth, .wait = by_worker},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* So many waits at once that more are never under way later, although who completed one may hold it
 * a moment longer: what is kept, requests and worker threads, is made here. */
enum { AT_ONCE = 8 };

static ka_status by_all_at_once(void *object) {
  static _Atomic int arrived;
  (void)object;
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < AT_ONCE)
    sched_yield();
  return KA_OK;
}

static ka_status wait_at_once(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_cooperative_wait(&(ka_wait_ops){.wait = by_all_at_once}, NULL);
}

static void warm_up(void) {
  ka_task *tasks[AT_ONCE];
  for (int i = 0; i < AT_ONCE; i++) {
    tasks[i] = ka_spawn(NULL, wait_at_once, NULL);
    CHECK(tasks[i]);
  }
  for (int i = 0; i < AT_ONCE; i++) {
    CHECK_OK(ka_task_wait(tasks[i]));
    ka_task_release(tasks[i]);
  }
}

static void check_way(const ka_wait_ops *ops) {
  long before = atomic_load(&test_allocations);
  for (int i = 0; i < 500; i++)
    CHECK_OK(ka_cooperative_wait(ops, NULL));
  CHECK_INT(atomic_load(&test_allocations) - before, 0);
}

static ka_status check_all(void *argument, void **result) {
  (void)argument, (void)result;
  warm_up();
  for (int w = 0; w < WAYS; w++)
    check_way(&ways[w]);
  /* In turn. */
  long before = atomic_load(&test_allocations);
  for (int i = 0; i < 500; i++)
    CHECK_OK(ka_cooperative_wait(&ways[i * 7 % WAYS], NULL));
  CHECK_INT(atomic_load(&test_allocations) - before, 0);
  before = atomic_load(&test_allocations);
  for (int i = 0; i < 100; i++)
    CHECK_OK(ka_sleep(1000));
  CHECK_INT(atomic_load(&test_allocations) - before, 0);
  return KA_OK;
}

static void with_completer(void (*run)(void)) {
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, complete_all, NULL), 0);
  run();
  CHECK(atomic_load(&test_allocations) > 0); /* they are counted */
  atomic_store(&over, true);
  CHECK_INT(pthread_join(thread, NULL), 0);
}

static void in_a_task(void) { CHECK_OK(ka_run(check_all, NULL)); }

TEST(no_way_of_waiting_in_a_task_allocates) { with_completer(in_a_task); }

static void on_a_thread(void) { CHECK_OK(check_all(NULL, NULL)); }

TEST(no_way_of_waiting_on_a_thread_allocates) { with_completer(on_a_thread); }
