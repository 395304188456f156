/* What drivers may do although few do: devices with odd limits, platforms that do not work, answers
 * that make no sense, objects that cannot be asked. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define ANSWER(what, type, ...) {what, &(const type){__VA_ARGS__}, sizeof(type), 0}

static struct faulty_opencl *cl;

static void fail(const char *call, int error) {
  cl->call = call;
  cl->error = error;
}

static ka_backend *open_with(const struct faulty_answer *answers) {
  cl = faulty_opencl_load();
  cl->answers = answers;
  return test_backend();
}

static void check_saxpy(ka_backend *be) {
  enum { N = 100 };
  float x[N], y[N];
  for (int i = 0; i < N; i++) {
    x[i] = (float)i;
    y[i] = 1;
  }
  CHECK_OK(LAUNCH(be, ka_range(N), saxpy, 2.0f, x, y));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < N; i++)
    CHECK_INT(y[i], 1 + 2 * i);
}

/* ---- Devices ---- */

static const struct faulty_answer least[] = {
    ANSWER(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 1),
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, (const size_t[]){1, 1, 1}, 3 * sizeof(size_t), 0},
    ANSWER(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 1),
    ANSWER(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 0),
    ANSWER(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 1024),
    ANSWER(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, CL_EXEC_KERNEL),
    ANSWER(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, 0),
    {0, NULL, 0, 0}};

TEST(a_device_with_the_least_there_can_be) {
  ka_backend *be = open_with(least);
  int p[2] = {0};
  check_saxpy(be);
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(2), 2), slow, p, 1), KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("kernel 'slow'", "2", "1");
  CHECK_STATUS(LAUNCH(be, ka_range(1), group_sum, p, p, ka_scratch(4)), KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("kernel 'group_sum'", "4 bytes of group memory");
  CHECK_STATUS(LAUNCH(be, ka_range(8, 4), fixed_groups, (uint64_t *)p),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("kernel 'fixed_groups'");
}

TEST(a_device_without_native_kernels_fills) {
  ka_backend *be = open_with(least);
  enum { BYTES = 300000 };
  unsigned char *p = ka_alloc_zeroed(be, BYTES + 1);
  static const char *const values[] = {"a", "abcd", "abcdefghijkl"};
  for (int v = 0; v < 3; v++) {
    size_t n = strlen(values[v]);
    CHECK_OK(ka_fill(be, p, values[v], n, BYTES / n));
    CHECK_OK(ka_synchronize(be));
    for (size_t i = 0; i < BYTES; i++)
      if (p[i] != (unsigned char)values[v][i % n])
        test_fail(__FILE__, __LINE__, "byte %zu of a fill with %zu bytes is %d", i, n, p[i]);
    CHECK_INT(p[BYTES], 0);
  }
}

/* All zero is what a driver leaves when it knows no answer. */
static const struct faulty_answer zeros[] = {
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, NULL, sizeof(size_t), 0},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, NULL, 3 * sizeof(size_t), 0},
    {CL_DEVICE_MAX_COMPUTE_UNITS, NULL, sizeof(cl_uint), 0},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, NULL, sizeof(cl_ulong), 0},
    {CL_DEVICE_NAME, NULL, 0, 0},
    {CL_DEVICE_VENDOR, NULL, 0, 0},
    {CL_DRIVER_VERSION, NULL, 0, 0},
    {CL_DEVICE_EXTENSIONS, NULL, 0, 0},
    {0, NULL, 0, 0}};

TEST(a_device_that_says_nothing_of_its_limits) {
  ka_backend *be = open_with(zeros);
  check_saxpy(be);
  void *p = ka_alloc(be, 1000);
  CHECK(p);
  CHECK_OK(ka_free(p));
}

TEST(a_device_without_memory_is_left_out) {
  static const struct faulty_answer answers[] = {
      {CL_DEVICE_GLOBAL_MEM_SIZE, NULL, sizeof(cl_ulong), 0}, {0, NULL, 0, 0}};
  cl = faulty_opencl_load();
  cl->answers = answers;
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("says that it has no memory");
}

static char long_name[5000];

TEST(texts_of_any_length_and_without_an_end) {
  memset(long_name, 'n', sizeof long_name);
  static const struct faulty_answer answers[] = {
      {CL_DEVICE_NAME, long_name, sizeof long_name, 0}, /* no NUL */
      {CL_DEVICE_VENDOR, "ab", 2, SIZE_MAX},
      {CL_DRIVER_VERSION, "ab", 2, (size_t)1 << 40},
      {CL_DEVICE_VERSION, "", 0, 0},
      {0, NULL, 0, 0}};
  ka_backend *be = open_with(answers);
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  CHECK_INT(strlen(p.name), sizeof p.name - 1);
  CHECK_INT(strspn(p.name, "n"), sizeof p.name - 1);
  CHECK_STRING(p.vendor, "");
  CHECK_STRING(p.api, "");
  check_saxpy(be);
}

/* Each question fails once, other than by saying that the driver does not know the property: what
 * the device can do is not known then, and it is not used until it can be asked. */
TEST(a_device_that_cannot_be_asked_is_left_out) {
  cl = faulty_opencl_load();
  fail("clGetDeviceInfo", CL_OUT_OF_HOST_MEMORY);
  int attempts = 0;
  do {
    cl->seen = 0;
    cl->at = ++attempts;
    if (!ka_default_backend())
      CHECK_MESSAGE("was left out", "clGetDeviceInfo failed: CL_OUT_OF_HOST_MEMORY (-6)");
  } while (cl->seen >= cl->at);
  CHECK(attempts > 20);
  cl->call = NULL;
  check_saxpy(test_backend());
}

/* ---- Platforms ---- */

TEST(no_platform) {
  cl = faulty_opencl_load();
  fail("clGetPlatformIDs", -1001);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("the OpenCL loader finds no driver", "install");
  cl->call = NULL;
  check_saxpy(test_backend());
}

TEST(a_platform_that_does_not_work_beside_one_that_does) {
  cl = faulty_opencl_load();
  cl->bad_platform = CL_OUT_OF_RESOURCES;
  ka_backend *be = test_backend();
  CHECK_CONTAINS(ka_backend_notes(be), "'a platform that does not work'",
                 "clGetDeviceIDs failed: CL_OUT_OF_RESOURCES (-5)");
  CHECK_INT(ka_num_devices(be), 1);
  check_saxpy(be);
}

/* ---- Calls ---- */

TEST(an_object_may_be_missing_without_an_error) {
  cl = faulty_opencl_load();
  static const char *const calls[] = {"clCreateContext", "clCreateCommandQueueWithProperties",
                                      "clCreateProgramWithIL", "clCreateKernel"};
  int p[2] = {0};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    fail(calls[i], CL_SUCCESS);
    CHECK_STATUS(LAUNCH(test_backend(), ka_range(1), slow, p, 1), KA_ERROR_DRIVER);
    CHECK_MESSAGE(calls[i], "CL_SUCCESS (0)");
  }
  cl->call = NULL;
  check_saxpy(test_backend());
}

TEST(a_build_log_of_a_megabyte) {
  cl = faulty_opencl_load();
  static char log[(1 << 20) + 1];
  memset(log, 'w', sizeof log - 1);
  cl->build_log = log;
  fail("clBuildProgram", CL_BUILD_PROGRAM_FAILURE);
  int p[2] = {0};
  CHECK_STATUS(LAUNCH(test_backend(), ka_range(1), slow, p, 1), KA_ERROR_BUILD_FAILED);
  CHECK_MESSAGE("kernel 'slow'", "CL_BUILD_PROGRAM_FAILURE (-11)", log);
}

/* While no event can be asked nobody knows what still runs: memory stays. */
TEST(events_that_cannot_be_asked) {
  cl = faulty_opencl_load();
  cl->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, test_slow_rounds(be, 50)));
  fail("clGetEventInfo", CL_OUT_OF_RESOURCES);
  int frees = cl->svm_frees;
  CHECK_OK(ka_free(p));
  CHECK_INT(cl->svm_frees, frees);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_DRIVER);
  CHECK_MESSAGE("kernel 'slow'", "may have failed while it ran", "clGetEventInfo",
                "CL_OUT_OF_RESOURCES (-5)");
  CHECK_INT(cl->svm_frees, frees + 1);
  CHECK_OK(ka_synchronize(be));
}

TEST(an_event_that_cannot_be_retained_is_not_released) {
  cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  cl->event_status = CL_RUNNING;
  fail("clRetainEvent", CL_OUT_OF_HOST_MEMORY);
  int launches = 0;
  while (launches < 10000 && LAUNCH(be, ka_range(1), slow, p, 1) == KA_OK)
    launches++;
  CHECK_INT(launches, 1024);
  CHECK_MESSAGE("kernel 'slow'", "the queue is full", "clRetainEvent failed");
  CHECK_INT(cl->releases, 0);
  cl->call = NULL;
  cl->event_status = 0;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1024);
  CHECK_INT(cl->live.events, 0);
}

static void end_while_waiting_fails(void) {
  ka_backend *be = test_backend();
  static int p[2];
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  fail("clFinish", CL_OUT_OF_RESOURCES);
}

TEST(waiting_fails_at_the_end_of_the_program) {
  cl = faulty_opencl_load();
  int status = test_in_child(end_while_waiting_fails, NULL, 0);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 0);
}

/* ---- What fails later ---- */

TEST(the_first_of_several_that_failed_is_reported) {
  cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  static char from[300000], to[300000];
  int p[2] = {0};
  float x = 1, y = 1;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  cl->event_at = cl->events_made + 1;
  cl->event_status = CL_OUT_OF_RESOURCES;
  CHECK_OK(ka_copy(be, to, from, sizeof from));
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("a copy or fill", "failed while it ran: CL_OUT_OF_RESOURCES (-5)");
  CHECK_OK(ka_synchronize(be));
}
