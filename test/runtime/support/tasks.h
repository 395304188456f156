/* What tests of tasks do again and again. */
#ifndef KA_TEST_RUNTIME_SUPPORT_TASKS_H
#define KA_TEST_RUNTIME_SUPPORT_TASKS_H

#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <uv.h>

/* A task, which there must be; backend NULL: one that uses no device. */
static inline ka_task *test_spawn(ka_backend *backend, ka_task_function *function, void *argument) {
  ka_task *task = ka_spawn(backend, function, argument);
  CHECK(task);
  return task;
}

/* Of a task that must succeed. */
static inline void test_wait_and_release(ka_task *task) {
  CHECK_OK(ka_task_wait(task));
  ka_task_release(task);
}

/* What a callback of test_call_back ends with. */
static inline void test_called_back(uv_timer_t *timer) {
  *(bool *)timer->data = true;
  uv_close((uv_handle_t *)timer, NULL);
}

/* In a task: has a timer of its loop call the function, and waits for test_called_back. */
static inline void test_call_back(uv_timer_cb function) {
  static uv_timer_t timer;
  bool called = false;
  CHECK_INT(uv_timer_init(ka_task_loop(), &timer), 0);
  timer.data = &called;
  CHECK_INT(uv_timer_start(&timer, function, 1, 0), 0);
  while (!called)
    CHECK_OK(ka_sleep(100000));
}

#endif
