/* An OpenCL loader in front of the real one, which is found as a dependency: what is not defined
 * here goes there. Lets any of the calls below fail, and devices look poorer than they are. */
#define CL_TARGET_OPENCL_VERSION 300
#include "test/runtime/support/faulty_opencl.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT extern struct faulty_opencl faulty_opencl;
struct faulty_opencl faulty_opencl;

static int fails(const char *call) {
  return faulty_opencl.call && strcmp(faulty_opencl.call, call) == 0;
}

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

/* Functions that return an error. */
#define FAIL(name, parameters, arguments)                                                          \
  EXPORT cl_int name parameters {                                                                  \
    return fails(#name) ? faulty_opencl.error : REAL(name) arguments;                              \
  }
/* Functions that return an object and store an error. */
#define FAIL_OBJECT(type, name, parameters, arguments)                                             \
  EXPORT type name parameters {                                                                    \
    if (fails(#name)) {                                                                            \
      *error = faulty_opencl.error;                                                                \
      return NULL;                                                                                 \
    }                                                                                              \
    return REAL(name) arguments;                                                                   \
  }

FAIL(clGetPlatformIDs, (cl_uint n, cl_platform_id *p, cl_uint *count), (n, p, count))
FAIL(clGetDeviceIDs,
     (cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *d, cl_uint *count),
     (p, type, n, d, count))
FAIL_OBJECT(cl_context, clCreateContext,
            (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
             cl_int *error),
            (properties, n, devices, notify, data, error))
FAIL_OBJECT(cl_command_queue, clCreateCommandQueueWithProperties,
            (cl_context c, cl_device_id d, const cl_queue_properties *p, cl_int *error),
            (c, d, p, error))
FAIL_OBJECT(cl_program, clCreateProgramWithIL,
            (cl_context c, const void *il, size_t n, cl_int *error), (c, il, n, error))
FAIL(clBuildProgram,
     (cl_program p, cl_uint n, const cl_device_id *d, const char *options,
      void(CL_CALLBACK *notify)(cl_program, void *), void *data),
     (p, n, d, options, notify, data))
FAIL_OBJECT(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *error),
            (p, name, error))
FAIL(clGetKernelWorkGroupInfo,
     (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t n, void *value,
      size_t *bytes),
     (k, d, what, n, value, bytes))
FAIL(clSetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void *value), (k, i, n, value))
FAIL(clSetKernelArgSVMPointer, (cl_kernel k, cl_uint i, const void *value), (k, i, value))
FAIL(clEnqueueNDRangeKernel,
     (cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t *offset,
      const size_t *global, const size_t *local, cl_uint n, const cl_event *wait, cl_event *event),
     (q, k, dimensions, offset, global, local, n, wait, event))
FAIL(clEnqueueNativeKernel,
     (cl_command_queue q, void(CL_CALLBACK *run)(void *), void *arguments, size_t bytes,
      cl_uint objects, const cl_mem *list, const void **places, cl_uint n, const cl_event *wait,
      cl_event *event),
     (q, run, arguments, bytes, objects, list, places, n, wait, event))
FAIL(clFinish, (cl_command_queue q), (q))
FAIL(clWaitForEvents, (cl_uint n, const cl_event *events), (n, events))

EXPORT cl_int clRetainEvent(cl_event event) {
  faulty_opencl.releases--;
  return REAL(clRetainEvent)(event);
}

EXPORT cl_int clReleaseEvent(cl_event event) {
  faulty_opencl.releases++;
  return REAL(clReleaseEvent)(event);
}

EXPORT cl_int clEnqueueSVMMemFill(cl_command_queue q, void *p, const void *pattern, size_t size,
                                  size_t bytes, cl_uint n, const cl_event *wait, cl_event *event) {
  faulty_opencl.fills++;
  return fails("clEnqueueSVMMemFill")
             ? faulty_opencl.error
             : REAL(clEnqueueSVMMemFill)(q, p, pattern, size, bytes, n, wait, event);
}

EXPORT void *clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
  faulty_opencl.svm_allocs++;
  faulty_opencl.svm_flags = flags;
  bool too_much = faulty_opencl.svm_most && bytes > faulty_opencl.svm_most;
  return too_much || fails("clSVMAlloc") ? NULL : REAL(clSVMAlloc)(c, flags, bytes, alignment);
}

EXPORT void clSVMFree(cl_context c, void *p) {
  faulty_opencl.svm_frees++;
  REAL(clSVMFree)(c, p);
}

EXPORT cl_int clSetKernelExecInfo(cl_kernel k, cl_kernel_exec_info what, size_t bytes,
                                  const void *value) {
  faulty_opencl.indirect = bytes;
  /* As some drivers do; PoCL takes an empty list. */
  if (bytes == 0 || !value)
    return CL_INVALID_VALUE;
  for (size_t i = 0; i < bytes / sizeof(void *); i++)
    if (!((void *const *)value)[i])
      return CL_INVALID_VALUE;
  return fails("clSetKernelExecInfo") ? faulty_opencl.error
                                      : REAL(clSetKernelExecInfo)(k, what, bytes, value);
}

EXPORT cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool block, void *to, const void *from,
                                 size_t bytes, cl_uint n, const cl_event *wait, cl_event *event) {
  if (fails("clEnqueueSVMMemcpy"))
    return faulty_opencl.error;
  faulty_opencl.copied = bytes;
  return REAL(clEnqueueSVMMemcpy)(q, block, to, from, faulty_opencl.swallow_copies ? 1 : bytes, n,
                                  wait, event);
}

static cl_int answer(const void *from, size_t size, size_t n, void *value, size_t *bytes) {
  if (value && n < size)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, from, size);
  if (bytes)
    *bytes = size;
  return CL_SUCCESS;
}

EXPORT cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t n, void *value,
                              size_t *bytes) {
  if (fails("clGetDeviceInfo"))
    return faulty_opencl.error;
  if (what == CL_DEVICE_SVM_CAPABILITIES && faulty_opencl.svm) {
    cl_device_svm_capabilities svm = faulty_opencl.svm;
    return answer(&svm, sizeof svm, n, value, bytes);
  }
  if (what == CL_DEVICE_IL_VERSION && faulty_opencl.il)
    return answer(faulty_opencl.il, strlen(faulty_opencl.il) + 1, n, value, bytes);
  return REAL(clGetDeviceInfo)(d, what, n, value, bytes);
}

EXPORT cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what,
                                    size_t n, void *value, size_t *bytes) {
  if (what == CL_PROGRAM_BUILD_LOG && faulty_opencl.build_log)
    return answer(faulty_opencl.build_log, strlen(faulty_opencl.build_log) + 1, n, value, bytes);
  return REAL(clGetProgramBuildInfo)(p, d, what, n, value, bytes);
}

EXPORT cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t n, void *value, size_t *bytes) {
  cl_int error = REAL(clGetEventInfo)(e, what, n, value, bytes);
  cl_command_type type = 0;
  if (error == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value &&
      faulty_opencl.event_status != 0 && *(cl_int *)value == CL_COMPLETE &&
      REAL(clGetEventInfo)(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) == CL_SUCCESS &&
      type == CL_COMMAND_NDRANGE_KERNEL)
    *(cl_int *)value = faulty_opencl.event_status;
  return error;
}
