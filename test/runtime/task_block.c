/* Tasks from blocks: what a block captures is there when the task runs, and is let go of once, when
 * nothing uses it any more. The calls that copy and release blocks go through this file. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- Copies that live ---- */

static _Atomic int copies, releases;
static bool copying_fails;
static void (*when_released)(void);

void *__real__Block_copy(const void *block);
void __real__Block_release(const void *block);
void *__wrap__Block_copy(const void *block);
void __wrap__Block_release(const void *block);

void *__wrap__Block_copy(const void *block) {
  if (copying_fails)
    return NULL;
  atomic_fetch_add(&copies, 1);
  return __real__Block_copy(block);
}

void __wrap__Block_release(const void *block) {
  if (when_released)
    when_released();
  atomic_fetch_add(&releases, 1);
  __real__Block_release(block);
}

static void check_released(int count) {
  CHECK_INT(atomic_load(&copies), count);
  CHECK_INT(atomic_load(&releases), count);
}

static ka_task *given(ka_task *task) {
  CHECK(task);
  return task;
}

/* ---- Variables and results ---- */

struct point {
  int x, y[3];
};

TEST(a_block_sees_the_values_of_when_it_was_spawned) {
  int number = 7;
  struct point point = {1, {2, 3, 4}};
  __block int seen = 0;
  ka_task *task = given(ka_spawn_block(NULL, ^{
    seen = number + point.x + point.y[2];
  }));
  memset(&point, 0, sizeof point);
  memset(&number, 0, sizeof number);
  test_wait_and_release(task);
  CHECK_INT(seen, 7 + 1 + 4);
  check_released(1);
}

/* All of one thread, so that they share without atomics. */
static ka_status share(void *argument, void **result) {
  (void)argument, (void)result;
  enum { TASKS = 50 };
  __block int shared = 0;
  __block struct point point = {0};
  ka_task *tasks[TASKS];
  for (int t = 0; t < TASKS; t++)
    tasks[t] = given(ka_spawn_block(NULL, ^{
      int before = shared;
      ka_yield();
      shared++;
      point.y[t % 3] += t;
      CHECK(shared > before);
    }));
  shared += 1000;
  for (int t = 0; t < TASKS; t++)
    test_wait_and_release(tasks[t]);
  CHECK_INT(shared, 1000 + TASKS);
  CHECK_INT(point.y[0] + point.y[1] + point.y[2], TASKS * (TASKS - 1) / 2);
  check_released(TASKS);
  return KA_OK;
}

TEST(block_variables_are_shared_by_tasks_and_caller) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(share, NULL));
}

TEST(every_form_of_block_gives_its_result_and_status) {
  int seven = 7;
  int *pointer = &seven;
  void *result = pointer;
  ka_task *task = given(ka_spawn_block(NULL, ^{
                                       }));
  CHECK_OK(ka_task_fetch(task, &result));
  CHECK(!result);
  ka_task_release(task);

  task = given(ka_spawn_block(NULL, ^(void **to) {
    *to = pointer;
    return *pointer == 7 ? KA_OK : KA_ERROR_INVALID_ARGUMENT;
  }));
  CHECK_OK(ka_task_fetch(task, &result));
  CHECK(result == pointer);
  ka_task_release(task);

  task = given(ka_spawn_block(NULL, ^{
    return ka_free(pointer); /* no allocation: fails, with a text */
  }));
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "not a live allocation");
  ka_task_release(task);
  check_released(3);
}

TEST(options_hold_for_blocks_too) {
  __block bool right = false;
  ka_spawn_options options = {.name = "reader", .stack_bytes = 1 << 20};
  ka_task *task = given(ka_spawn_block_with(NULL, &options, ^{
    char most[900000];
    for (size_t i = 0; i < sizeof most; i += 4096)
      ((volatile char *)most)[i] = 1;
    right = strcmp(ka_task_name(ka_task_self()), "reader") == 0;
  }));
  test_wait_and_release(task);
  CHECK(right);
  task = given(ka_spawn_block_with(NULL, &options, ^{
    return KA_ERROR_UNSUPPORTED;
  }));
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("task 'reader' returned");
  ka_task_release(task);
  task = given(ka_spawn_block_with(NULL, NULL, ^(void **result) {
    *result = NULL;
    return KA_OK;
  }));
  test_wait_and_release(task);
  check_released(3);
}

static ka_status do_nothing(void *argument, void **result) {
  (void)argument, (void)result;
  return KA_OK;
}

static int asked;
static ka_backend *ask_for_backend(void) {
  asked++;
  return NULL;
}

/* As of a function, whatever the forms are made of. */
TEST(the_backend_of_each_form_is_evaluated_once) {
  test_wait_and_release(given(ka_spawn(ask_for_backend(), do_nothing, NULL)));
  CHECK_INT(asked, 1);
  test_wait_and_release(given(ka_spawn_with(ask_for_backend(), NULL, do_nothing, NULL)));
  CHECK_INT(asked, 2);
  test_wait_and_release(given(ka_spawn_block(ask_for_backend(), ^{
                                             })));
  CHECK_INT(asked, 3);
  test_wait_and_release(given(ka_spawn_block_with(ask_for_backend(), NULL,
                                                  ^{
                                                  })));
  CHECK_INT(asked, 4);
}

TEST(a_task_without_a_name_has_that_of_its_blocks_code) {
  int number = atomic_load(&copies);
  ka_task *one = given(ka_spawn_block(NULL, ^{
    CHECK_INT(number, 0);
  }));
  ka_task *other = given(ka_spawn_block(NULL, ^{
    CHECK_INT(number, 0);
  }));
  CHECK_CONTAINS(ka_task_name(one), "0x");
  CHECK(strcmp(ka_task_name(one), ka_task_name(other)) != 0);
  test_wait_and_release(one);
  test_wait_and_release(other);
}

/* ---- The life of what is captured ---- */

TEST(what_cannot_be_spawned_keeps_nothing) {
  void (^none)(void) = NULL;
  CHECK(!ka_spawn_block(NULL, none));
  CHECK_MESSAGE("ka_spawn_block: the block is NULL");
  CHECK(!ka_spawn_block_with(NULL, &(ka_spawn_options){0}, none));
  CHECK_MESSAGE("ka_spawn_block_with: the block is NULL");
  int number = 1;
  void (^block)(void) = ^{
    CHECK_INT(number, 2);
  };
  CHECK(!ka_spawn_block_with(NULL, &(ka_spawn_options){.pool = (ka_pool)7}, block));
  CHECK_MESSAGE("ka_spawn_block_with: ", "pool 7");
  CHECK(!ka_spawn_block_with(NULL, &(ka_spawn_options){.device = KA_DEVICE(0)}, block));
  CHECK_MESSAGE("ka_spawn_block_with: ", "backend");
  copying_fails = true;
  CHECK(!ka_spawn_block(NULL, block));
  CHECK_INT(ka_error_status(), KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("ka_spawn_block: ", "copy of the block");
  check_released(0);
}

static ka_status cancel_first(void *argument, void **result) {
  (void)argument, (void)result;
  int number = 1;
  ka_task *task = given(ka_spawn_block(NULL, ^{
    CHECK_INT(number, 2);
  }));
  ka_task_cancel(task); /* this thread has not begun it */
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  check_released(1);
  ka_task_release(task);

  task = given(ka_spawn_block(NULL, ^{
    CHECK_INT(number, 1);
    return ka_sleep(3600000000000);
  }));
  ka_yield();
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  check_released(2);
  ka_task_release(task);
  return KA_OK;
}

TEST(cancelled_before_it_began_or_later_a_block_is_released_once) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(cancel_first, NULL));
}

TEST(a_block_without_a_stack_is_released_once) {
  int number = 1;
  ka_spawn_options options = {.stack_bytes = (size_t)1 << 60};
  ka_task *task = given(ka_spawn_block_with(NULL, &options, ^{
    CHECK_INT(number, 2);
  }));
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("stack");
  check_released(1);
  ka_task_release(task);
}

static ka_status let_go(void *argument, void **result) {
  (void)argument, (void)result;
  _Atomic int *ran = argument;
  for (int t = 0; t < 100; t++)
    ka_task_release(given(ka_spawn_block(NULL, ^{
      ka_yield();
      atomic_fetch_add(ran, 1);
    })));
  return KA_OK;
}

TEST(tasks_that_are_let_go_release_their_blocks) {
  _Atomic int ran = 0;
  CHECK_OK(ka_run(let_go, &ran)); /* waits for all */
  CHECK_INT(ran, 100);
  check_released(100);
}

/* ---- Devices ---- */

static int *zeros(ka_backend *be) {
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK(p);
  return p;
}

static int *written; /* by a kernel, which has not ended before the block is released */

static void check_written(void) { CHECK_INT(*(volatile int *)written, 1); }

TEST(a_block_works_after_its_parent_and_lives_until_its_work_is_over) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 20);
  int *p = zeros(be), *copy = zeros(be);
  written = copy;
  when_released = check_written;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  ka_task *task = given(ka_spawn_block(be, ^{
    return ka_copy(be, copy, p, sizeof *p);
  }));
  test_wait_and_release(task);
  check_released(1);

  /* Also if it fails, whatever device it leaves behind as the active one. */
  written = p = zeros(be);
  task = given(ka_spawn_block(be, ^{
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
    return KA_ERROR_UNSUPPORTED;
  }));
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_UNSUPPORTED);
  ka_task_release(task);
  check_released(2);
}
