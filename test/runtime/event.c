/* Events: recording, and order between queues. */
#include "test/runtime/support/events.h"
#include "test/runtime/support/faulty_opencl.h"

#include <stdio.h>

TEST(recording_does_not_wait) {
  open_device();
  hold();
  enum { TIMES = 100 };
  ka_event *events[TIMES];
  for (int i = 0; i < TIMES; i++)
    events[i] = record();
  CHECK(!ka_event_query(events[0]) && !ka_event_query(events[TIMES - 1]));
  let_go();
  CHECK_OK(ka_event_wait(events[TIMES - 1]));
  for (int i = 0; i < TIMES; i++) {
    CHECK(ka_event_query(events[i]));
    ka_event_release(events[i]);
  }
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

struct second_queue {
  ka_event *event;
  int *p, *copy;
};

static sem_t waits;

static void *wait_and_copy(void *argument) {
  struct second_queue *q = argument;
  CHECK_OK(ka_wait_event(be, q->event));
  CHECK_OK(ka_copy(be, q->copy, q->p, sizeof *q->p));
  CHECK_INT(sem_post(&waits), 0);
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

/* The first queue's thread does nothing more for its work; the second sees what it wrote. */
TEST(another_queue_waits_for_an_event) {
  open_device();
  struct second_queue q = {.p = zeros(2), .copy = zeros(1)};
  hold();
  for (int i = 0; i < 20; i++)
    add_one(q.p);
  q.event = record();
  CHECK_INT(sem_init(&waits, 0, 0), 0);
  pthread_t thread = start(wait_and_copy, &q);
  wait_for(&waits);
  CHECK(!ka_event_query(q.event));
  let_go();
  join(thread);
  CHECK_INT(*q.copy, 20);
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

TEST(an_event_is_released_while_a_queue_waits_for_it) {
  open_device();
  hold();
  struct second_queue q = {record(), words + 128, zeros(1)};
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
  struct second_queue q = {event, words + 128, zeros(1)};
  CHECK_INT(sem_init(&waits, 0, 0), 0);
  pthread_t thread = start(wait_and_copy, &q);
  wait_for(&waits);
  CHECK(flush->calls >= before + 2); /* the wait, the copy */
  let_go();
  join(thread);
  ka_event_release(event);
}
