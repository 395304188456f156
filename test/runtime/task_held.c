/* Tasks and callbacks that wait for a kernel which the host holds: cancellation comes when the
 * kernel has ended, and a callback of the loop does not wait. */
#include "test/runtime/support/events.h"
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <ka/task.h>
#include <uv.h>

/* ---- Cancellation ---- */

static ka_status synchronize_twice(void *counter, void **result) {
  (void)result;
  hold();
  add_one(counter);
  ka_status status = ka_synchronize(be);
  CHECK_MESSAGE("was cancelled");
  CHECK_INT(*(int *)counter, 1);
  CHECK_OK(ka_synchronize(be)); /* it is told once */
  return status;
}

static ka_status wait_for_events(void *counter, void **result) {
  (void)result;
  hold();
  add_one(counter);
  ka_event *event = record();
  ka_status status = ka_event_wait(event);
  CHECK_MESSAGE("was cancelled");
  CHECK_INT(*(int *)counter, 1);
  CHECK_OK(ka_event_wait(event));
  ka_event_release(event);
  return status;
}

static ka_status cancel_one_that_waits(void *function, void **result) {
  (void)result;
  int *counter = zeros(2);
  ka_task *task = test_spawn(be, *(ka_task_function **)function, counter);
  while (!__atomic_load_n(&words[0], __ATOMIC_ACQUIRE))
    ka_yield();
  ka_task_cancel(task);
  CHECK_OK(ka_sleep(1000000));
  CHECK(!ka_task_done(task)); /* the kernel may still write */
  let_go();
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  ka_task_release(task);
  return ka_free(counter);
}

static void cancel(ka_task_function *function) {
  open_device();
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(cancel_one_that_waits, &function));
}

TEST(a_cancelled_task_hears_of_it_when_its_queue_is_finished) { cancel(synchronize_twice); }
TEST(a_cancelled_task_hears_of_it_when_its_event_has_passed) { cancel(wait_for_events); }

/* ---- Callbacks of the loop ---- */

static void try_to_wait(uv_timer_t *timer) {
  CHECK_STATUS(ka_sleep(1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("callback of the loop");
  CHECK_OK(ka_synchronize(be)); /* nothing is in this thread's queue yet */
  hold();
  ka_event *event = record();
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("callback of the loop", "spawn a task");
  CHECK_STATUS(ka_event_wait(event), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("callback of the loop", "spawn a task");
  let_go();
  while (!ka_event_query(event))
    ;
  CHECK_OK(ka_event_wait(event));
  CHECK_OK(ka_synchronize(be));
  ka_event_release(event);
  test_called_back(timer);
}

static ka_status use_loop(void *argument, void **result) {
  (void)argument, (void)result;
  test_call_back(try_to_wait);
  return KA_OK;
}

TEST(a_callback_of_the_loop_does_not_wait_for_the_device) {
  open_device();
  CHECK_OK(ka_run(use_loop, NULL));
}

/* Where the program runs the loop, libka cannot tell its callbacks from what is around. */
TEST(a_thread_with_a_loop_of_its_own_may_wait) {
  open_device();
  uv_loop_t loop;
  CHECK_INT(uv_loop_init(&loop), 0);
  CHECK_OK(ka_task_attach_loop(&loop));
  int *counter = zeros(2);
  add_one(counter);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*counter, 1);
  CHECK_OK(ka_sleep(1));
  CHECK_OK(ka_task_detach_loop());
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_INT(uv_loop_close(&loop), 0);
  CHECK_OK(ka_free(counter));
}
