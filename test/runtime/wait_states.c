/* Every order in which the steps of a wait can happen: the real code of runtime/task/request.c with
 * its atomic operations and locks made into points at which another actor may go on. The actors are
 * fibers, and all paths through their choices are tried one after the other.
 *
 * What must hold on every path: the waiter is woken exactly if it parked, and once; the outcome is
 * the reporter's or, if the wait was abandoned first, none; the request is back in the pool when
 * both have let go, and not before. */
#include "runtime/task/fiber.h"
#include "test/runtime/support/test.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- Points of choice ---- */

static void step(void);

#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_load_explicit
#undef atomic_store_explicit
#define atomic_exchange_explicit(object, value, order)                                             \
  (step(), __c11_atomic_exchange(object, value, 5))
#define atomic_compare_exchange_strong_explicit(object, expected, value, a, b)                     \
  (step(), __c11_atomic_compare_exchange_strong(object, expected, value, 5, 5))
#define atomic_fetch_sub_explicit(object, value, order)                                            \
  (step(), __c11_atomic_fetch_sub(object, value, 5))
#define atomic_load_explicit(object, order)         (step(), __c11_atomic_load(object, 5))
#define atomic_store_explicit(object, value, order) (step(), __c11_atomic_store(object, value, 5))

/* What request.c needs of the scheduler, here of the test. */
#define ka_task_self  model_task_self
#define ka__task_wake model_wake
#define ka__task_park model_park
#include "runtime/task/request.c" /* NOLINT(bugprone-suspicious-include): with the names above */

/* ---- Actors ---- */

enum { WAITER, REPORTER, CANCELLER, ACTORS };

static struct ka__fiber explorer, actors[ACTORS];
static bool present[ACTORS], ended[ACTORS];
static int running;
static bool parked; /* the waiter sleeps */
static int wakes;   /* that it has not used up */
static bool in_transit;

static void step(void) {
  if (running >= 0)
    ka__fiber_switch(&actors[running], &explorer, false);
}

ka_task *model_task_self(void) { return (ka_task *)&actors[WAITER]; }

void model_wake(ka_task *task) {
  CHECK(task == (ka_task *)&actors[WAITER]);
  wakes++;
  CHECK_INT(wakes, 1); /* nobody is woken twice for one park */
}

void model_park(void) {
  parked = true;
  while (!wakes)
    step();
  wakes--;
  parked = false;
}

static ka_wait_request *request;
static bool waiter_abandoned, abandon_worked, waiter_let_go, reporter_let_go;

static bool in_pool(void) {
  for (ka_wait_request *r = pool; r; r = r->next)
    if (r == request)
      return true;
  return false;
}

static void end(int actor) {
  ended[actor] = true;
  for (;;)
    ka__fiber_switch(&actors[actor], &explorer, false);
}

static void wait_for_it(void *unused) {
  (void)unused;
  ka__request_park(request);
  waiter_abandoned = ka__request_is_abandoned(request);
  if (!waiter_abandoned)
    CHECK_STATUS(request->status, KA_ERROR_DRIVER);
  CHECK(!in_pool());
  waiter_let_go = true;
  ka__request_drop(request);
  end(WAITER);
}

static void report(void *unused) {
  (void)unused;
  CHECK(!in_pool());
  reporter_let_go = true;
  ka_wait_complete(request, KA_ERROR_DRIVER);
  end(REPORTER);
}

static void cancel(void *unused) {
  (void)unused;
  abandon_worked = ka__request_abandon(request);
  end(CANCELLER);
}

static bool can_run(int actor) {
  if (!present[actor] || ended[actor])
    return false;
  /* The canceller is the waiter's own scheduler thread, so it acts only while the waiter sleeps,
   * and as one. */
  if (actor == CANCELLER)
    return parked && !wakes;
  return !(actor == WAITER && (in_transit || (parked && !wakes)));
}

/* ---- All paths ---- */

enum { DEEPEST = 200 };
static int choice[DEEPEST], choices[DEEPEST], depth;

/* Runs once along `choice`, taking the first actor where the path ends; false if it has been the
 * last path. */
static void run_once(void) {
  static void (*const functions[ACTORS])(void *) = {wait_for_it, report, cancel};
  running = -1;
  parked = waiter_abandoned = abandon_worked = waiter_let_go = reporter_let_go = in_transit = false;
  wakes = 0;
  request = ka__request_take();
  CHECK(request);
  for (int a = 0; a < ACTORS; a++) {
    ended[a] = false;
    if (present[a])
      ka__fiber_init(&actors[a], functions[a], NULL);
  }
  int at = 0;
  for (;;) {
    int able[ACTORS], count = 0;
    for (int a = 0; a < ACTORS; a++)
      if (can_run(a))
        able[count++] = a;
    if (!count)
      break;
    if (at == depth) {
      CHECK(depth < DEEPEST);
      choice[depth++] = 0;
    }
    choices[at] = count;
    running = able[choice[at++]];
    in_transit = running == CANCELLER;
    do
      ka__fiber_switch(&explorer, &actors[running], false);
    while (running == CANCELLER && !ended[CANCELLER]);
    in_transit = false;
    running = -1;
  }
  CHECK(ended[WAITER]); /* no wake-up was lost */
  CHECK(!present[REPORTER] || ended[REPORTER]);
  CHECK_INT(wakes, 0);
  if (waiter_abandoned)
    CHECK(abandon_worked);
  CHECK(in_pool());
  CHECK_INT(atomic_load(&request->holders), 0);
  for (int a = 0; a < ACTORS; a++)
    if (present[a])
      ka__fiber_fini(&actors[a]);
}

static int explore(void) {
  for (int a = 0; a < ACTORS; a++)
    if (!actors[a].stack.mapping)
      CHECK(ka__stack_make(&actors[a].stack, 64 << 10));
  ka__fiber_of_thread(&explorer);
  int paths = 0;
  depth = 0;
  for (;;) {
    run_once();
    paths++;
    while (depth > 0 && choice[depth - 1] + 1 == choices[depth - 1])
      depth--;
    if (depth == 0)
      return paths;
    choice[depth - 1]++;
  }
}

TEST(waiter_and_reporter_in_every_order) {
  present[WAITER] = present[REPORTER] = true;
  int paths = explore();
  printf("%d paths\n", paths);
  CHECK(paths > 10);
}

TEST(waiter_reporter_and_cancellation_in_every_order) {
  present[WAITER] = present[REPORTER] = present[CANCELLER] = true;
  int paths = explore();
  printf("%d paths\n", paths);
  CHECK(paths > 20);
}
