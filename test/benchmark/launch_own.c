/* launch_own PART ARGUMENTS BLOCKS: prints how many nanoseconds of a launch are libka's own.
 *
 * "core": the core over a backend whose functions do nothing. "all": with the OpenCL backend, over
 * a driver that is started and then exchanged, function by function, for one that does nothing. The
 * figure is the median of blocks of a thousand launches. It is linked with the static libka, whose
 * list of backends is replaced here. */
#include "measure.h"
#include "runtime/backends/opencl/opencl.h"
#include "test/runtime/support/empty_backend.h"
#include "touch_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, MOST_BLOCKS = 10000, ITEMS = 64, CELLS = 10 };

const struct ka__backend_table *const ka__backend_tables[] = {&empty_backend, &ka__opencl_backend,
                                                              NULL};

/* ---- A driver that does nothing ---- */

static __typeof__(&clEnqueueNDRangeKernel) real_enqueue;
/* Of a launch that the real driver has completed: whatever is asked of an event finds a real one.
 */
static cl_event completed;

static cl_int enqueue_and_keep(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                               const size_t *offset, const size_t *size, const size_t *group,
                               cl_uint wait_count, const cl_event *wait, cl_event *event) {
  cl_event own = NULL;
  cl_int error =
      real_enqueue(queue, kernel, dimensions, offset, size, group, wait_count, wait, &own);
  if (error == CL_SUCCESS) {
    ka__cl.clRetainEvent(own);
    completed = own;
    if (event)
      *event = own;
    else
      ka__cl.clReleaseEvent(own);
  }
  return error;
}

static cl_int no_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                         const size_t *offset, const size_t *size, const size_t *group,
                         cl_uint wait_count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)size, (void)group;
  (void)wait_count, (void)wait;
  if (event)
    *event = completed;
  return CL_SUCCESS;
}
static cl_int no_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  (void)kernel, (void)index, (void)bytes, (void)value;
  return CL_SUCCESS;
}
static cl_int no_pointer(cl_kernel kernel, cl_uint index, const void *value) {
  (void)kernel, (void)index, (void)value;
  return CL_SUCCESS;
}
static cl_int no_queue_call(cl_command_queue queue) {
  (void)queue;
  return CL_SUCCESS;
}
static cl_int no_event_call(cl_event event) {
  (void)event;
  return CL_SUCCESS;
}
static cl_int say_completed(cl_event event, cl_event_info what, size_t bytes, void *value,
                            size_t *written) {
  (void)event, (void)what, (void)bytes, (void)written;
  *(cl_int *)value = CL_COMPLETE;
  return CL_SUCCESS;
}

static void silence_driver(void) {
  ka__cl.clEnqueueNDRangeKernel = no_enqueue;
  ka__cl.clSetKernelArg = no_argument;
  ka__cl.clSetKernelArgSVMPointer = no_pointer;
  ka__cl.clFlush = no_queue_call;
  ka__cl.clFinish = no_queue_call;
  ka__cl.clRetainEvent = no_event_call;
  ka__cl.clReleaseEvent = no_event_call;
  ka__cl.clGetEventInfo = say_completed;
}

/* ---- */

static ka_backend *open_part(const char *part) {
  ka_backend *backend = ka_backend_open(strcmp(part, "core") == 0 ? "empty" : "opencl");
  if (!backend) {
    fprintf(stderr, "launch_own: %s\n", ka_error_message());
    exit(1);
  }
  return backend;
}

typedef void launcher(ka_backend *backend, ka_ndrange range, int *const cells[CELLS], int turn);

static launcher *launcher_of(const char *arguments) {
  return strcmp(arguments, "4") == 0    ? launch_touch_4
         : strcmp(arguments, "40") == 0 ? launch_touch_40
                                        : launch_touch_200;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: launch_own core|all 4|40|200 BLOCKS\n");
    return 1;
  }
  launcher *launch_touch = launcher_of(argv[2]);
  int blocks = (int)strtol(argv[3], NULL, 10);
  blocks = blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks;
  ka_backend *backend = open_part(argv[1]);
  int *cells[CELLS];
  for (int c = 0; c < CELLS; ++c)
    if (!(cells[c] = ka_alloc_zeroed(backend, ITEMS * sizeof(int)))) {
      fprintf(stderr, "launch_own: %s\n", ka_error_message());
      return 1;
    }
  ka_ndrange range = ka_with_group(ka_range(ITEMS), ITEMS);
  bool silent = strcmp(argv[1], "core") != 0;
  if (silent) {
    real_enqueue = ka__cl.clEnqueueNDRangeKernel;
    ka__cl.clEnqueueNDRangeKernel = enqueue_and_keep;
  }
  launch_touch(backend, range, cells, 0);
  KA_CHECK(ka_synchronize(backend));
  if (silent)
    silence_driver();

  static double times[MOST_BLOCKS];
  for (int b = 0; b < blocks; ++b) {
    double start = measure_now();
    for (int i = 0; i < BLOCK; ++i)
      launch_touch(backend, range, cells, 0);
    times[b] = 1e9 / BLOCK * (measure_now() - start);
    KA_CHECK(ka_synchronize(backend));
  }
  printf("%.2f\n", measure_quantile(times, blocks, 0.5));
  fflush(stdout);
  /* The queues' ends, as libka believes, have nothing to do with the driver any more. */
  _Exit(0);
}
