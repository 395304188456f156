/* What the OpenCL driver refuses, by a loader that fails on demand, and devices poorer than PoCL's.
 */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <sched.h>
#include <stdlib.h>

static void fail(struct faulty_opencl *control, const char *call, int error) {
  control->call = call;
  control->error = error;
}

/* The backend with a device that shares buffers with the host, but not the host's own memory. */
static ka_backend *buffers_only(struct faulty_opencl **cl) {
  *cl = faulty_opencl_load();
  (*cl)->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  CHECK(p.unified);
  CHECK(!p.host_pointers);
  return be;
}

TEST(no_platforms) {
  struct faulty_opencl *cl = faulty_opencl_load();
  fail(cl, "clGetPlatformIDs", CL_OUT_OF_HOST_MEMORY);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("clGetPlatformIDs failed", "CL_OUT_OF_HOST_MEMORY (-6)");
}

TEST(no_devices) {
  struct faulty_opencl *cl = faulty_opencl_load();
  fail(cl, "clGetDeviceIDs", CL_DEVICE_NOT_FOUND);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("no device that ka can use", "Portable Computing Language", "has no device",
                "install");
  fail(cl, "clGetDeviceIDs", CL_OUT_OF_RESOURCES);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("clGetDeviceIDs failed: CL_OUT_OF_RESOURCES (-5)");
}

TEST(a_device_without_spirv) {
  struct faulty_opencl *cl = faulty_opencl_load();
  cl->il = "";
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("no device that ka can use", "takes no SPIR-V");
}

TEST(a_device_without_shared_memory) {
  struct faulty_opencl *cl = faulty_opencl_load();
  cl->svm = CL_DEVICE_SVM_ATOMICS; /* none of those that say there is some */
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("has no shared virtual memory");
}

TEST(no_context) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  fail(cl, "clCreateContext", CL_DEVICE_NOT_AVAILABLE);
  CHECK(!ka_alloc(be, 10));
  CHECK_MESSAGE("clCreateContext failed: CL_DEVICE_NOT_AVAILABLE (-2)");
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_NO_DEVICE);
  cl->call = NULL;
  CHECK_OK(ka_synchronize(be));
}

TEST(no_queue) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  fail(cl, "clCreateCommandQueueWithProperties", CL_OUT_OF_HOST_MEMORY);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("clCreateCommandQueueWithProperties failed: CL_OUT_OF_HOST_MEMORY (-6)");
  cl->call = NULL;
  CHECK_OK(ka_synchronize(be));
}

TEST(a_build_that_fails_shows_the_log) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  static char log[5000];
  memset(log, 'w', sizeof log - 1);
  memcpy(log, "error: line 3: undefined symbol frob", 36);
  cl->build_log = log;
  fail(cl, "clBuildProgram", CL_BUILD_PROGRAM_FAILURE);
  int p[2] = {0};
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_BUILD_FAILED);
  CHECK_MESSAGE("'slow'", "written.c", "clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE (-11)",
                log);
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_BUILD_FAILED);
  cl->call = NULL;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
}

TEST(calls_of_a_first_launch_fail) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  static const struct {
    const char *call;
    int error;
    ka_status status;
    const char *text;
  } cases[] = {
      {"clCreateProgramWithIL", CL_INVALID_VALUE, KA_ERROR_DRIVER, "CL_INVALID_VALUE (-30)"},
      {"clCreateProgramWithIL", CL_INVALID_BINARY, KA_ERROR_BUILD_FAILED, "CL_INVALID_BINARY"},
      {"clCreateKernel", CL_INVALID_KERNEL_DEFINITION, KA_ERROR_DRIVER,
       "CL_INVALID_KERNEL_DEFINITION"},
      {"clGetKernelWorkGroupInfo", CL_OUT_OF_HOST_MEMORY, KA_ERROR_OUT_OF_MEMORY,
       "CL_OUT_OF_HOST_MEMORY"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fail(cl, cases[i].call, cases[i].error);
    CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, NULL, NULL), cases[i].status);
    CHECK_MESSAGE("kernel 'saxpy'", "written.c", cases[i].call, "failed", cases[i].text);
  }
  cl->call = NULL;
  float x = 1, y = 1;
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  CHECK_OK(ka_synchronize(be));
}

TEST(calls_of_a_launch_fail) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  float x = 1, y = 1;
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  CHECK_OK(ka_synchronize(be));
  fail(cl, "clSetKernelArg", CL_INVALID_ARG_SIZE);
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 2.0f, &x, &y), KA_ERROR_DRIVER);
  CHECK_MESSAGE("kernel 'saxpy', parameter 'a'",
                "clSetKernelArg failed: CL_INVALID_ARG_SIZE (-51)");
  fail(cl, "clSetKernelArgSVMPointer", CL_INVALID_ARG_VALUE);
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y), KA_ERROR_DRIVER);
  CHECK_MESSAGE("kernel 'saxpy', parameter 'x'", "clSetKernelArgSVMPointer failed");
  fail(cl, "clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES);
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("kernel 'saxpy'", "clEnqueueNDRangeKernel failed: CL_OUT_OF_RESOURCES (-5)");
  fail(cl, "clEnqueueNDRangeKernel", -9999);
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y), KA_ERROR_DRIVER);
  CHECK_MESSAGE("an unknown OpenCL error (-9999)");
  cl->call = NULL;
  /* The failures left nothing behind. */
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(y, 3);
}

/* A kernel object keeps its arguments, so those that stay are not set again; after a failure nobody
 * knows which it has. */
TEST(arguments_that_stay_are_not_set_again) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  float x = 1, y = 0, z = 0;
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  fail(cl, "clSetKernelArg", CL_INVALID_ARG_SIZE);
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &z));
  fail(cl, "clSetKernelArgSVMPointer", CL_INVALID_ARG_VALUE);
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 4.0f, &x, &z));
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 8.0f, &z, &z), KA_ERROR_DRIVER);
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 8.0f, &x, &z), KA_ERROR_DRIVER);
  cl->call = NULL;
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 8.0f, &x, &z));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(y, 2);
  CHECK_INT(z, 13);
}

/* What memory an address means may be looked up when the argument is set. */
TEST(pointers_to_buffers_are_always_set) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  float *x = ka_alloc(be, sizeof *x), *y = ka_alloc(be, sizeof *y);
  *x = 1, *y = 0;
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, x, y));
  fail(cl, "clSetKernelArgSVMPointer", CL_INVALID_ARG_VALUE);
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, x, y), KA_ERROR_DRIVER);
  cl->call = NULL;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*y, 1);
  CHECK_OK(ka_free(x));
  CHECK_OK(ka_free(y));
}

/* A driver may take more arguments than it promises; when it does not, the error says so. */
TEST(more_arguments_than_the_device_promises) {
  struct faulty_opencl *cl = faulty_opencl_load();
  static const size_t promised = 1024;
  static const struct faulty_answer answers[] = {
      {CL_DEVICE_MAX_PARAMETER_SIZE, &promised, sizeof promised, 0}, {0, NULL, 0, 0}};
  cl->answers = answers;
  ka_backend *be = test_backend();
  static uint64_t sum;
  static struct args_blocks args;
  args.out = &sum;
  args.b[5].a[5] = 55;
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_blocks), &args, sizeof args));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(sum, 55);
  static const char *const calls[] = {"clSetKernelArg", "clEnqueueNDRangeKernel"};
  for (int i = 0; i < 2; i++) {
    fail(cl, calls[i], CL_INVALID_ARG_SIZE);
    args.b[0].a[0]++;
    CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_blocks), &args, sizeof args),
                 KA_ERROR_DRIVER);
    CHECK_MESSAGE("kernel 'blocks'", calls[i], "CL_INVALID_ARG_SIZE (-51)", "4104 bytes",
                  "promises to take 1024", "ka_alloc()");
    CHECK_STATUS(LAUNCH(be, ka_range(1), few, &sum, {1, 2, 3}), KA_ERROR_DRIVER);
    CHECK(!strstr(ka_error_message(), "1024"));
  }
}

TEST(copies_and_fills_fail) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  static int a[50000], b[50000]; /* too much to be done at once */
  fail(cl, "clEnqueueSVMMemcpy", CL_OUT_OF_RESOURCES);
  CHECK_STATUS(ka_copy(be, a, b, sizeof a), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("copy of 200000 bytes", "clEnqueueSVMMemcpy failed: CL_OUT_OF_RESOURCES");
  fail(cl, "clEnqueueNativeKernel", CL_OUT_OF_HOST_MEMORY);
  CHECK_STATUS(ka_fill(be, a, b, 4, 50000), KA_ERROR_OUT_OF_MEMORY);
  CHECK_MESSAGE("fill of 200000 bytes", "clEnqueueNativeKernel failed");
}

TEST(copies_more_than_4_gib) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  cl->swallow_copies = 1;
  size_t bytes = ((size_t)5 << 30) + 3;
  char a = 1, b = 2;
  /* Too far apart to overlap; only their first byte is touched. */
  char *from = &a, *to = malloc(1);
  CHECK((size_t)(from > to ? from - to : to - from) > bytes);
  *to = b;
  CHECK_OK(ka_copy(be, to, from, bytes));
  CHECK_OK(ka_synchronize(be));
  CHECK(cl->copied == bytes);
  CHECK_INT(*to, 1);
  free(to);
}

TEST(waiting_fails) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  CHECK_OK(ka_synchronize(be));
  fail(cl, "clFinish", CL_OUT_OF_RESOURCES);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("clFinish failed: CL_OUT_OF_RESOURCES (-5)");
  cl->call = NULL;
  CHECK_OK(ka_synchronize(be));
}

/* While events do not say that anything has completed and waiting fails, launches must fail as soon
 * as the queue is full, and memory must stay. */
TEST(waiting_for_a_full_queue_fails) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p), *q = ka_alloc_zeroed(be, 2 * sizeof *q);
  cl->event_status = CL_RUNNING;
  fail(cl, "clWaitForEvents", CL_OUT_OF_RESOURCES);
  int launches = 0;
  while (launches < 10000 && LAUNCH(be, ka_range(1), slow, p, 1) == KA_OK)
    launches++;
  CHECK_INT(launches, 1024);
  CHECK_MESSAGE("kernel 'slow'", "the queue is full",
                "clWaitForEvents failed: CL_OUT_OF_RESOURCES (-5)");
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_STATUS(ka_copy(be, q, p, sizeof *q), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("ka_copy", "the queue is full", "clWaitForEvents failed");
  CHECK_STATUS(ka_fill(be, q, p, sizeof *q, 1), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("ka_fill", "the queue is full", "clWaitForEvents failed");
  int frees = cl->svm_frees;
  CHECK_OK(ka_free(p));
  CHECK_INT(cl->svm_frees, frees);
  cl->call = NULL;
  cl->event_status = 0;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, q, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(cl->svm_frees, frees + 1);
}

/* Events that lag behind what waiting says: many times more operations than are remembered. */
TEST(events_lag_behind) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  cl->event_status = CL_RUNNING;
  for (int i = 0; i < 9000; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  cl->event_status = 0;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 9000);
  CHECK_INT(cl->releases, 9000);
}

/* A program that launches much before it waits does not gather an event for each launch: of kernels
 * with two arguments each 107th looks which have completed (LOOK_AFTER in backends/opencl/queue.c).
 */
TEST(events_are_let_go_of_between_launches) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  for (int i = 1; i <= 250; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
    /* Who has begun says that the events of all before have completed. */
    while (__atomic_load_n(&p[0], __ATOMIC_ACQUIRE) != i)
      sched_yield();
    CHECK(cl->live.events <= 110);
  }
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(cl->live.events, 0);
}

TEST(a_kernel_that_fails_is_reported_once) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  int p[2] = {0};
  float x = 1, y = 1;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, &x, &y));
  cl->event_status = -9999;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("kernel 'slow'", "failed while it ran", "(-9999)"); /* the first of the two */
  cl->event_status = 0;
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
}

TEST(the_name_of_a_kernel_that_fails_outlives_its_module) {
  struct faulty_opencl *cl = faulty_opencl_load();
  ka_backend *be = test_backend();
  struct kernel_spec spec = test_kernel_specs[K_slow];
  char name[] = "a_kernel_with_a_name_so_long_that_not_all_of_it_is_kept_to_the_end";
  spec.name = name;
  spec.symbol = "slow";
  struct written_module module;
  module_create(&module, &spec, 1, test_spirv, (size_t)(test_spirv_end - test_spirv));
  int p[2] = {0};
  struct args_slow args = {p, 1};
  CHECK_OK(ka__launch(be, ka_range(1), module.kernels, &args, sizeof args));
  module_release(&module);
  cl->event_status = -9999;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_KERNEL_FAILED);
  CHECK_MESSAGE("kernel 'a_kernel_with_a_name_so_long_that_not_all_of_it_is_kept'");
}

/* ---- A device that shares buffers with the host, but not the host's own memory ---- */

TEST(buffers_are_svm) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  float *x = ka_alloc(be, 1000 * sizeof *x), *y = ka_alloc_zeroed(be, 1000 * sizeof *y);
  CHECK(x && y);
  CHECK_INT(cl->svm_allocs, 2);
  for (int i = 0; i < 1000; i++)
    x[i] = (float)i;
  CHECK_OK(LAUNCH(be, ka_range(999), saxpy, 2.0f, x, y));
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 2.0f, x + 999, y + 999));
  CHECK_OK(ka_free(x));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(cl->svm_frees, 1);
  for (int i = 0; i < 1000; i++)
    CHECK_INT(y[i], 2 * i);
}

TEST(a_pointer_to_the_end_of_a_buffer_is_legal) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  int *out = ka_alloc(be, sizeof *out), *p = ka_alloc(be, 10 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), is_null, out, p + 10));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*out, 0);
  CHECK_STATUS(LAUNCH(be, ka_range(1), is_null, out, (int *)((char *)(p + 10) + 1)),
               KA_ERROR_INVALID_POINTER);
}

TEST(fills_of_buffers) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  enum { BYTES = 4096 };
  unsigned char *p = ka_alloc_zeroed(be, BYTES), value[200], host[8] = {0};
  for (size_t i = 0; i < sizeof value; i++)
    value[i] = (unsigned char)(i + 1);
  static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 128, 200};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t at = 0; at < 3; at++) {
      size_t n = sizes[s], count = 1000 / n;
      int fills = cl->fills;
      memset(p, 0, BYTES);
      CHECK_OK(ka_fill(be, p + at, value, n, count));
      CHECK_OK(ka_synchronize(be));
      for (size_t i = 0; i < n * count; i++)
        CHECK_INT(p[at + i], value[i % n]);
      CHECK_INT(p[at + n * count], 0);
      bool by_driver = n != 3 && n != 12 && n != 200 && at % n == 0;
      CHECK_INT(cl->fills - fills, by_driver);
    }
  int fills = cl->fills; /* the driver's own fill takes no memory of the host */
  CHECK_OK(ka_fill(be, host, value, 1, 7));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 8; i++)
    CHECK_INT(host[i], i < 7 ? value[0] : 0);
  CHECK_INT(cl->fills, fills);
}

TEST(host_memory_is_refused_by_name) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  float *x = ka_alloc(be, 40), host[10] = {0};
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  CHECK_STATUS(LAUNCH(be, ka_range(10), saxpy, 1.0f, x, host), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'saxpy', parameter 'y'", "host memory", p.name, "ka_alloc", "ka_copy");
  CHECK_STATUS(LAUNCH(be, ka_range(10), saxpy, 1.0f, host, x), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'x'");
  int in_host[4];
  struct args_add_pair args = {{(int *)(void *)x, {in_host}, 1}};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'add_pair', parameter 'pair.in.q'");
  args = (struct args_add_pair){{in_host, {(int *)(void *)x}, 1}};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'pair.p'");
}

TEST(host_memory_may_be_copied) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  int host[100], back[100], *p = ka_alloc(be, sizeof host);
  for (int i = 0; i < 100; i++)
    host[i] = i * i;
  CHECK_OK(ka_copy(be, p, host, sizeof host));
  CHECK_OK(ka_copy(be, back, p, sizeof host));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(memcmp(host, back, sizeof host), 0);
}

TEST(pointers_inside_structs_are_declared) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  struct args_add_pair args = {{ka_alloc_zeroed(be, 40), {ka_alloc_zeroed(be, 40)}, 10}};
  args.pair.in.q[3] = 4;
  CHECK_OK(ka__launch(be, ka_range(10), test_kernel(K_add_pair), &args, sizeof args));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(args.pair.p[3], 4);
  CHECK_INT(cl->indirect, 2 * sizeof(void *));
}

TEST(pointers_inside_structs_may_all_be_null) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  struct args_add_pair args = {{NULL, {NULL}, 0}};
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args));
    CHECK_INT(cl->indirect, sizeof(void *));
  }
  CHECK_INT(cl->svm_allocs, 1);
  CHECK_OK(ka_synchronize(be));
}

/* The kernel stores where the buffer is that its mailbox leads to. */
TEST(the_print_buffer_is_declared) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  uintptr_t *buffer = ka_alloc_zeroed(be, sizeof *buffer);
  CHECK(buffer);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), says, buffer));
    CHECK_OK(ka_synchronize(be));
    CHECK(*buffer);
    CHECK_INT(cl->indirect, sizeof(void *));
    CHECK((uintptr_t)cl->last_indirect == *buffer);
  }
}

TEST(memory_of_another_device_is_refused) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  CHECK_INT(ka_num_devices(be), 2);
  float *x = ka_alloc(be, 40);
  CHECK_OK(ka_set_device(be, 1));
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, x, NULL), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'saxpy', parameter 'x'", "allocated on device 0", "on device 1",
                "ka_set_device", "ka_copy");
}

TEST(memory_of_a_failed_launch_is_freed) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  fail(cl, "clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES);
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_OK(ka_free(p));
  CHECK_INT(cl->svm_frees, 1);
}

TEST(a_fill_that_fails_says_how_many_bytes) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  char *p = ka_alloc(be, 100);
  fail(cl, "clEnqueueSVMMemFill", CL_OUT_OF_RESOURCES);
  CHECK_STATUS(ka_fill(be, p, "aaaa", 4, 4), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("fill of 16 bytes", "clEnqueueSVMMemFill failed");
}

static struct {
  struct faulty_opencl *cl;
  ka_backend *be;
  int *p;
} ending;

/* Runs after libka's own exit function. */
static void use_at_exit(void) {
  struct faulty_opencl *cl = ending.cl;
  int allocs = cl->svm_allocs, frees = cl->svm_frees;
  fail(cl, "clFinish", CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(LAUNCH(ending.be, ka_range(1), slow, ending.p, 1), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("the program is ending");
  CHECK_STATUS(ka_copy(ending.be, ending.p, ending.p + 1, 4), KA_ERROR_NO_DEVICE);
  CHECK_STATUS(ka_synchronize(ending.be), KA_ERROR_NO_DEVICE);
  CHECK(!ka_alloc(ending.be, 10));
  CHECK_MESSAGE("the program is ending");
  CHECK_OK(ka_free(ending.p));
  CHECK_INT(cl->svm_allocs, allocs);
  CHECK_INT(cl->svm_frees, frees);
  CHECK_INT(ending.p[0], 1);
}

TEST(the_driver_is_left_alone_when_the_program_has_ended) {
  atexit(use_at_exit);
  ending.be = buffers_only(&ending.cl);
  ending.p = ka_alloc_zeroed(ending.be, 2 * sizeof *ending.p);
  CHECK_OK(LAUNCH(ending.be, ka_range(1), slow, ending.p, 1));
}

TEST(svm_runs_out) {
  struct faulty_opencl *cl;
  ka_backend *be = buffers_only(&cl);
  fail(cl, "clSVMAlloc", 0);
  CHECK(!ka_alloc(be, 100));
  CHECK_MESSAGE("ka_alloc", "100 bytes", "clSVMAlloc failed");
}
