/* What tests of tasks do again and again. */
#ifndef KA_TEST_RUNTIME_SUPPORT_TASKS_H
#define KA_TEST_RUNTIME_SUPPORT_TASKS_H

#include "test/runtime/support/test.h"

#include <ka/task.h>

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

#endif
