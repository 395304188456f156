/* Every error of KA_STATUS_LIST has a test of its name here that provokes it and reads the text. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <ka/task.h>
#include <stdlib.h>

static void fail(struct faulty_opencl *control, const char *call, int error) {
  control->call = call;
  control->error = error;
}

TEST(OK) {
  ka_backend *be = test_backend();
  CHECK_INT(KA_OK, 0);
  CHECK_OK(ka_synchronize(be));
  CHECK_STRING(ka_error_message(), "");
}

TEST(ERROR_INVALID_ARGUMENT) {
  char bytes[10] = "123456789";
  CHECK_STATUS(ka_copy(test_backend(), bytes, bytes + 1, 5), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_copy", "5 bytes", "overlap");
  CHECK_STRING(bytes, "123456789");
}

TEST(ERROR_INVALID_RANGE) {
  int p[2] = {0};
  CHECK_STATUS(LAUNCH(test_backend(), ka_range(SIZE_MAX, SIZE_MAX), slow, p, 1),
               KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("kernel 'slow'", "18446744073709551615");
  CHECK_OK(ka_synchronize(test_backend()));
  CHECK_INT(p[0], 0);
}

TEST(ERROR_INVALID_GROUP_SIZE) {
  ka_backend *be = test_backend();
  ka_device_properties device;
  CHECK_OK(ka_device_info(be, 0, &device));
  int p[2] = {0};
  size_t most = (size_t)device.max_group_size;
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(2 * most), 2 * most), slow, p, 1),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("kernel 'slow'", "group", device.name);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 0);
}

TEST(ERROR_INVALID_POINTER) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 100), *q = ka_alloc(be, 200);
  memset(p, '-', 100);
  memset(q, '+', 200);
  CHECK_STATUS(ka_copy(be, p, q, 101), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy", "101 bytes", "destination", "allocation of 100 bytes");
  CHECK_STATUS(ka_free(p + 1), KA_ERROR_INVALID_POINTER);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], '-');
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_free(q));
}

TEST(ERROR_ARGUMENT_MISMATCH) {
  struct args_slow args = {NULL, 1};
  CHECK_STATUS(ka__launch(test_backend(), ka_range(1), test_kernel(K_slow), &args, 8),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("kernel 'slow'", "16 bytes", "passes 8");
}

TEST(ERROR_NO_BACKEND) {
  CHECK(!ka_backend_open("abacus"));
  CHECK_MESSAGE("\"abacus\"", "no backend of this name", "opencl");
  setenv("KA_BACKEND", "abacus", 1);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("KA_BACKEND", "\"abacus\"");
}

TEST(ERROR_NO_DEVICE) {
  ka_backend *be = test_backend();
  CHECK_STATUS(ka_set_device(be, 99), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("opencl has no device 99", "numbered from 0");
  CHECK_INT(ka_get_device(be), 0);
}

static void launch_with_content(const char *content, const char *checksum, ka_status expected) {
  struct blob metadata = write_metadata(test_kernel_specs, K_COUNT);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = content, .start = "image", .bytes = 5, .checksum = checksum},
  };
  struct written_module module;
  module_create_from(&module, test_kernel_specs, K_COUNT, write_bundle(images, 2));
  struct args_slow args = {NULL, 1};
  CHECK_STATUS(ka__launch(test_backend(), ka_range(1), &module.kernels[K_slow], &args, sizeof args),
               expected);
  module_release(&module);
  free(metadata.start);
}

TEST(ERROR_NO_IMAGE) {
  launch_with_content("ptx", NULL, KA_ERROR_NO_IMAGE);
  CHECK_MESSAGE("kernel 'slow'", "opencl", "there is: ptx", "--ka-targets=spirv");
}

TEST(ERROR_INVALID_BUNDLE) {
  launch_with_content("spirv", "0123456789abcdef", KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("kernel 'slow'", "damaged", "checksum", "compile that file again");
}

TEST(ERROR_BUILD_FAILED) {
  struct faulty_opencl *cl = faulty_opencl_load();
  int p[2] = {0};
  cl->build_log = "error: undefined symbol frob";
  fail(cl, "clBuildProgram", CL_BUILD_PROGRAM_FAILURE);
  CHECK_STATUS(LAUNCH(test_backend(), ka_range(1), slow, p, 1), KA_ERROR_BUILD_FAILED);
  CHECK_MESSAGE("kernel 'slow'", "clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE (-11)",
                "undefined symbol frob");
}

TEST(ERROR_UNSUPPORTED) {
  ka_backend *be = test_backend();
  int p[1];
  CHECK_STATUS(LAUNCH(be, ka_range(1), spare_local, p, ka_scratch((size_t)1 << 40)),
               KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("kernel 'spare_local'", "parameter 'scratch'", "1099511627776 bytes");
}

TEST(ERROR_OUT_OF_MEMORY) {
  struct faulty_opencl *cl = faulty_opencl_load();
  fail(cl, "clCreateCommandQueueWithProperties", CL_OUT_OF_HOST_MEMORY);
  CHECK_STATUS(ka_synchronize(test_backend()), KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("clCreateCommandQueueWithProperties failed: CL_OUT_OF_HOST_MEMORY (-6)");
}

TEST(ERROR_OUT_OF_DEVICE_MEMORY) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  fail(cl, "clEnqueueNDRangeKernel", CL_MEM_OBJECT_ALLOCATION_FAILURE);
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("kernel 'slow'", "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
  CHECK(!ka_alloc(be, SIZE_MAX / 2));
  CHECK_MESSAGE("ka_alloc: 9223372036854775807 bytes");
}

TEST(ERROR_DRIVER) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  fail(cl, "clEnqueueNDRangeKernel", CL_INVALID_KERNEL_ARGS);
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_DRIVER);
  CHECK_MESSAGE("kernel 'slow'", "clEnqueueNDRangeKernel failed: CL_INVALID_KERNEL_ARGS (-52)");
}

TEST(ERROR_KERNEL_FAILED) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  cl->event_status = -9999;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("kernel 'slow'", "failed while it ran", "(-9999)");
  cl->event_status = 0;
  CHECK_OK(ka_synchronize(be));
}

TEST(ERROR_KERNEL_TRAP) {
  ka_backend *be = test_backend();
  int p[2] = {0};
  CHECK_OK(LAUNCH(be, ka_range(2), picky, p, 1));
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_TRAP);
  CHECK_MESSAGE("kernel 'picky'", "picky.c:34", "an odd item");
}

static ka_status sleep_for_an_hour(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_sleep(3600000000000);
}

TEST(ERROR_CANCELLED) {
  ka_task *task = ka_spawn(NULL, sleep_for_an_hour, NULL);
  CHECK(task);
  ka_task_cancel(task);
  CHECK_STATUS(ka_task_wait(task), KA_ERROR_CANCELLED);
  CHECK_MESSAGE("cancelled");
  ka_task_release(task);
}

/* Does not compile when an error has no test above. */
TEST(every_error_has_a_test) {
#define HAS_TEST(name, text) name,
  void (*const tests[])(void) = {KA_STATUS_LIST(HAS_TEST)};
#undef HAS_TEST
  CHECK(sizeof tests / sizeof *tests >= 16);
#define HAS_TEXT(name, text) CHECK(sizeof(text) > 1);
  KA_STATUS_LIST(HAS_TEXT)
#undef HAS_TEXT
}
