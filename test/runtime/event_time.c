/* Times of events. */
#include "test/runtime/support/events.h"
#include "test/runtime/support/faulty_opencl.h"

#include <CL/cl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

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
