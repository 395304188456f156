/* The heap of moments against a sorted array. */
#include "runtime/task/timers.h"
#include "test/runtime/support/test.h"

#include <stdlib.h>

enum { COUNT = 1000 };

static struct ka__timer timers[COUNT];

static int by_time(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The heap gives out what is in it in the order of its times. */
static void check_order(struct ka__timers *heap) {
  uint64_t expected[COUNT];
  int count = 0;
  for (int i = 0; i < COUNT; i++)
    if (ka__timer_is_set(&timers[i]))
      expected[count++] = timers[i].when;
  qsort(expected, (size_t)count, sizeof *expected, by_time);
  for (int i = 0; i < count; i++) {
    struct ka__timer *first = heap->first;
    CHECK(first);
    CHECK_INT(first->when, expected[i]);
    ka__timers_remove(heap, first);
    CHECK(!ka__timer_is_set(first));
  }
  CHECK(!heap->first);
}

TEST(timers_come_in_the_order_of_their_times) {
  struct ka__timers heap = {0};
  srand(1);
  for (int i = 0; i < COUNT; i++) {
    timers[i].when = (uint64_t)rand() % 500; /* many are equal */
    ka__timers_add(&heap, &timers[i]);
  }
  check_order(&heap);
}

TEST(timers_can_be_taken_out_anywhere) {
  struct ka__timers heap = {0};
  srand(2);
  for (int round = 0; round < 20 * COUNT; round++) {
    struct ka__timer *timer = &timers[rand() % COUNT];
    if (ka__timer_is_set(timer)) {
      ka__timers_remove(&heap, timer);
    } else {
      timer->when = (uint64_t)rand();
      ka__timers_add(&heap, timer);
    }
    if (rand() % 3 == 0 && heap.first)
      ka__timers_remove(&heap, heap.first);
  }
  check_order(&heap);
}
