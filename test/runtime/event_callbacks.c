/* Who is told when an event has passed: callbacks and descriptors. */
#include "test/runtime/support/events.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
