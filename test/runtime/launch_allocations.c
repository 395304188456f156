/* What a launch allocates on the real backend. All of the program's allocations are counted, and
 * those made inside the driver apart: calls of the driver go through functions of this file that
 * leave a mark meanwhile. Allocations of the driver's own threads do not count. */
#include "runtime/backends/opencl/opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ---- The allocator ---- */

static _Thread_local struct {
  bool counting, in_driver;
  int by_libka, by_driver;
} count;

#ifndef SANITIZED
static void note(void) {
  if (count.counting)
    count.in_driver ? count.by_driver++ : count.by_libka++;
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

KA_API void *malloc(size_t bytes) {
  note();
  return __libc_malloc(bytes);
}

KA_API void *calloc(size_t n, size_t bytes) {
  note();
  return __libc_calloc(n, bytes);
}

KA_API void *realloc(void *p, size_t bytes) {
  note();
  return __libc_realloc(p, bytes);
}

KA_API void *aligned_alloc(size_t alignment, size_t bytes) {
  note();
  return __libc_memalign(alignment, bytes);
}

KA_API int posix_memalign(void **p, size_t alignment, size_t bytes) {
  note();
  *p = __libc_memalign(alignment, bytes);
  return *p ? 0 : ENOMEM;
}
#endif

/* ---- The driver ---- */

static struct ka__cl_functions real;

#define MARKED(call)                                                                               \
  count.in_driver = true;                                                                          \
  cl_int error = real.call;                                                                        \
  count.in_driver = false;                                                                         \
  return error

static cl_int set_argument(cl_kernel k, cl_uint i, size_t n, const void *value) {
  MARKED(clSetKernelArg(k, i, n, value));
}
static cl_int set_pointer(cl_kernel k, cl_uint i, const void *value) {
  MARKED(clSetKernelArgSVMPointer(k, i, value));
}
static cl_int enqueue(cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t *offset,
                      const size_t *global, const size_t *local, cl_uint n, const cl_event *wait,
                      cl_event *event) {
  MARKED(clEnqueueNDRangeKernel(q, k, dimensions, offset, global, local, n, wait, event));
}
static cl_int flush(cl_command_queue q) { MARKED(clFlush(q)); }
static cl_int finish(cl_command_queue q) { MARKED(clFinish(q)); }
static cl_int wait_for(cl_uint n, const cl_event *events) { MARKED(clWaitForEvents(n, events)); }
static cl_int event_info(cl_event e, cl_event_info what, size_t n, void *value, size_t *bytes) {
  MARKED(clGetEventInfo(e, what, n, value, bytes));
}
static cl_int retain(cl_event e) { MARKED(clRetainEvent(e)); }
static cl_int release(cl_event e) { MARKED(clReleaseEvent(e)); }

static void mark_driver_calls(void) {
  real = ka__cl;
  ka__cl.clSetKernelArg = set_argument;
  ka__cl.clSetKernelArgSVMPointer = set_pointer;
  ka__cl.clEnqueueNDRangeKernel = enqueue;
  ka__cl.clFlush = flush;
  ka__cl.clFinish = finish;
  ka__cl.clWaitForEvents = wait_for;
  ka__cl.clGetEventInfo = event_info;
  ka__cl.clRetainEvent = retain;
  ka__cl.clReleaseEvent = release;
}

/* ---- Launches ---- */

enum { LAUNCHES = 1000 };

static uint64_t *out;

static void launch_one(ka_backend *be) { CHECK_OK(LAUNCH(be, ka_range(1), one, out)); }
static void launch_few(ka_backend *be) { CHECK_OK(LAUNCH(be, ka_range(1), few, out, {1, 2, 3})); }
static void launch_many(ka_backend *be) { CHECK_OK(LAUNCH(be, ka_range(1), many, out, {1, 2, 3})); }
static void launch_hundreds(ka_backend *be) {
  CHECK_OK(LAUNCH(be, ka_range(1), hundreds, out, {1, 2, 3}));
}
static void launch_bundled(ka_backend *be) {
  CHECK_OK(LAUNCH(be, ka_range(1), bundled, {out, {1, 2, 3}}));
}
static void launch_spilled(ka_backend *be) {
  static struct args_spilled args;
  args.out = out;
  args.more = out;
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_spilled), &args, sizeof args));
}
static void launch_padded(ka_backend *be) {
  static float x[100], y[100];
  CHECK_OK(LAUNCH(be, ka_with_group(ka_range(99), 10), saxpy, 1.0f, x, y));
}
static void launch_by_handle(ka_backend *be) {
  ka_kernel *k = ka__kernel_of(be, test_kernel(K_few));
  uint64_t n = 1;
  CHECK_OK(ka_launch_tuple(k, ka_range(1), ka_tuple(out, n, n, n)));
  struct args_few tuple = {out, {1, 2, 3}};
  CHECK_OK(ka_launch_tuple(k, ka_range(1), &tuple, sizeof tuple));
}

static void check_allocations(const char *what, void (*launch)(ka_backend *)) {
#ifdef SANITIZED
  (void)launch, (void)mark_driver_calls;
  test_skip("%s: the sanitizer has the allocator", what);
#else
  ka_backend *be = test_backend();
  out = ka_alloc_zeroed(be, sizeof *out);
  CHECK(out);
  /* Arguments in memory take a piece for each launch that is under way: more than a queue holds. */
  static void *pieces[1500];
  for (int i = 0; i < 1500; i++)
    pieces[i] = ka_alloc(be, sizeof(struct args_spilled));
  for (int i = 0; i < 1500; i++)
    CHECK_OK(ka_free(pieces[i]));
  for (int i = 0; i < 10; i++)
    launch(be);
  CHECK_OK(ka_synchronize(be));
  mark_driver_calls();
  memset(&count, 0, sizeof count);
  /* Once without waiting, beyond what a queue holds; once waiting for each. */
  for (int wait = 0; wait < 2; wait++) {
    for (int i = 0; i < LAUNCHES * 2; i++) {
      count.counting = true;
      launch(be);
      if (wait)
        CHECK_OK(ka_synchronize(be));
      count.counting = false;
    }
    count.counting = true;
    CHECK_OK(ka_synchronize(be));
    count.counting = false;
    printf("%s, %s: %d allocations by libka, %.2f a launch by the driver\n", what,
           wait ? "waiting for each" : "many under way", count.by_libka,
           count.by_driver / (2.0 * LAUNCHES));
    count.by_driver = 0;
  }
  CHECK_INT(count.by_libka, 0);
  ka__cl = real;
#endif
}

TEST(one_argument) { check_allocations("1 argument", launch_one); }
TEST(four_arguments) { check_allocations("4 arguments", launch_few); }
TEST(forty_arguments) { check_allocations("40 arguments", launch_many); }
TEST(two_hundred_arguments) { check_allocations("200 arguments", launch_hundreds); }
TEST(a_structure_as_the_only_argument) { check_allocations("a structure", launch_bundled); }
TEST(arguments_in_memory) { check_allocations("arguments in memory", launch_spilled); }
TEST(a_range_that_groups_do_not_divide) { check_allocations("padded", launch_padded); }
TEST(a_kernel_by_its_handle) { check_allocations("by handle", launch_by_handle); }

/* The counting itself: an allocation that is libka's and one that is the driver's are seen. */
TEST(allocations_are_seen) {
#ifdef SANITIZED
  test_skip("the sanitizer has the allocator");
#else
  ka_backend *be = test_backend();
  mark_driver_calls();
  memset(&count, 0, sizeof count);
  count.counting = true;
  CHECK(ka_alloc(be, 100));
  CHECK_OK(LAUNCH(be, ka_range(1), empty, {}));
  count.counting = false;
  CHECK(count.by_libka > 0);
  CHECK(count.by_driver > 0);
  CHECK_OK(ka_synchronize(be));
#endif
}
