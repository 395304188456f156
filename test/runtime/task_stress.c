/* Random programs of tasks, of all that tasks can do, on scheduler threads, plain threads and in
 * ka_run at once. Each task has a plan made from a seed, so that what it was to give is known:
 * every result is seen once and is the planned one, every wait ends, and no task is left.
 *
 * KA_STRESS_SECONDS says how long a case takes, KA_STRESS_SEED where it begins. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t seed = 1;
static double seconds = 4;
static ka_backend *device; /* NULL: tasks without */

static uint64_t next_random(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static unsigned below(uint64_t *state, unsigned most) {
  return (unsigned)(next_random(state) % most);
}

/* ---- Plans ---- */

enum { CHILDREN = 6, DEEPEST = 4 };

struct plan {
  uint64_t random;
  int depth;
  ka_status status;         /* that the task is to return */
  ka_task *task;            /* of the parent */
  _Atomic unsigned holders; /* parent and task */
  _Atomic int runs;         /* 1: it has begun */
  _Atomic int cancels;      /* that were asked for */
  _Atomic int told;         /* waits of it that ended so */
  bool waited;
  ka_backend *be;
  const int *counter; /* of the parent, */
  int least;          /* which is at least this when the task's work begins */
};

static _Atomic long live, ended, waits;

static void drop(struct plan *plan) {
  if (atomic_fetch_sub(&plan->holders, 1) != 1)
    return;
  free(plan);
  atomic_fetch_sub(&live, 1);
}

static void let_go(struct plan *plan) {
  ka_task_release(plan->task);
  drop(plan);
}

static ka_status follow(void *argument, void **result);

static struct plan *make_plan(uint64_t *random, int depth, ka_backend *be) {
  struct plan *plan = calloc(1, sizeof *plan);
  CHECK(plan);
  plan->random = next_random(random);
  plan->depth = depth;
  plan->be = be;
  plan->status = below(random, 4) ? KA_OK : KA_ERROR_DRIVER;
  plan->holders = 2;
  atomic_fetch_add(&live, 1);
  return plan;
}

static void begin(struct plan *plan, uint64_t *random) {
  ka_spawn_options options = {.pool = below(random, 4) ? KA_POOL_DEFAULT : KA_POOL_INTERACTIVE,
                              .name = below(random, 2) ? "stressed" : NULL,
                              .stack_bytes = below(random, 8) ? 0 : 512 << 10};
  plan->task = ka_spawn_with(plan->be, &options, follow, plan);
  CHECK(plan->task);
}

/* A wait of the task may end so if somebody asked for it, and once for each time. */
static bool was_cancelled(struct plan *self, ka_status status) {
  if (status != KA_ERROR_CANCELLED || !self)
    return false;
  CHECK(atomic_fetch_add(&self->told, 1) < atomic_load(&self->cancels));
  return true;
}

/* What the child gave is what was planned. `self` NULL: on a plain thread. */
static void wait_for(struct plan *self, struct plan *child) {
  atomic_fetch_add(&waits, 1);
  void *result = NULL;
  ka_status status;
  /* A task that has begun ends as planned, so this can only be the caller's own cancellation. */
  do
    status = ka_task_fetch(child->task, &result);
  while (status == KA_ERROR_CANCELLED &&
         (!ka_task_done(child->task) || atomic_load(&child->runs) > 0) &&
         was_cancelled(self, status));
  CHECK(ka_task_done(child->task));
  if (status == KA_ERROR_CANCELLED && atomic_load(&child->runs) == 0) {
    CHECK(atomic_load(&child->cancels) > 0);
    CHECK(!result);
    if (!child->waited)
      drop(child); /* the task never will */
  } else {
    CHECK_STATUS(status, child->status);
    CHECK_INT(atomic_load(&child->runs), 1);
    CHECK(result == child);
    /* The text is that of the failed call, if the task returned its status. */
    if (status != KA_OK)
      CHECK_MESSAGE(status == KA_ERROR_NO_BACKEND ? "planned" : "returned KA_ERROR_");
  }
  child->waited = true; /* NOLINT(clang-analyzer-unix.Malloc): the caller holds it too */
}

/* ---- Waits through other threads ---- */

struct completion {
  struct completion *next;
  ka_wait_request *request;
  ka_status status;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct completion *pending;
static bool over;

static void *complete_all(void *argument) {
  uint64_t random = (uintptr_t)argument;
  pthread_mutex_lock(&lock);
  while (!over || pending) {
    struct completion *first = pending;
    if (!first) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    pending = first->next;
    pthread_mutex_unlock(&lock);
    if (below(&random, 4) == 0)
      usleep(below(&random, 300));
    ka_wait_complete(first->request, first->status);
    free(first);
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static ka_status subscribe(void *object, ka_wait_request *request) {
  struct completion *c = malloc(sizeof *c);
  CHECK(c);
  *c = (struct completion){NULL, request, *(ka_status *)object};
  pthread_mutex_lock(&lock);
  c->next = pending;
  pending = c;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return KA_OK;
}

static bool unsubscribe(void *object, ka_wait_request *request) {
  (void)object;
  pthread_mutex_lock(&lock);
  struct completion **at = &pending;
  while (*at && (*at)->request != request)
    at = &(*at)->next;
  struct completion *found = *at;
  if (found)
    *at = found->next;
  pthread_mutex_unlock(&lock);
  free(found);
  return found;
}

static ka_status complete_inside(void *object, ka_wait_request *request) {
  ka_wait_complete(request, *(ka_status *)object);
  return KA_OK;
}

static ka_status poll_randomly(void *object, bool *complete) {
  static _Thread_local uint64_t random;
  *complete = below(&random, 8) == 0;
  return *complete ? *(ka_status *)object : KA_OK;
}

/* The object is a constant here, since a cancelled wait may leave it to a worker thread. */
static const ka_status outcomes[2] = {KA_OK, KA_ERROR_UNSUPPORTED};

static ka_status block(void *object) {
  if (object == &outcomes[1])
    usleep(50);
  return *(const ka_status *)object;
}

static void wait_somehow(struct plan *self, uint64_t *random) {
  static const ka_wait_ops ways[] = {
      {.subscribe = subscribe, .unsubscribe = unsubscribe},
      {.subscribe = subscribe},
      {.subscribe = subscribe, .uninterruptible = true},
      {.poll = poll_randomly, .subscribe = subscribe, .poll_nanoseconds = 2000},
      {.subscribe = complete_inside},
      {.wait = block},
      {.wait = block, .uninterruptible = true},
      {.poll = poll_randomly, .wait = block, .poll_nanoseconds = 1000},
      {.poll = poll_randomly},
      {.poll = poll_randomly, .poll_nanoseconds = 100000},
  };
  enum { WAYS = sizeof ways / sizeof *ways };
  const ka_wait_ops *ops = &ways[below(random, WAYS)];
  const ka_status *outcome = &outcomes[below(random, 4) == 0];
  atomic_fetch_add(&waits, 1);
  ka_status status = ka_cooperative_wait(ops, (void *)outcome);
  if (status != *outcome)
    CHECK(!ops->uninterruptible && was_cancelled(self, status));
}

/* ---- Devices ---- */

/* Both tell of a cancellation when the work has completed. */
static void synchronize(struct plan *self, ka_backend *be) {
  ka_status status = ka_synchronize(be);
  CHECK(status == KA_OK || was_cancelled(self, status));
}

static void wait_for_event(struct plan *self, const ka_event *event) {
  ka_status status = ka_event_wait(event);
  CHECK(status == KA_OK || was_cancelled(self, status));
}

static void use_device(struct plan *self, uint64_t *random, int *counter, int *launched) {
  int count = 1 + (int)below(random, 3);
  for (int i = 0; i < count; i++)
    CHECK_OK(LAUNCH(device, ka_range(1), slow, counter, below(random, 20000)));
  *launched += count;
  ka_event *event;
  switch (below(random, 4)) {
  case 0:
    synchronize(self, device);
    CHECK_INT(*counter, *launched);
    break;
  case 1:
    CHECK_OK(ka_record_event(device, &event));
    wait_for_event(self, event);
    CHECK(ka_event_query(event));
    ka_event_release(event);
    break;
  case 2:
    CHECK_OK(ka_record_event(device, &event));
    ka_event_query(event);
    CHECK_OK(ka_wait_event(device, event));
    ka_event_release(event);
    break;
  }
}

/* ---- What a task does ---- */

static ka_status fail_as_planned(ka_status status) {
  /* A text to be recognised by: the name is quoted. */
  if (status != KA_OK)
    CHECK(!ka_backend_open("planned"));
  return status;
}

static void act(struct plan *self, uint64_t *random, int depth) {
  struct plan *children[CHILDREN];
  int count = 0, launched = 0;
  int *counter = NULL;
  ka_backend *be = self ? self->be : device;
  if (be && below(random, 4) == 0) {
    counter = ka_alloc_zeroed(be, 2 * sizeof *counter);
    CHECK(counter);
  }
  for (int steps = 1 + (int)below(random, 12); steps > 0; steps--) {
    struct plan *child = count ? children[below(random, (unsigned)count)] : NULL;
    switch (below(random, 11)) {
    case 0:
      ka_yield();
      break;
    case 1: {
      ka_status status = ka_sleep(below(random, 200000));
      CHECK(status == KA_OK || was_cancelled(self, status));
      break;
    }
    case 2:
    case 3:
    case 4:
      if (count < CHILDREN && depth < DEEPEST) {
        child = make_plan(random, depth + 1, be && below(random, 2) ? be : NULL);
        if (child->be && counter) {
          child->counter = counter;
          child->least = launched;
        }
        begin(child, random);
        if (child->counter || below(random, 4))
          children[count++] = child;
        else
          let_go(child); /* nobody will wait for it */
      }
      break;
    case 5:
      if (child)
        wait_for(self, child);
      break;
    case 6:
      if (child) {
        atomic_fetch_add(&child->cancels, 1);
        ka_task_cancel(child->task);
      }
      break;
    case 7:
      if (counter)
        use_device(self, random, counter, &launched);
      break;
    default:
      wait_somehow(self, random);
    }
  }
  for (int i = 0; i < count; i++) {
    wait_for(self, children[i]);
    let_go(children[i]);
  }
  if (counter) {
    synchronize(self, be);
    CHECK_INT(*counter, launched);
    CHECK_OK(ka_free(counter));
  }
}

static ka_status follow(void *argument, void **result) {
  struct plan *self = argument;
  CHECK_INT(atomic_fetch_add(&self->runs, 1), 0);
  if (self->counter) {
    synchronize(self, self->be);
    CHECK(*(const volatile int *)self->counter >= self->least);
  }
  act(self, &self->random, self->depth);
  *result = self;
  ka_status status = self->status;
  atomic_fetch_add(&ended, 1);
  drop(self);
  return fail_as_planned(status);
}

/* ---- Cases ---- */

static double end_time;

static void give_up(int number) {
  (void)number;
  char text[200];
  /* The program ends here. NOLINTNEXTLINE(bugprone-signal-handler) */
  int length = snprintf(text, sizeof text,
                        "a wait has not ended: seed %llu, %ld tasks live, %ld have ended\n",
                        (unsigned long long)seed, atomic_load(&live), atomic_load(&ended));
  if (write(STDERR_FILENO, text, (size_t)length) < 0)
    _exit(2);
  abort();
}

static void *act_on_thread(void *argument) {
  uint64_t random = seed * 1000 + (uintptr_t)argument;
  while (test_now() < end_time)
    act(NULL, &random, 0);
  return NULL;
}

static ka_status act_as_first_task(void *argument, void **result) {
  (void)result;
  act_on_thread(argument);
  return KA_OK;
}

/* Plain threads, and threads in ka_run of which each runs tasks of its own and of others. */
static void stress(const char *threads, int plain, int runs) {
  setenv("KA_TASK_THREADS", threads, 1);
  const char *text = getenv("KA_STRESS_SECONDS");
  if (text)
    seconds = atof(text);
  text = getenv("KA_STRESS_SEED");
  if (text)
    seed = strtoull(text, NULL, 10);
  signal(SIGALRM, give_up);
  alarm((unsigned)seconds + 40);
  end_time = test_now() + seconds;
  pthread_t completers[2], actors[8];
  for (uintptr_t t = 0; t < 2; t++)
    CHECK_INT(pthread_create(&completers[t], NULL, complete_all, (void *)t), 0);
  for (intptr_t t = 0; t < plain; t++)
    CHECK_INT(pthread_create(&actors[t], NULL, act_on_thread, (void *)t), 0);
  for (int r = 0; r < runs || (runs > 0 && test_now() < end_time); r++)
    CHECK_OK(ka_run(act_as_first_task, (void *)(intptr_t)(100 + r)));
  for (int t = 0; t < plain; t++)
    CHECK_INT(pthread_join(actors[t], NULL), 0);
  while (atomic_load(&live) > 0)
    usleep(1000);
  pthread_mutex_lock(&lock);
  over = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (int t = 0; t < 2; t++)
    CHECK_INT(pthread_join(completers[t], NULL), 0);
  printf("seed %llu: %ld tasks, %ld waits\n", (unsigned long long)seed, atomic_load(&ended),
         atomic_load(&waits));
  CHECK(atomic_load(&ended) > 0);
  CHECK_INT(atomic_load(&live), 0);
}

static void use_devices(void) {
  device = test_backend();
  test_slow_rounds(device, 1); /* built on this stack */
}

TEST(one_scheduler_thread) { stress("1", 0, 1); }

TEST(several_scheduler_threads_and_plain_threads) { stress("3,1", 4, 0); }

TEST(ka_run_beside_plain_threads) { stress("2", 2, 1); }

TEST(kernels_and_events) {
  use_devices();
  stress("2,1", 2, 1);
}

TEST(kernels_and_events_on_one_thread) {
  use_devices();
  stress("1", 0, 1);
}
