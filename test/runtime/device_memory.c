/* Devices whose memory the host does not reach: PoCL's, behind a loader that pretends it. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <stdlib.h>

static struct faulty_opencl *cl;

/* The backend with a device that has only coarse-grained shared memory. */
static ka_backend *coarse_grained(void) {
  cl = faulty_opencl_load();
  cl->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  CHECK(!p.unified);
  CHECK(!p.host_pointers);
  return be;
}

TEST(unified_memory_is_refused) {
  ka_backend *be = coarse_grained();
  CHECK(!ka_alloc(be, 10));
  CHECK_MESSAGE("ka_alloc: device '", "no memory that the host can use", "ka_alloc_device");
  CHECK(!ka_alloc_zeroed(be, 10));
  CHECK_MESSAGE("ka_alloc_zeroed", "ka_alloc_device");
  CHECK_INT(cl->svm_allocs, 0);
}

TEST(memory_is_of_coarse_grain) {
  ka_backend *be = coarse_grained();
  char *p = ka_alloc_device(be, 100);
  CHECK(p);
  CHECK_INT(cl->svm_allocs, 1);
  CHECK(!(cl->svm_flags & CL_MEM_SVM_FINE_GRAIN_BUFFER));
  CHECK_INT(ka_memory_kind_of(p), KA_MEMORY_DEVICE);
  CHECK_INT(ka_memory_kind_of(p + 99), KA_MEMORY_DEVICE);
  CHECK(ka_backend_of(p) == be);
  CHECK_OK(ka_free(p));
  CHECK_INT(cl->svm_frees, 1);
}

TEST(a_program_runs_with_copies) {
  ka_backend *be = coarse_grained();
  enum { N = 1003 };
  static float x[N], y[N];
  float *dx = ka_alloc_device(be, sizeof x), *dy = ka_alloc_device(be, sizeof y), one = 1;
  CHECK(dx && dy);
  for (int i = 0; i < N; i++)
    x[i] = (float)i;
  CHECK_OK(ka_copy(be, dx, x, sizeof x));
  CHECK_OK(ka_fill(be, dy, &one, sizeof one, N));
  CHECK_OK(LAUNCH(be, ka_range(N), saxpy, 2.0f, dx, dy));
  CHECK_OK(ka_copy(be, y, dy, sizeof y));
  CHECK_OK(ka_free(dx));
  CHECK_OK(ka_free(dy));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < N; i++)
    CHECK_INT(y[i], 1 + 2 * i);
}

/* Sizes and alignments that the driver has a fill for, and others. */
TEST(fills_with_any_value) {
  ka_backend *be = coarse_grained();
  enum { BYTES = 2000 };
  static const size_t sizes[] = {1, 3, 4, 12, 128, 200};
  static unsigned char value[200], back[BYTES];
  char *p = ka_alloc_device(be, BYTES);
  for (size_t i = 0; i < sizeof value; i++)
    value[i] = (unsigned char)(i + 1);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t at = 0; at < 2; at++) {
      size_t n = sizes[s], count = 1000 / n, zero = 0;
      CHECK_OK(ka_fill(be, p, &zero, 1, BYTES));
      CHECK_OK(ka_fill(be, p + at, value, n, count));
      CHECK_OK(ka_copy(be, back, p, BYTES));
      CHECK_OK(ka_synchronize(be));
      for (size_t i = 0; i < BYTES; i++)
        CHECK_INT(back[i], i < at || i >= at + n * count ? 0 : value[(i - at) % n]);
    }
}

TEST(pointers_inside_structs_reach_it) {
  ka_backend *be = coarse_grained();
  int host[10];
  for (int i = 0; i < 10; i++)
    host[i] = i;
  struct args_add_pair args = {{ka_alloc_device(be, 40), {ka_alloc_device(be, 40)}, 10}};
  CHECK_OK(ka_copy(be, args.pair.p, host, sizeof host));
  CHECK_OK(ka_copy(be, args.pair.in.q, host, sizeof host));
  CHECK_OK(ka__launch(be, ka_range(10), test_kernel(K_add_pair), &args, sizeof args));
  CHECK_OK(ka_copy(be, host, args.pair.p, sizeof host));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 10; i++)
    CHECK_INT(host[i], 2 * i);
}

/* More arguments than devices take, of many launches; pointers among them. */
TEST(arguments_in_memory_reach_it) {
  ka_backend *be = coarse_grained();
  uint64_t host[2] = {0, 1000}, sum = 0;
  static struct args_spilled args;
  args.out = ka_alloc_device(be, sizeof host);
  args.more = args.out + 1;
  CHECK_OK(ka_copy(be, args.out, host, sizeof host));
  for (uint64_t i = 0; i < 100; i++) {
    args.b[i % 32].a[i % 8] = i;
    sum += 1000;
    for (int b = 0; b < 32; b++)
      for (int a = 0; a < 8; a++)
        sum += args.b[b].a[a];
    CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_spilled), &args, sizeof args));
  }
  CHECK_OK(ka_copy(be, host, args.out, sizeof host));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(host[0], sum);
}

TEST(running_out_leaves_room_for_less) {
  ka_backend *be = coarse_grained();
  cl->svm_most = 1000;
  CHECK(!ka_alloc_device(be, 1001));
  CHECK_MESSAGE("ka_alloc_device", "1001 bytes", "clSVMAlloc failed");
  char *p = ka_alloc_device(be, 1000);
  CHECK(p);
  CHECK_OK(ka_free(p));
}

TEST(memory_of_another_device_is_refused) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  ka_backend *be = coarse_grained();
  CHECK_INT(ka_num_devices(be), 2);
  char *p = ka_alloc_device(be, 100), host[100] = {0};
  CHECK_OK(ka_set_device(be, 1));
  CHECK_STATUS(ka_copy(be, host, p, 100), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the source", "allocated on device 0", "device is 1", "ka_set_device");
  CHECK_STATUS(ka_copy(be, p, host, 100), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the destination");
  CHECK_STATUS(ka_fill(be, p, host, 1, 100), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_fill: the destination");
  CHECK_OK(ka_set_device(be, 0));
  CHECK_OK(ka_copy(be, host, p, 100));
  CHECK_OK(ka_synchronize(be));
}

/* Every kind of memory that is not ka's, as an argument of its own and inside a structure. */
TEST(host_memory_is_refused_by_path) {
  ka_backend *be = coarse_grained();
  static int in_static[4];
  static const int in_const[4] = {1, 2, 3, 4};
  int on_stack[4] = {0}, *on_heap = malloc(16), *good = ka_alloc_device(be, 16);
  int *const cases[] = {in_static, (int *)in_const, on_stack, on_heap};
  for (int i = 0; i < 4; i++) {
    CHECK_STATUS(LAUNCH(be, ka_range(1), slow, cases[i], 1), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("kernel 'slow', parameter 'p'", "host memory", "ka_alloc", "ka_copy");
    struct args_add_pair args = {{good, {cases[i]}, 1}};
    CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args),
                 KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("kernel 'add_pair', parameter 'pair.in.q'", "host memory", "ka_copy");
  }
  free(on_heap);
}

TEST(freed_memory_is_told_from_memory_of_the_host) {
  setenv("KA_CHECK", "1", 1);
  ka_backend *be = coarse_grained();
  int *p = ka_alloc_device(be, 100), *q = ka_alloc_device(be, 100), host[10] = {0};
  CHECK_OK(ka_free(p));
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p + 1, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'slow', parameter 'p'", "points 4 bytes into an allocation of 100 bytes",
                "freed");
  struct args_add_pair args = {{q, {p}, 1}};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'pair.in.q'", "freed");
  CHECK_STATUS(ka_copy(be, host, p, 40), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the source", "freed");
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, host, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("host memory");
}

TEST(sources_of_copies_are_watched) {
  setenv("KA_CHECK", "1", 1);
  ka_backend *be = coarse_grained();
  int *p = ka_alloc_device(be, 40), host[10] = {0};
  CHECK_OK(ka_copy(be, p, host, sizeof host));
  host[9] = 1;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy of 40 bytes", "the source was changed");
}

/* What was not copied cannot be changed too early. */
TEST(the_source_of_a_copy_that_failed_is_not_watched) {
  setenv("KA_CHECK", "1", 1);
  ka_backend *be = coarse_grained();
  int *p = ka_alloc_device(be, 40), host[10] = {0};
  cl->call = "clEnqueueSVMMemcpy";
  cl->error = CL_OUT_OF_RESOURCES;
  CHECK_STATUS(ka_copy(be, p, host, sizeof host), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  cl->call = NULL;
  host[9] = 1;
  CHECK_OK(ka_synchronize(be));
}
