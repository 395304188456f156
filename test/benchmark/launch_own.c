/* launch_own PART ARGUMENTS BLOCKS: prints how many nanoseconds of a launch are libka's own.
 *
 * "core": the core over a backend whose functions do nothing. "all": with the OpenCL backend, over
 * a driver that is started and then exchanged, function by function, for one that does nothing. The
 * figure is the median of blocks of a thousand launches. It is linked with the static libka, whose
 * list of backends is replaced here. */
#include "measure.h"
#include "runtime/backends/opencl/opencl.h"
#include "touch_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, MOST_BLOCKS = 10000, ITEMS = 64, CELLS = 10 };

/* ---- A backend that does nothing ---- */

static ka_status open_backend(ka_backend *backend) {
  static struct ka__device device;
  ka__device_init(&device, backend, 0);
  device.properties = (ka_device_properties){
      .name = "empty",
      .compute_units = 1,
      .max_dimensions = 3,
      .max_group_size = 4096,
      .max_group_extent = {4096, 4096, 4096},
      .local_bytes = 1 << 16,
      .memory_bytes = 1 << 30,
      .max_alloc_bytes = 1 << 28,
      .is_cpu = true,
      .unified = true,
      .host_pointers = true,
      .fp64 = true,
  };
  backend->devices = &device;
  backend->device_count = 1;
  return KA_OK;
}

static ka_status alloc_memory(struct ka__device *device, size_t bytes, void **pointer) {
  (void)device;
  return posix_memalign(pointer, 64, bytes ? bytes : 1) == 0
             ? KA_OK
             : ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY, "no memory");
}
static void free_memory(struct ka__device *device, void *pointer) {
  (void)device;
  free(pointer);
}
static ka_status queue_create(struct ka__queue *queue) {
  (void)queue;
  return KA_OK;
}
static ka_status copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *source, size_t bytes) {
  (void)queue;
  (void)ticket;
  memcpy(destination, source, bytes);
  return KA_OK;
}
static ka_status launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *what) {
  (void)queue;
  (void)function;
  (void)what;
  return KA_OK;
}
static uint64_t poll_queue(struct ka__queue *queue) {
  (void)queue;
  return UINT64_MAX;
}
static ka_status synchronize(struct ka__queue *queue) {
  (void)queue;
  return KA_OK;
}
static ka_status program_create(struct ka__device *device, const void *image, size_t bytes,
                                const char *source, void **program) {
  (void)device;
  (void)image;
  (void)bytes;
  (void)source;
  *program = NULL;
  return KA_OK;
}
static void program_release(struct ka__device *device, void *program) {
  (void)device;
  (void)program;
}
static ka_status function_create(struct ka__function *function) {
  function->max_group_size = 4096;
  return KA_OK;
}
static void function_release(struct ka__function *function) { (void)function; }

static const struct ka__backend_table empty = {
    .name = "empty",
    .image = "spirv",
    .open = open_backend,
    .alloc = alloc_memory,
    .free = free_memory,
    .queue_create = queue_create,
    .copy = copy,
    .launch = launch,
    .poll = poll_queue,
    .synchronize = synchronize,
    .program_create = program_create,
    .program_release = program_release,
    .function_create = function_create,
    .function_release = function_release,
};

const struct ka__backend_table *const ka__backend_tables[] = {&empty, &ka__opencl_backend, NULL};

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

typedef void launcher(ka_backend *backend, ka_ndrange range, int *const cells[CELLS]);

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
  launch_touch(backend, range, cells);
  KA_CHECK(ka_synchronize(backend));
  if (silent)
    silence_driver();

  static double times[MOST_BLOCKS];
  for (int b = 0; b < blocks; ++b) {
    double start = measure_now();
    for (int i = 0; i < BLOCK; ++i)
      launch_touch(backend, range, cells);
    times[b] = 1e9 / BLOCK * (measure_now() - start);
    KA_CHECK(ka_synchronize(backend));
  }
  printf("%.2f\n", measure_quantile(times, blocks, 0.5));
  fflush(stdout);
  /* The queues' ends, as libka believes, have nothing to do with the driver any more. */
  _Exit(0);
}
