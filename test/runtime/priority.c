/* Priorities of queues. */
#include "test/runtime/support/events.h"
#include "test/runtime/support/faulty_opencl.h"

#include <CL/cl.h>

static struct faulty_opencl *cl;

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
