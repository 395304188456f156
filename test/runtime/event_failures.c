/* Which failures events tell, and who hears of them. */
#include "test/runtime/support/events.h"
#include "test/runtime/support/faulty_opencl.h"

#include <CL/cl.h>
#include <stdio.h>
#include <sys/wait.h>

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

enum { MANY = 20 };
static ka_event *failed[MANY];

/* Each failure is told before the next comes, so each event has one of its own. */
static void *fail_often(void *none) {
  (void)none;
  for (int i = 0; i < MANY; i++) {
    launch_failing(zeros(2));
    cl->event_status = -1000 - i;
    failed[i] = record();
    CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  }
  return NULL;
}

static void check_own_failures(int from, int step) {
  for (int i = from; i < MANY; i += step) {
    char number[16];
    snprintf(number, sizeof number, "(%d)", -1000 - i);
    CHECK_STATUS(ka_event_wait(failed[i]), KA_ERROR_KERNEL_FAILED);
    CHECK_MESSAGE("kernel 'slow'", number);
  }
}

static void *wait_for_an_old_failure(void *none) {
  CHECK_OK(ka_wait_event(be, failed[3]));
  add_one(zeros(2));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("an event that the queue waits for", "(-1003)");
  return none;
}

static void *use_the_queue_well(void *none) {
  add_one(zeros(2));
  ka_event *good = record();
  CHECK_OK(ka_event_wait(good));
  CHECK_OK(ka_synchronize(be));
  ka_event_release(good);
  return none;
}

/* Also after many more, when its thread has ended, and when the queue is another thread's. */
TEST(an_event_tells_its_failure_as_long_as_it_lives) {
  open_failing();
  add_one(zeros(2));
  ka_event *good = record();
  join(start(fail_often, NULL));
  check_own_failures(0, 1);
  join(start(use_the_queue_well, NULL));
  join(start(wait_for_an_old_failure, NULL));
  for (int i = 0; i < MANY; i += 2)
    ka_event_release(failed[i]);
  check_own_failures(1, 2);
  for (int i = 1; i < MANY; i += 2)
    ka_event_release(failed[i]);
  join(start(fail_often, NULL));
  CHECK_OK(ka_event_wait(good));
  check_own_failures(0, 1);
  for (int i = 0; i < MANY; i++)
    ka_event_release(failed[i]);
  ka_event_release(good);
  CHECK_OK(ka_synchronize(be));
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

static void post(ka_event *event, void *semaphore) {
  (void)event;
  sem_post(semaphore);
}

/* The driver takes the failing kernel out while the one before it still runs. */
TEST(a_queue_waits_for_what_was_before_a_failure) {
  open_failing();
  hold();
  wait_until_held();
  cl->fail_kernel = CL_OUT_OF_RESOURCES;
  add_one(zeros(2));
  ka_event *event = record();
  sem_t passed;
  CHECK_INT(sem_init(&passed, 0, 0), 0);
  CHECK_OK(ka_event_on_complete(event, post, &passed));
  pthread_t thread = start(wait_and_hear, event);
  CHECK(!ka_event_query(event));
  let_go();
  join(thread);
  wait_for(&passed);
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
    CHECK_STATUS(LAUNCH(be, ka_range(1), slow, of_follower, 1), KA_ERROR_OUT_OF_MEMORY);
    CHECK_MESSAGE("kernel 'slow' was not launched", "waits for what has failed",
                  "clCreateCommandQueueWithProperties", "the next call tries again");
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
