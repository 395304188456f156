/* What tasks do while a device works that leaves the processor alone, whatever its driver can: call
 * back, be polled, or only block. The device is a thread for each queue that sleeps. */
#include "test/runtime/support/allocations.h"
#include "test/runtime/support/empty_backend.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <errno.h>
#include <ka/task.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- The device ---- */

static _Atomic long lasting; /* nanoseconds of an operation */

enum { MOST = 64 };
struct sleeper {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t submitted, completed;
  struct ka__completion *waiting[MOST];
  uint64_t tickets[MOST];
  int count;
};

static void call_back(struct sleeper *s) {
  struct ka__completion *due[MOST];
  int n = 0, kept = 0;
  for (int i = 0; i < s->count; i++)
    if (s->tickets[i] <= s->completed) {
      due[n++] = s->waiting[i];
    } else {
      s->waiting[kept] = s->waiting[i];
      s->tickets[kept++] = s->tickets[i];
    }
  s->count = kept;
  pthread_mutex_unlock(&s->lock);
  for (int i = 0; i < n; i++)
    due[i]->function(due[i]);
  pthread_mutex_lock(&s->lock);
}

static void *work(void *argument) {
  struct sleeper *s = argument;
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (s->completed == s->submitted)
      pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    long nanoseconds = atomic_load(&lasting);
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time) == EINTR)
      ;
    pthread_mutex_lock(&s->lock);
    s->completed++;
    pthread_cond_broadcast(&s->changed);
    call_back(s);
  }
}

static ka_status create(struct ka__queue *queue) {
  struct sleeper *s = calloc(1, sizeof *s);
  pthread_t thread;
  CHECK(s);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  CHECK_INT(pthread_create(&thread, NULL, work, s), 0);
  queue->driver = s;
  return KA_OK;
}

static ka_status launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *launch_) {
  (void)function;
  struct sleeper *s = queue->driver;
  pthread_mutex_lock(&s->lock);
  s->submitted = launch_->ticket;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  return KA_OK;
}

static uint64_t poll_queue(struct ka__queue *queue) {
  struct sleeper *s = queue->driver;
  pthread_mutex_lock(&s->lock);
  uint64_t completed = s->completed == s->submitted ? UINT64_MAX : s->completed;
  pthread_mutex_unlock(&s->lock);
  return completed;
}

static ka_status wait_for(struct ka__queue *queue, uint64_t ticket) {
  struct sleeper *s = queue->driver;
  pthread_mutex_lock(&s->lock);
  while (s->completed < ticket && s->completed < s->submitted)
    pthread_cond_wait(&s->changed, &s->lock);
  pthread_mutex_unlock(&s->lock);
  return KA_OK;
}

static ka_status synchronize(struct ka__queue *queue) { return wait_for(queue, UINT64_MAX); }

static ka_status notify(struct ka__queue *queue, uint64_t ticket,
                        struct ka__completion *completion) {
  struct sleeper *s = queue->driver;
  pthread_mutex_lock(&s->lock);
  bool over = s->completed >= ticket || s->completed == s->submitted;
  if (!over) {
    CHECK(s->count < MOST);
    s->tickets[s->count] = ticket;
    s->waiting[s->count++] = completion;
  }
  pthread_mutex_unlock(&s->lock);
  if (over)
    completion->function(completion);
  return KA_OK;
}

static struct ka__backend_table table;
const struct ka__backend_table *const ka__backend_tables[] = {&table, NULL};

static ka_backend *be;

enum path { CALLBACK, POLL, BLOCK, SYNCHRONIZE };

static void open_device(enum path path) {
  table = empty_backend;
  table.queue_create = create;
  table.launch = launch;
  table.synchronize = synchronize;
  table.poll = path <= POLL ? poll_queue : NULL;
  table.notify = path == CALLBACK ? notify : NULL;
  table.wait = path != POLL && path != SYNCHRONIZE ? wait_for : NULL;
  table.wait_for = NULL;
  setenv("KA_TASK_THREADS", "1", 1);
  be = test_backend();
}

static void launch_lasting(double milliseconds) {
  atomic_store(&lasting, (long)(1e6 * milliseconds));
  int p[2];
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
}

/* ---- Other tasks go on, and waiting takes no time of the processor ---- */

static ka_status wait_long(void *argument, void **result) {
  (void)argument, (void)result;
  launch_lasting(500);
  return ka_synchronize(be);
}

static double processor_seconds(void) {
  struct rusage u;
  CHECK_INT(getrusage(RUSAGE_SELF, &u), 0);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static ka_status tick(void *argument, void **result) {
  (void)argument, (void)result;
  launch_lasting(0.001); /* builds */
  CHECK_OK(ka_synchronize(be));
  ka_task *task = ka_spawn(be, wait_long, NULL);
  CHECK(task);
  int ticks = 0;
  while (!ka_task_done(task)) {
    CHECK_OK(ka_sleep(10000000));
    ticks++;
  }
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
  printf("%d ticks of 10 ms in 500 ms\n", ticks);
  CHECK(ticks >= 10); /* one, if the thread is blocked */
  return KA_OK;
}

static void tick_on(enum path path) {
  open_device(path);
  CHECK_OK(ka_run(tick, NULL));
}

TEST(others_go_on_while_a_callback_is_waited_for) { tick_on(CALLBACK); }
TEST(others_go_on_while_a_device_is_polled) { tick_on(POLL); }
TEST(others_go_on_while_a_wait_blocks) { tick_on(BLOCK); }
TEST(others_go_on_while_a_queue_is_synchronized) { tick_on(SYNCHRONIZE); }

static ka_status wait_two_seconds(void *what, void **result) {
  (void)result;
  launch_lasting(0.001); /* builds */
  CHECK_OK(ka_synchronize(be));
  double cpu = processor_seconds(), wall = test_now();
  launch_lasting(2000);
  CHECK_OK(ka_synchronize(be));
  cpu = processor_seconds() - cpu;
  wall = test_now() - wall;
  printf("%s: %.3f ms of the processor in %.0f ms\n", (const char *)what, 1e3 * cpu, 1e3 * wall);
  CHECK(wall >= 1.99);
#if !TEST_ADDRESS_SANITIZER && !TEST_THREAD_SANITIZER
  CHECK(cpu < 0.02 * wall);
#endif
  return KA_OK;
}

/* All ways at once, each in a process of its own, since the time of the processor is a process's.
 */
TEST(waiting_costs_no_time_of_the_processor) {
  static const char *const ways[] = {"callback", "poll", "block", "synchronize"};
  enum { WAYS = sizeof ways / sizeof *ways };
  pid_t children[2 * WAYS];
  for (int i = 0; i < 2 * WAYS; i++) {
    fflush(stdout);
    children[i] = fork();
    CHECK(children[i] >= 0);
    if (children[i])
      continue;
    char what[40];
    bool in_task = i >= WAYS;
    snprintf(what, sizeof what, "%s, %s", ways[i % WAYS], in_task ? "task" : "thread");
    open_device((enum path)(i % WAYS));
    CHECK_OK(in_task ? ka_run(wait_two_seconds, what) : wait_two_seconds(what, NULL));
    exit(0);
  }
  int failed = 0;
  for (int i = 0; i < 2 * WAYS; i++) {
    int status;
    CHECK_INT(waitpid(children[i], &status, 0), children[i]);
    failed += status != 0;
  }
  CHECK_INT(failed, 0);
}

/* ---- Memory ---- */

static ka_status wait_again_and_again(void *argument, void **result) {
  (void)argument, (void)result;
  for (int i = 0; i < 20; i++) {
    launch_lasting(i % 2 ? 0.001 : 1);
    CHECK_OK(ka_synchronize(be));
  }
  long before = atomic_load(&test_allocations);
  for (int i = 0; i < 50; i++) {
    launch_lasting(i % 2 ? 0.001 : 1);
    CHECK_OK(ka_synchronize(be));
  }
  CHECK_INT(atomic_load(&test_allocations) - before, 0);
  return KA_OK;
}

static void count_on(enum path path) {
  open_device(path);
  CHECK_OK(ka_run(wait_again_and_again, NULL));
}

TEST(waiting_by_callback_allocates_nothing) { count_on(CALLBACK); }
TEST(waiting_by_polling_allocates_nothing) { count_on(POLL); }
TEST(waiting_by_blocking_allocates_nothing) { count_on(BLOCK); }
TEST(waiting_by_synchronizing_allocates_nothing) { count_on(SYNCHRONIZE); }

/* ---- Events ---- */

static void post(ka_event *event, void *semaphore) {
  CHECK(ka_event_query(event));
  sem_post(semaphore);
}

static void tell_on(enum path path) {
  open_device(path);
  sem_t told;
  CHECK_INT(sem_init(&told, 0, 0), 0);
  launch_lasting(50);
  ka_event *event;
  CHECK_OK(ka_record_event(be, &event));
  int file = ka_event_fd(event);
  struct pollfd ready = {.fd = file, .events = POLLIN};
  CHECK_OK(ka_event_on_complete(event, post, &told));
  CHECK_INT(poll(&ready, 1, 0), event ? 0 : 1); /* NULL: it has passed */
  CHECK_INT(poll(&ready, 1, -1), 1);
  while (sem_wait(&told) != 0)
    CHECK_INT(errno, EINTR);
  CHECK(ka_event_query(event));
  CHECK_OK(ka_event_wait(event));
  int64_t time;
  CHECK_STATUS(ka_event_elapsed(event, event, &time), KA_ERROR_UNSUPPORTED);
  CHECK_STATUS(ka_priority(be, KA_PRIORITY_HIGH), KA_ERROR_UNSUPPORTED);
  ka_event_release(event);
  CHECK_INT(close(file), 0);
}

TEST(events_tell_by_callback) { tell_on(CALLBACK); }
TEST(events_tell_by_polling) { tell_on(POLL); }
TEST(events_tell_by_blocking) { tell_on(BLOCK); }
TEST(events_tell_by_synchronizing) { tell_on(SYNCHRONIZE); }
