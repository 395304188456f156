/* The OpenCL backend: any device that takes SPIR-V and has shared virtual memory.
 *
 * Nothing links with OpenCL: the ICD loader is opened at run time, so that a machine without it
 * gets a message from libka and not an error from the dynamic linker. The headers of OpenCL serve
 * for types only. */
#ifndef KA_RUNTIME_BACKENDS_OPENCL_OPENCL_H
#define KA_RUNTIME_BACKENDS_OPENCL_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#include "runtime/backends/backend.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

extern const struct ka__backend_table ka__opencl_backend;

/* ---- loader.c: the functions of OpenCL that are used ---- */

#define KA__CL_FUNCTIONS(X)                                                                        \
  X(clGetPlatformIDs)                                                                              \
  X(clGetPlatformInfo)                                                                             \
  X(clGetDeviceIDs)                                                                                \
  X(clGetDeviceInfo)                                                                               \
  X(clGetDeviceAndHostTimer)                                                                       \
  X(clCreateContext)                                                                               \
  X(clCreateCommandQueueWithProperties)                                                            \
  X(clReleaseCommandQueue)                                                                         \
  X(clSVMAlloc)                                                                                    \
  X(clSVMFree)                                                                                     \
  X(clEnqueueSVMMemcpy)                                                                            \
  X(clEnqueueSVMMemFill)                                                                           \
  X(clEnqueueNativeKernel)                                                                         \
  X(clCreateProgramWithIL)                                                                         \
  X(clBuildProgram)                                                                                \
  X(clGetProgramBuildInfo)                                                                         \
  X(clReleaseProgram)                                                                              \
  X(clCreateKernel)                                                                                \
  X(clReleaseKernel)                                                                               \
  X(clGetKernelWorkGroupInfo)                                                                      \
  X(clSetKernelArg)                                                                                \
  X(clSetKernelArgSVMPointer)                                                                      \
  X(clSetKernelExecInfo)                                                                           \
  X(clEnqueueNDRangeKernel)                                                                        \
  X(clEnqueueBarrierWithWaitList)                                                                  \
  X(clFlush)                                                                                       \
  X(clFinish)                                                                                      \
  X(clSetEventCallback)                                                                            \
  X(clWaitForEvents)                                                                               \
  X(clGetEventInfo)                                                                                \
  X(clGetEventProfilingInfo)                                                                       \
  X(clRetainEvent)                                                                                 \
  X(clReleaseEvent)

struct ka__cl_functions {
#define KA__CL_MEMBER(name) __typeof__(&name) name;
  KA__CL_FUNCTIONS(KA__CL_MEMBER)
#undef KA__CL_MEMBER
};

/* Filled in by ka__cl_load. */
extern struct ka__cl_functions ka__cl;

ka_status ka__cl_load(void);

/* What to install when OpenCL or a driver for it is missing. */
#define KA__CL_INSTALL                                                                             \
  "install an OpenCL driver that takes SPIR-V and the ICD loader (Debian, Ubuntu: "                \
  "pocl-opencl-icd, ocl-icd-libopencl1)"

/* ---- error.c ---- */

/* The name of an OpenCL error; "an unknown OpenCL error" for others. */
const char *ka__cl_error_name(cl_int error);

/* Makes the text "<what>: <call> failed: <name> (<number>)" and returns the status that fits. */
__attribute__((format(printf, 3, 4))) ka_status ka__cl_fail(cl_int error, const char *call,
                                                            const char *what, ...);

/* ---- pocl.c ---- */

/* Prepares what the platform of this name wants prepared before programs are built, and returns the
 * options for building them. May set variables of the environment. */
const char *ka__cl_platform_options(const char *platform);

/* Whether a driver of this platform runs other programs when it builds. */
bool ka__cl_platform_runs_programs(const char *platform);

struct ka__cl_device;

/* Why a build would end the process, or NULL. PoCL aborts when it cannot wait for what it runs. */
const char *ka__cl_build_obstacle(const struct ka__cl_device *device);

/* Whether devices of the platform start what is put in a queue without being told to. */
bool ka__cl_platform_starts_at_once(const char *platform);

/* ---- properties.c ---- */

/* What the driver says of a device. */
struct ka__cl_description {
  ka_device_properties properties;
  cl_device_svm_capabilities svm;
  bool available, spirv, little_64_bits;
  bool native_kernels; /* can run host functions in queue order */
  bool priorities;     /* queues can have one */
  cl_int error; /* CL_SUCCESS, or why the driver did not answer: the rest is not to be believed */
};

void ka__cl_describe(cl_device_id id, const char *platform, struct ka__cl_description *found);

/* ---- device.c ---- */

struct ka__cl_device {
  cl_device_id id;
  cl_context context;  /* of this device alone; made when it is first used */
  const char *options; /* for clBuildProgram */
  bool runs_programs;  /* other programs, when it builds */
  bool starts_at_once; /* no clFlush is needed */
  bool host_memory;    /* ka_alloc gives ordinary memory, which the device can use */
  bool native_kernels; /* the device can run host functions in queue order */
  bool priorities;     /* its queues can have one */
  /* A little memory of the device, made for the first kernel with pointers inside aggregates: see
   * declare_indirect in launch.c. */
  _Atomic(void *) stand_in;
};

ka_status ka__cl_open(ka_backend *backend);
ka_status ka__cl_device_start(struct ka__device *device);

/* ---- queue.c ---- */

struct ka__cl_queue;

ka_status ka__cl_queue_create(struct ka__queue *queue);
uint64_t ka__cl_poll(struct ka__queue *queue);
ka_status ka__cl_wait(struct ka__queue *queue, uint64_t ticket);
ka_status ka__cl_notify(struct ka__queue *queue, uint64_t ticket,
                        struct ka__completion *completion);
ka_status ka__cl_wait_for(struct ka__queue *queue, uint64_t ticket, struct ka__queue *other,
                          uint64_t other_ticket);
ka_status ka__cl_synchronize(struct ka__queue *queue);
ka_status ka__cl_set_priority(struct ka__queue *queue, ka_priority_level level);
/* Whether the driver keeps the time of the operation with this ticket; if not, it does from now on,
 * unless it cannot. */
bool ka__cl_keeps_time(struct ka__queue *queue, uint64_t ticket);

/* The event of the last operation up to the ticket that is to be waited for, retained; NULL if
 * there is none. */
ka_status ka__cl_get_event(struct ka__queue *queue, uint64_t ticket, cl_event *event);

/* The queue of the driver's, another one if the last was given up. Only the queue's thread may ask.
 */
ka_status ka__cl_command_queue(struct ka__queue *queue, cl_command_queue *commands);

/* What an operation is, for who hears that it failed. */
struct ka__cl_label {
  bool is_wait;       /* for another queue, whose failure is that of something else */
  uint16_t arguments; /* of a kernel */
  /* The name, maybe cut off; "" for copies and fills. A copy, since the kernel's module may be gone
   * before the operation has completed. */
  char kernel[56];
};

extern const struct ka__cl_label ka__cl_transfer; /* a copy or fill */

/* Remembers the event of an operation that was put in the queue (takes it over) and sends the
 * operation on its way. */
void ka__cl_submitted(struct ka__queue *queue, uint64_t ticket, cl_event event,
                      const struct ka__cl_label *label);

/* ---- stamp.c ---- */

void ka__cl_stamp(struct ka__queue *queue, uint64_t ticket, struct ka__stamp *stamp);
ka_status ka__cl_stamp_time(struct ka__device *device, const struct ka__stamp *stamp,
                            uint64_t *nanoseconds);
void ka__cl_stamp_release(struct ka__stamp *stamp);

/* ---- memory.c ---- */

ka_status ka__cl_alloc(struct ka__device *device, size_t bytes, void **pointer);
ka_status ka__cl_alloc_device(struct ka__device *device, size_t bytes, void **pointer);
void ka__cl_free(struct ka__device *device, void *pointer);
ka_status ka__cl_copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *source, size_t bytes);
ka_status ka__cl_fill(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *value, size_t value_bytes, size_t count);

/* ---- host_fill.c ---- */

/* The longest value, in bytes, that ka__cl_host_fill takes. */
#define KA__CL_FILL_VALUE_MAX 256

/* Stores the value again and again, `bytes` in all, a multiple of its size. */
void ka__cl_host_fill(char *to, const char *value, size_t value_bytes, size_t bytes);
/* Whether all bytes of a value are the same. */
bool ka__cl_all_equal(const char *value, size_t bytes);

/* ---- program.c ---- */

ka_status ka__cl_program_create(struct ka__device *device, const void *image, size_t bytes,
                                const char *source, void **program);
void ka__cl_program_release(struct ka__device *device, void *program);

/* ---- launch.c ---- */

ka_status ka__cl_function_create(struct ka__function *function);
void ka__cl_function_release(struct ka__function *function);
ka_status ka__cl_launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *launch);

#endif
