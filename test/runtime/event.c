/* Events: order between queues, time, callbacks, descriptors, failures. A kernel that must not end
 * before something has happened waits for the host's word (hold and let_go). */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static ka_backend *be;

static int *zeros(size_t count) {
  int *p = ka_alloc_zeroed(be, count * sizeof *p);
  CHECK(p);
  return p;
}

static ka_event *record(void) {
  ka_event *event;
  CHECK_OK(ka_record_event(be, &event));
  CHECK(event);
  return event;
}

static void add_one(int *p) { CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1)); }

static pthread_t start(void *(*run)(void *), void *argument) {
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, run, argument), 0);
  return thread;
}

static void join(pthread_t thread) { CHECK_INT(pthread_join(thread, NULL), 0); }

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0)
    CHECK_INT(errno, EINTR);
}

/* ---- A kernel that runs until the host says so ---- */

static int *words;

static void open_device(void) {
  be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (!p.host_atomics || p.compute_units < 2)
    test_skip("the host cannot tell a running kernel anything, or only one kernel runs at a time");
  words = zeros(192);
}

static void hold(void) {
  __atomic_store_n(&words[64], 0, __ATOMIC_RELAXED);
  CHECK_OK(LAUNCH(be, ka_range(1), meet, words, words + 64, UINT64_MAX, words + 128));
}

static void let_go(void) { __atomic_store_n(&words[64], 1, __ATOMIC_RELEASE); }

static void wait_until_held(void) {
  while (!__atomic_load_n(&words[0], __ATOMIC_ACQUIRE))
    ;
}

/* ---- Recording and waiting ---- */

TEST(recording_returns_at_once) {
  be = test_backend();
  int *p = zeros(2);
  uint64_t rounds = test_slow_rounds(be, 300);
  double begin = test_now();
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  enum { TIMES = 100 };
  ka_event *events[TIMES];
  double recorded = test_now();
  for (int i = 0; i < TIMES; i++)
    events[i] = record();
  recorded = (test_now() - recorded) / TIMES;
  CHECK(!ka_event_query(events[TIMES - 1]));
  CHECK_OK(ka_event_wait(events[TIMES - 1]));
  double took = test_now() - begin;
  printf("recording takes %.2f us after a kernel of %.0f ms\n", 1e6 * recorded, 1e3 * took);
  CHECK(recorded < took / 100);
  for (int i = 0; i < TIMES; i++) {
    CHECK(ka_event_query(events[i]));
    ka_event_release(events[i]);
  }
}

struct second_queue {
  ka_event *event;
  int *p, *copy;
  double took;
};

static void *follow(void *argument) {
  struct second_queue *q = argument;
  double begin = test_now();
  CHECK_OK(ka_wait_event(be, q->event));
  CHECK_OK(ka_copy(be, q->copy, q->p, sizeof *q->p));
  CHECK_OK(ka_synchronize(be));
  q->took = test_now() - begin;
  return NULL;
}

TEST(what_a_query_says_is_complete_can_be_read) {
  be = test_backend();
  int *p = zeros(1);
  for (int i = 1; i <= 200; i++) {
    add_one(p);
    ka_event *event = record();
    while (!ka_event_query(event))
      ;
    CHECK_INT(*(volatile int *)p, i);
    ka_event_release(event);
  }
}

/* The first queue's thread does nothing more for its work; the second sees what it wrote. */
TEST(another_queue_waits_for_an_event) {
  be = test_backend();
  struct second_queue q = {NULL, zeros(2), zeros(1), 0};
  uint64_t rounds = test_slow_rounds(be, 10);
  double begin = test_now();
  for (int i = 0; i < 20; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, q.p, rounds));
  q.event = record();
  join(start(follow, &q));
  double took = test_now() - begin;
  CHECK_INT(*q.copy, 20);
  CHECK(q.took >= took / 3);
  ka_event_release(q.event);
}

enum { ROUNDS = 500 };

struct player {
  sem_t turn;
  struct player *other;
  ka_event *event; /* of this one's last copy */
  int *next;       /* one of 2 * ROUNDS + 1 numbers, each copied from the one before */
};

/* Waits on the host only for the other's event to be recorded, never for the device. */
static void *play(void *argument) {
  struct player *me = argument;
  for (int i = 0; i < ROUNDS; i++) {
    wait_for(&me->turn);
    CHECK_OK(ka_wait_event(be, me->other->event));
    ka_event_release(me->other->event);
    CHECK_OK(ka_copy(be, me->next, me->next - 1, sizeof(int)));
    me->next += 2;
    me->event = record();
    CHECK_INT(sem_post(&me->other->turn), 0);
  }
  return NULL;
}

static void play_both(void *(*second)(void *), ka_event *begin, int *numbers) {
  struct player a = {.next = numbers + 1}, b = {.next = numbers + 2, .event = begin, .other = &a};
  a.other = &b;
  CHECK_INT(sem_init(&a.turn, 0, 1), 0);
  CHECK_INT(sem_init(&b.turn, 0, 0), 0);
  pthread_t threads[] = {start(play, &a), start(second, &b)};
  join(threads[0]);
  join(threads[1]);
  if (begin)
    CHECK_INT(numbers[2 * ROUNDS], 0);
  let_go();
  CHECK_OK(ka_event_wait(b.event));
  CHECK_INT(numbers[2 * ROUNDS], 1);
  ka_event_release(b.event);
}

/* All waits are in the queues before any is over. */
TEST(two_queues_wait_for_each_other_again_and_again) {
  open_device();
  int *numbers = zeros(2 * ROUNDS + 1);
  hold();
  CHECK_OK(ka_copy(be, numbers, words + 128, sizeof(int)));
  play_both(play, record(), numbers);
}

static void *play_on_second_device(void *argument) {
  CHECK_OK(ka_set_device(be, 1));
  return play(argument);
}

static void open_two(void) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  open_device();
  CHECK_INT(ka_num_devices(be), 2);
}

TEST(two_devices_wait_for_each_other_again_and_again) {
  open_two();
  int *numbers = zeros(2 * ROUNDS + 1);
  numbers[0] = 1;
  play_both(play_on_second_device, NULL, numbers);
}

static void *wait_on_host(void *event) {
  CHECK_OK(ka_event_wait(event));
  CHECK_INT(words[128], 1);
  return NULL;
}

static void *wait_in_queue(void *event) {
  CHECK_OK(ka_wait_event(be, event));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(words[128], 1);
  return NULL;
}

TEST(many_threads_wait_for_one_event) {
  open_device();
  hold();
  ka_event *event = record();
  pthread_t threads[16];
  for (int t = 0; t < 16; t++)
    threads[t] = start(t % 2 ? wait_on_host : wait_in_queue, event);
  wait_until_held();
  CHECK(!ka_event_query(event));
  let_go();
  for (int t = 0; t < 16; t++)
    join(threads[t]);
  ka_event_release(event);
}

static sem_t waits;

static void *wait_and_copy(void *argument) {
  struct second_queue *q = argument;
  CHECK_OK(ka_wait_event(be, q->event));
  CHECK_OK(ka_copy(be, q->copy, q->p, sizeof *q->p));
  CHECK_INT(sem_post(&waits), 0);
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

TEST(an_event_is_released_while_a_queue_waits_for_it) {
  open_device();
  hold();
  struct second_queue q = {record(), words + 128, zeros(1), 0};
  CHECK_INT(sem_init(&waits, 0, 0), 0);
  pthread_t thread = start(wait_and_copy, &q);
  wait_for(&waits);
  ka_event_release(q.event);
  let_go();
  join(thread);
  CHECK_INT(*q.copy, 1);
}

/* Drivers may keep back what is not flushed, and who waits elsewhere has no way to do it. */
TEST(what_others_may_wait_for_is_flushed) {
  faulty_opencl_load()->platform = "another"; /* PoCL starts everything at once */
  const struct faulty_entry *flush = faulty_opencl_find("faulty_opencl_entries");
  while (strcmp(flush->name, "clFlush") != 0)
    flush++;
  open_device();
  hold();
  int before = flush->calls;
  CHECK(before > 0);
  ka_event *event = record();
  struct second_queue q = {event, words + 128, zeros(1), 0};
  CHECK_INT(sem_init(&waits, 0, 0), 0);
  pthread_t thread = start(wait_and_copy, &q);
  wait_for(&waits);
  CHECK(flush->calls >= before + 2); /* the wait, the copy */
  let_go();
  join(thread);
  ka_event_release(event);
}

/* ---- Time ---- */

static void spend(double seconds) {
  for (double end = test_now() + seconds; test_now() < end;)
    ;
}

static int64_t elapsed(const ka_event *from, const ka_event *to) {
  int64_t nanoseconds = -1;
  CHECK_OK(ka_event_elapsed(from, to, &nanoseconds));
  return nanoseconds;
}

TEST(the_time_of_a_kernel_lies_between_what_the_host_measures) {
  open_device();
  add_one(zeros(2)); /* builds */
  CHECK_OK(ka_synchronize(be));
  double outer = test_now();
  ka_event *begin = record();
  hold();
  ka_event *end = record();
  wait_until_held();
  double inner = test_now();
  spend(0.02);
  inner = test_now() - inner;
  let_go();
  CHECK_OK(ka_event_wait(end));
  outer = test_now() - outer;
  int64_t between = elapsed(begin, end);
  printf("%.3f ms within %.3f and %.3f\n", 1e-6 * (double)between, 1e3 * inner, 1e3 * outer);
  CHECK((double)between >= 1e9 * inner);
  CHECK((double)between <= 1e9 * outer);
  CHECK_INT(elapsed(end, begin), -between);
  CHECK_INT(elapsed(end, end), 0);
  ka_event_release(begin);
  ka_event_release(end);
}

static void check_times_of_an_idle_queue(void) {
  /* The kernel is over, which only the driver knows. */
  hold();
  ka_event *kernel = record();
  int file = ka_event_fd(kernel);
  let_go();
  struct pollfd ready = {.fd = file, .events = POLLIN};
  CHECK_INT(poll(&ready, 1, -1), 1);
  CHECK_INT(close(file), 0);
  ka_event_release(kernel);
  spend(0.005);
  double outer = test_now();
  ka_event *a = record();
  CHECK_OK(ka_synchronize(be));
  double inner = test_now();
  spend(0.01);
  inner = test_now() - inner;
  ka_event *b = record();
  CHECK_OK(ka_synchronize(be));
  outer = test_now() - outer;
  CHECK((double)elapsed(a, b) >= 1e9 * inner);
  CHECK((double)elapsed(a, b) <= 1e9 * outer);
  ka_event_release(a);
  ka_event_release(b);
}

TEST(an_event_in_an_idle_queue_has_the_time_of_its_recording) {
  open_device();
  check_times_of_an_idle_queue();
}

TEST(drivers_that_do_not_read_the_clock_tell_the_time_all_the_same) {
  struct faulty_opencl *cl = faulty_opencl_load();
  open_device();
  cl->call = "clGetDeviceAndHostTimer";
  cl->error = CL_INVALID_OPERATION;
  check_times_of_an_idle_queue();
}

TEST(times_that_cannot_be_had) {
  struct faulty_opencl *cl = faulty_opencl_load();
  open_device();
  int64_t time = 77;
  ka_event *a = record();
  hold();
  ka_event *b = record();
  CHECK_STATUS(ka_event_elapsed(a, b, &time), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("second event has not passed", "ka_event_wait");
  CHECK_STATUS(ka_event_elapsed(b, a, &time), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("first event has not passed");
  let_go();
  CHECK_OK(ka_event_wait(b));
  CHECK_STATUS(ka_event_elapsed(a, b, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_event_elapsed(NULL, b, &time), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("first event is NULL");
  CHECK_STATUS(ka_event_elapsed(a, NULL, &time), KA_ERROR_UNSUPPORTED);
  cl->call = "clGetEventProfilingInfo";
  cl->error = CL_PROFILING_INFO_NOT_AVAILABLE;
  CHECK_STATUS(ka_event_elapsed(a, b, &time), KA_ERROR_DRIVER);
  CHECK_MESSAGE("time of an event", "CL_PROFILING_INFO_NOT_AVAILABLE");
  CHECK_INT(time, 77);
  ka_event_release(a);
  ka_event_release(b);
}

TEST(times_of_two_devices_are_not_compared) {
  open_two();
  ka_event *a = record();
  CHECK_OK(ka_set_device(be, 1));
  ka_event *b = record();
  int64_t time;
  CHECK_STATUS(ka_event_elapsed(a, b, &time), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("(0)", "(1)", "one device");
  ka_event_release(a);
  ka_event_release(b);
}

/* ---- Callbacks ---- */

static _Atomic int called;
static sem_t all_called;
static int expected;

static void expect_calls(int count) {
  expected = count;
  atomic_store(&called, 0);
  CHECK_INT(sem_init(&all_called, 0, 0), 0);
}

static void count(ka_event *event, void *argument) {
  (void)event, (void)argument;
  if (atomic_fetch_add(&called, 1) + 1 == expected)
    sem_post(&all_called);
}

/* Callbacks are called one after the other, so after one more none is missing and none too many. */
static void check_calls(int count_) {
  wait_for(&all_called);
  int before = expected;
  expect_calls(1);
  CHECK_OK(ka_event_on_complete(NULL, count, NULL));
  wait_for(&all_called);
  CHECK_INT(before, count_);
  CHECK_INT(atomic_load(&called), 1);
}

TEST(each_callback_is_called_once_when_the_event_has_passed) {
  open_device();
  hold();
  ka_event *event = record();
  expect_calls(5);
  for (int i = 0; i < 5; i++)
    CHECK_OK(ka_event_on_complete(event, count, NULL));
  wait_until_held();
  CHECK_INT(atomic_load(&called), 0);
  let_go();
  check_calls(5);
  expect_calls(2);
  for (int i = 0; i < 2; i++)
    CHECK_OK(ka_event_on_complete(event, count, NULL)); /* it has passed already */
  check_calls(2);
  ka_event_release(event);
  CHECK_STATUS(ka_event_on_complete(event, NULL, NULL), KA_ERROR_INVALID_ARGUMENT);
}

static void release_and_count(ka_event *event, void *argument) {
  CHECK(ka_event_query(event));
  ka_event_release(event);
  count(event, argument);
}

TEST(an_event_is_released_inside_its_callback) {
  open_device();
  hold();
  expect_calls(1);
  CHECK_OK(ka_event_on_complete(record(), release_and_count, NULL));
  let_go();
  check_calls(1);
  expect_calls(1);
  CHECK_OK(ka_event_on_complete(record(), release_and_count, NULL));
  check_calls(1);
}

static void use_and_count(ka_event *event, void *argument) {
  CHECK_OK(ka_event_wait(event)); /* the event is still there */
  count(event, argument);
}

TEST(an_event_is_released_before_its_callback) {
  open_device();
  hold();
  ka_event *event = record();
  expect_calls(1);
  CHECK_OK(ka_event_on_complete(event, use_and_count, NULL));
  ka_event_release(event);
  let_go();
  check_calls(1);
}

static void work(ka_event *event, void *argument) {
  int *p = argument;
  add_one(p);
  ka_event *mine = record();
  CHECK_OK(ka_event_wait(mine));
  CHECK_OK(ka_synchronize(be));
  ka_event_release(mine);
  CHECK_INT(*p, 1);
  count(event, NULL);
}

TEST(a_callback_launches_and_waits) {
  open_device();
  int *p = zeros(2);
  hold();
  ka_event *event = record();
  expect_calls(1);
  CHECK_OK(ka_event_on_complete(event, work, p));
  let_go();
  check_calls(1);
  ka_event_release(event);
}

enum { STORM_THREADS = 8, STORM = 250 };

static void *storm(void *argument) {
  int *p = argument;
  for (int i = 0; i < STORM; i++) {
    add_one(p);
    ka_event *event = record();
    CHECK_OK(ka_event_on_complete(event, count, NULL));
    CHECK_OK(ka_event_on_complete(event, release_and_count, NULL));
  }
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*p, STORM);
  return NULL;
}

TEST(a_storm_of_callbacks) {
  be = test_backend();
  expect_calls(2 * STORM_THREADS * STORM);
  pthread_t threads[STORM_THREADS];
  for (int t = 0; t < STORM_THREADS; t++)
    threads[t] = start(storm, zeros(2));
  for (int t = 0; t < STORM_THREADS; t++)
    join(threads[t]);
  check_calls(2 * STORM_THREADS * STORM);
}

/* ---- Descriptors ---- */

static bool is_readable(int file) {
  struct pollfd ready = {.fd = file, .events = POLLIN};
  int count_ = poll(&ready, 1, 0);
  CHECK(count_ >= 0);
  return count_ == 1 && (ready.revents & POLLIN);
}

static int file_of(const ka_event *event) {
  int file = ka_event_fd(event);
  CHECK(file >= 0);
  return file;
}

TEST(a_descriptor_becomes_readable_when_the_event_has_passed) {
  open_device();
  hold();
  ka_event *event = record();
  int file = file_of(event), loop = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN}, found;
  CHECK_INT(epoll_ctl(loop, EPOLL_CTL_ADD, file, &interest), 0);
  wait_until_held();
  CHECK(!is_readable(file));
  CHECK_INT(epoll_wait(loop, &found, 1, 0), 0);
  let_go();
  CHECK_INT(epoll_wait(loop, &found, 1, -1), 1);
  CHECK(is_readable(file)); /* until it is read */
  CHECK(ka_event_query(event));
  eventfd_t number = 0;
  CHECK_INT(eventfd_read(file, &number), 0);
  CHECK_INT(number, 1);
  int late = file_of(event), none = file_of(NULL);
  CHECK(is_readable(late) && is_readable(none));
  ka_event_release(event);
  CHECK_INT(close(file) | close(loop) | close(late) | close(none), 0);
}

/* The number may be another file's by the time the event passes: nothing is written there. */
TEST(a_descriptor_is_closed_before_the_event_has_passed) {
  open_device();
  hold();
  ka_event *event = record();
  int file = file_of(event);
  CHECK_INT(close(file), 0);
  int other = eventfd(0, EFD_NONBLOCK);
  CHECK_INT(other, file);
  let_go();
  int last = file_of(event);
  struct pollfd ready = {.fd = last, .events = POLLIN};
  CHECK_INT(poll(&ready, 1, -1), 1);
  CHECK_OK(ka_event_wait(event));
  CHECK(fcntl(other, F_GETFD) >= 0);
  CHECK(!is_readable(other));
  ka_event_release(event);
}

TEST(no_descriptor_is_left) {
  be = test_backend();
  add_one(zeros(2));
  CHECK_OK(ka_synchronize(be));
  const struct rlimit few = {64, 64};
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &few), 0);
  ka_event *event = record();
  int files[64], n = 0;
  while (n < 64 && (files[n] = ka_event_fd(event)) >= 0)
    n++;
  CHECK(n > 0 && n < 64);
  CHECK_INT(ka_error_status(), KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("ka_event_fd", "ulimit -n");
  for (int i = 0; i < n; i++)
    CHECK_INT(close(files[i]), 0);
  for (int i = 0; i < 200; i++) /* libka keeps none */
    CHECK_INT(close(file_of(event)), 0);
  ka_event_release(event);
}

/* ---- Failures ---- */

static struct faulty_opencl *cl;

/* The next kernel is one that the driver says has failed. */
static void launch_failing(int *p) {
  cl->event_at = cl->events_made + 1;
  cl->event_status = CL_OUT_OF_RESOURCES;
  add_one(p);
}

static void open_failing(void) {
  cl = faulty_opencl_load();
  open_device();
  add_one(zeros(2)); /* builds */
  CHECK_OK(ka_synchronize(be));
}

static void *depend(void *event) {
  int *p = zeros(2);
  CHECK_OK(ka_wait_event(be, event));
  add_one(p);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("an event that the queue waits for", "kernel 'slow'", "CL_OUT_OF_RESOURCES");
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

TEST(a_failure_fails_the_queue_that_waits_for_it) {
  open_failing();
  launch_failing(zeros(2));
  ka_event *event = record();
  pthread_t thread = start(depend, event);
  join(thread);
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(ka_event_wait(event), KA_ERROR_KERNEL_FAILED);
    CHECK_MESSAGE("kernel 'slow'", "CL_OUT_OF_RESOURCES");
  }
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_OK(ka_synchronize(be));
  /* It has been told, and is still the event's. */
  CHECK_STATUS(ka_event_wait(event), KA_ERROR_KERNEL_FAILED);
  join(start(depend, event));
  ka_event_release(event);
}

TEST(a_failure_that_was_told_does_not_fail_later_events) {
  open_failing();
  ka_event *before = record();
  launch_failing(zeros(2));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  ka_event *after = record();
  add_one(zeros(2));
  ka_event *later = record();
  CHECK_OK(ka_event_wait(before));
  CHECK_OK(ka_event_wait(after));
  CHECK_OK(ka_event_wait(later));
  ka_event_release(before);
  ka_event_release(after);
  ka_event_release(later);
}

struct link {
  ka_event *before, *after;
  sem_t recorded, end;
};

static void *pass_on(void *argument) {
  struct link *link = argument;
  CHECK_OK(ka_wait_event(be, link->before));
  add_one(zeros(2));
  link->after = record();
  CHECK_INT(sem_post(&link->recorded), 0);
  wait_for(&link->end); /* does not look at what has become of its work */
  return NULL;
}

static void check_chain(void) {
  launch_failing(zeros(2));
  struct link links[3];
  pthread_t threads[3];
  ka_event *event = record();
  for (int i = 0; i < 3; i++) {
    links[i].before = event;
    CHECK_INT(sem_init(&links[i].recorded, 0, 0) | sem_init(&links[i].end, 0, 0), 0);
    threads[i] = start(pass_on, &links[i]);
    wait_for(&links[i].recorded);
    event = links[i].after;
  }
  join(start(depend, event));
  for (int i = 0; i < 3; i++) {
    CHECK_INT(sem_post(&links[i].end), 0);
    join(threads[i]);
    ka_event_release(links[i].before);
  }
  ka_event_release(event);
}

TEST(a_failure_goes_through_a_chain_of_queues) {
  open_failing();
  check_chain();
}

static void *hold_and_record(void *place) {
  hold();
  *(ka_event **)place = record();
  return NULL;
}

/* The waits are put in before anything has run. */
TEST(a_failure_that_is_yet_to_come_goes_through_a_chain_of_queues) {
  open_failing();
  ka_event *held;
  join(start(hold_and_record, &held));
  CHECK_OK(ka_wait_event(be, held));
  launch_failing(zeros(2));
  struct link link = {.before = record()};
  CHECK_INT(sem_init(&link.recorded, 0, 0) | sem_init(&link.end, 0, 0), 0);
  pthread_t thread = start(pass_on, &link);
  wait_for(&link.recorded);
  CHECK(!ka_event_query(link.after));
  pthread_t last = start(depend, link.after);
  let_go();
  join(last);
  CHECK_INT(sem_post(&link.end), 0);
  join(thread);
  ka_event_release(held);
  ka_event_release(link.before);
  ka_event_release(link.after);
}

static void *wait_and_hear(void *event) {
  CHECK_OK(ka_wait_event(be, event));
  add_one(zeros(2));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("kernel 'slow'", "failed while it ran");
  CHECK_INT(words[128], 1); /* what was before the failure is over */
  return NULL;
}

/* The driver takes the failing kernel out while the one before it still runs. */
TEST(a_queue_waits_for_what_was_before_a_failure) {
  open_failing();
  hold();
  wait_until_held();
  cl->fail_kernel = CL_OUT_OF_RESOURCES;
  add_one(zeros(2));
  ka_event *event = record();
  expect_calls(1);
  CHECK_OK(ka_event_on_complete(event, count, NULL));
  pthread_t thread = start(wait_and_hear, event);
  CHECK(!ka_event_query(event));
  let_go();
  join(thread);
  check_calls(1);
  CHECK_STATUS(ka_event_wait(event), KA_ERROR_KERNEL_FAILED);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  add_one(zeros(2));
  CHECK_OK(ka_synchronize(be));
  ka_event_release(event);
}

/* PoCL never ends an operation that waits for an event that has failed already. */
TEST(a_queue_waits_for_an_event_that_failed_long_ago) {
  open_failing();
  cl->fail_kernel = CL_OUT_OF_RESOURCES;
  add_one(zeros(2));
  ka_event *event = record();
  words[128] = 1;
  join(start(wait_and_hear, event));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  join(start(wait_and_hear, event));
  ka_event_release(event);
}

/* The same, but it fails after libka has seen that it runs. What was in the queue that waits, and
 * what comes later, is done. */
static void *wait_for_late_failure(void *event) {
  int *p = zeros(2);
  add_one(p);
  wait_and_hear(event);
  CHECK_INT(*p, 1);
  add_one(p);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*p, 2);
  return NULL;
}

static void launch_failing_late(void) {
  cl->fail_kernel = CL_OUT_OF_RESOURCES;
  cl->fail_late = 1;
  add_one(zeros(2));
}

TEST(an_event_fails_while_a_queue_is_told_to_wait_for_it) {
  open_failing();
  ka_event_release(record()); /* from now on its queue stays as it is */
  words[128] = 1;
  launch_failing_late();
  ka_event *event = record();
  join(start(wait_for_late_failure, event));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  ka_event_release(event);
}

/* What was before the failing kernel is waited for all the same. */
TEST(an_event_fails_while_a_queue_is_told_to_wait_and_what_was_before_runs) {
  open_failing();
  ka_event_release(record()); /* from now on its queue stays as it is */
  hold();
  wait_until_held();
  launch_failing_late();
  ka_event *event = record();
  pthread_t thread = start(wait_for_late_failure, event);
  CHECK(!ka_event_query(event));
  let_go();
  join(thread);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  ka_event_release(event);
}

/* The first event that is recorded in a queue gives it a new one of the driver's, which waits for
 * the old one. */
TEST(a_kernel_fails_while_its_queue_gets_a_new_one) {
  open_failing();
  launch_failing_late();
  ka_event *event = record();
  int *p = zeros(2);
  add_one(p);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_INT(*p, 1);
  CHECK_STATUS(ka_event_wait(event), KA_ERROR_KERNEL_FAILED);
  ka_event_release(event);
}

static int *of_follower;

static void no_new_queues(int at) {
  cl->error = CL_OUT_OF_HOST_MEMORY;
  cl->at = at;
  cl->seen = 0;
  cl->call = "clCreateCommandQueueWithProperties";
}

static void *wait_for_late_failure_without_new_queues(void *event, int at) {
  of_follower = zeros(2 << 16);
  add_one(of_follower);
  no_new_queues(at);
  CHECK_OK(ka_wait_event(be, event));
  CHECK_STATUS(ka_copy(be, of_follower + (1 << 16), of_follower, sizeof(int) << 16),
               KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("clCreateCommandQueueWithProperties", "waits for what has failed");
  return NULL;
}

static void *go_on_with_the_second_try(void *event) {
  wait_for_late_failure_without_new_queues(event, 1);
  add_one(of_follower);
  CHECK_OK(ka_copy(be, of_follower + (1 << 16), of_follower, sizeof(int) << 16));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_INT(of_follower[1 << 16], 2);
  CHECK_INT(cl->seen, 2);
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

static void *fail_for_ever(void *event) {
  wait_for_late_failure_without_new_queues(event, 0);
  for (int i = 0; i < 2; i++) {
    CHECK(LAUNCH(be, ka_range(1), slow, of_follower, 1) != KA_OK);
    CHECK_OK(ka_wait_event(be, event)); /* it is over */
  }
  CHECK_STATUS(ka_fill(be, of_follower + (1 << 16), (int[3]){1, 2, 3}, 3 * sizeof(int), 1 << 14),
               KA_ERROR_OUT_OF_MEMORY);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_INT(*of_follower, 1);
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

static void follow_late_failure(void *(*follower)(void *)) {
  open_failing();
  ka_event_release(record()); /* from now on its queue stays as it is */
  launch_failing_late();
  ka_event *event = record();
  join(start(follower, event));
  cl->call = NULL;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  ka_event_release(event);
}

TEST(a_queue_that_waits_for_what_has_failed_is_replaced_at_the_second_try) {
  follow_late_failure(go_on_with_the_second_try);
}

static void end_without_new_queues(void) {
  follow_late_failure(fail_for_ever);
  no_new_queues(0);
}

TEST(a_queue_that_cannot_be_replaced_gives_errors_and_the_program_ends) {
  int status = test_in_child(end_without_new_queues, NULL, 0);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 0);
}

static void *depend_on_second_device(void *event) {
  CHECK_OK(ka_set_device(be, 1));
  return depend(event);
}

TEST(a_failure_on_one_device_fails_the_queue_of_another) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  open_failing();
  launch_failing(zeros(2));
  ka_event *event = record();
  join(start(depend_on_second_device, event));
  ka_event_release(event);
}

/* ---- The end ---- */

static void release(ka_event *event, void *argument) {
  (void)argument;
  ka_event_release(event);
}

static void end_with_callbacks(void) {
  open_device();
  hold();
  for (int i = 0; i < 100; i++) {
    ka_event *event = record();
    CHECK_OK(ka_event_on_complete(event, release, NULL));
    CHECK(ka_event_fd(event) >= 0);
  }
  let_go();
}

TEST(a_program_ends_while_callbacks_are_due) {
  int status = test_in_child(end_with_callbacks, NULL, 0);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 0);
}

/* ---- Priority ---- */

static const struct faulty_answer hints[] = {
    {CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_priority_hints",
     sizeof "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_priority_hints", 0},
    {0, NULL, 0, 0}};

enum { HIGH = 1, MEDIUM = 2, LOW = 4 }; /* CL_QUEUE_PRIORITY_... */

static void *expect_normal(void *p) {
  add_one(p);
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

static void *end_with_high(void *p) {
  add_one(p);
  CHECK_OK(ka_priority(be, KA_PRIORITY_HIGH));
  add_one(p);
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

TEST(a_queue_gets_a_priority_and_stays_in_order) {
  cl = faulty_opencl_load();
  cl->answers = hints;
  open_device();
  int *p = zeros(2), *copy = zeros(4);
  add_one(p);
  CHECK_OK(ka_synchronize(be));
  hold();
  CHECK_OK(ka_copy(be, copy, words + 128, sizeof *copy));
  CHECK_OK(ka_priority(be, KA_PRIORITY_HIGH));
  CHECK_INT(cl->queue_priority, HIGH);
  CHECK_OK(ka_copy(be, copy + 1, copy, sizeof *copy));
  CHECK_OK(ka_priority(be, KA_PRIORITY_LOW));
  CHECK_INT(cl->queue_priority, LOW);
  CHECK_OK(ka_copy(be, copy + 2, copy + 1, sizeof *copy));
  CHECK_OK(ka_priority(be, KA_PRIORITY_NORMAL));
  CHECK_INT(cl->queue_priority, 0);
  CHECK_OK(ka_copy(be, copy + 3, copy + 2, sizeof *copy));
  let_go();
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(copy[3], 1);
  CHECK_INT(cl->live.queues, 1);
  CHECK_STATUS(ka_priority(be, (ka_priority_level)7), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("7");
  CHECK_STATUS(ka_priority(NULL, KA_PRIORITY_HIGH), KA_ERROR_INVALID_ARGUMENT);
}

TEST(the_next_thread_does_not_get_a_priority) {
  cl = faulty_opencl_load();
  cl->answers = hints;
  be = test_backend();
  join(start(end_with_high, zeros(2)));
  CHECK_INT(cl->queue_priority, HIGH);
  join(start(expect_normal, zeros(2)));
  CHECK_INT(cl->queue_priority, 0);
  CHECK_INT(cl->live.queues, 1);
}

TEST(a_priority_that_the_driver_does_not_give_leaves_the_queue_as_it_is) {
  cl = faulty_opencl_load();
  cl->answers = hints;
  be = test_backend();
  int *p = zeros(2);
  add_one(p);
  cl->call = "clCreateCommandQueueWithProperties";
  cl->error = CL_INVALID_QUEUE_PROPERTIES;
  CHECK_STATUS(ka_priority(be, KA_PRIORITY_HIGH), KA_ERROR_DRIVER);
  CHECK_MESSAGE("a priority", "CL_INVALID_QUEUE_PROPERTIES");
  cl->call = NULL;
  add_one(p);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*p, 2);
  CHECK_OK(ka_priority(be, KA_PRIORITY_HIGH));
}

TEST(a_device_without_priorities_says_so) {
  be = test_backend();
  ka_status status = ka_priority(be, KA_PRIORITY_HIGH);
  if (status == KA_OK)
    test_skip("the device has priorities");
  CHECK_STATUS(status, KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("cl_khr_priority_hints", "served alike");
  CHECK_OK(ka_priority(be, KA_PRIORITY_NORMAL));
}
