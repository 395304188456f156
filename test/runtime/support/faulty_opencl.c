/* An OpenCL loader in front of the real one, which is found as a dependency: what is not defined
 * here goes there. Counts the calls below, lets any of them fail, keeps account of what they create
 * and release, and makes devices look poorer than they are. */
#define CL_TARGET_OPENCL_VERSION 300
#include "test/runtime/support/faulty_opencl.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Every function that libka uses; test-fault_injection says if one is missing. */
#define ENTRIES(X)                                                                                 \
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

enum entry {
#define ENTRY(name) E_##name,
  ENTRIES(ENTRY)
#undef ENTRY
};

EXPORT extern struct faulty_opencl faulty_opencl;
struct faulty_opencl faulty_opencl;
EXPORT extern struct faulty_entry faulty_opencl_entries[];
struct faulty_entry faulty_opencl_entries[] = {
#define ENTRY(name) {#name, 0},
    ENTRIES(ENTRY)
#undef ENTRY
        {NULL, 0}};

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

/* Counts a call; whether it is one that fails. */
static bool fails(enum entry entry) {
  struct faulty_opencl *f = &faulty_opencl;
  atomic_fetch_add(&faulty_opencl_entries[entry].calls, 1);
  if (!f->call || strcmp(f->call, faulty_opencl_entries[entry].name) != 0)
    return false;
  return f->at == 0 || atomic_fetch_add(&f->seen, 1) + 1 == f->at;
}

/* Functions that return an error. */
#define FAIL(name, parameters, arguments)                                                          \
  EXPORT cl_int name parameters {                                                                  \
    return fails(E_##name) ? faulty_opencl.error : REAL(name) arguments;                           \
  }

/* Functions that create an object and store an error. */
#define CREATE(type, name, count, parameters, arguments)                                           \
  EXPORT type name parameters {                                                                    \
    if (fails(E_##name)) {                                                                         \
      *error = faulty_opencl.error;                                                                \
      return NULL;                                                                                 \
    }                                                                                              \
    type object = REAL(name) arguments;                                                            \
    if (object)                                                                                    \
      atomic_fetch_add(&faulty_opencl.live.count, 1);                                              \
    return object;                                                                                 \
  }

/* Functions that release an object. It is released also when they say that they have failed: the
 * caller could do nothing about it. */
#define RELEASE(type, name, count)                                                                 \
  EXPORT cl_int name(type object) {                                                                \
    bool failed = fails(E_##name);                                                                 \
    atomic_fetch_sub(&faulty_opencl.live.count, 1);                                                \
    cl_int error = REAL(name)(object);                                                             \
    return failed ? faulty_opencl.error : error;                                                   \
  }

/* ---- Platforms and devices ---- */

static char bad_platform[] = "a platform that does not work";
#define BAD_PLATFORM ((cl_platform_id)(void *)bad_platform)

static cl_int answer(const void *from, size_t size, size_t n, void *value, size_t *bytes) {
  if (value && n < size)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, from, size);
  if (bytes)
    *bytes = size;
  return CL_SUCCESS;
}

EXPORT cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *p, cl_uint *count) {
  if (fails(E_clGetPlatformIDs))
    return faulty_opencl.error;
  cl_uint extra = faulty_opencl.bad_platform && n ? 1 : 0;
  if (extra && p)
    *p++ = BAD_PLATFORM;
  cl_int error = REAL(clGetPlatformIDs)(n - extra, p, count);
  if (count)
    *count += faulty_opencl.bad_platform ? 1 : 0;
  return error;
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t n, void *value,
                                size_t *bytes) {
  if (fails(E_clGetPlatformInfo))
    return faulty_opencl.error;
  if (p == BAD_PLATFORM)
    return answer(bad_platform, sizeof bad_platform, n, value, bytes);
  if (what == CL_PLATFORM_NAME && faulty_opencl.platform)
    return answer(faulty_opencl.platform, strlen(faulty_opencl.platform) + 1, n, value, bytes);
  return REAL(clGetPlatformInfo)(p, what, n, value, bytes);
}

EXPORT cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *d,
                             cl_uint *count) {
  if (fails(E_clGetDeviceIDs))
    return faulty_opencl.error;
  return p == BAD_PLATFORM ? faulty_opencl.bad_platform
                           : REAL(clGetDeviceIDs)(p, type, n, d, count);
}

EXPORT cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t n, void *value,
                              size_t *bytes) {
  if (fails(E_clGetDeviceInfo))
    return faulty_opencl.error;
  if (what == CL_DEVICE_SVM_CAPABILITIES && faulty_opencl.svm) {
    cl_device_svm_capabilities svm = faulty_opencl.svm;
    return answer(&svm, sizeof svm, n, value, bytes);
  }
  if (what == CL_DEVICE_IL_VERSION && faulty_opencl.il)
    return answer(faulty_opencl.il, strlen(faulty_opencl.il) + 1, n, value, bytes);
  for (const struct faulty_answer *a = faulty_opencl.answers; a && a->what; a++)
    if (a->what == what) {
      size_t given = a->bytes < n ? a->bytes : n;
      if (value && a->value)
        memcpy(value, a->value, given);
      else if (value)
        memset(value, 0, given);
      if (bytes)
        *bytes = a->claimed ? a->claimed : a->bytes;
      return CL_SUCCESS;
    }
  return REAL(clGetDeviceInfo)(d, what, n, value, bytes);
}

FAIL(clGetDeviceAndHostTimer, (cl_device_id d, cl_ulong *device, cl_ulong *host), (d, device, host))

/* ---- Contexts, queues, memory ---- */

CREATE(cl_context, clCreateContext, contexts,
       (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
        cl_int *error),
       (properties, n, devices, notify, data, error))
EXPORT cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d,
                                                           const cl_queue_properties *p,
                                                           cl_int *error) {
  if (fails(E_clCreateCommandQueueWithProperties)) {
    *error = faulty_opencl.error;
    return NULL;
  }
  cl_queue_properties kept[8] = {0};
  faulty_opencl.queue_priority = 0;
  for (int n = 0; p && *p; p += 2)
    if (*p == CL_QUEUE_PRIORITY_KHR)
      faulty_opencl.queue_priority = p[1];
    else
      kept[n] = p[0], kept[n + 1] = p[1], n += 2;
  cl_command_queue queue = REAL(clCreateCommandQueueWithProperties)(c, d, kept, error);
  if (queue)
    atomic_fetch_add(&faulty_opencl.live.queues, 1);
  return queue;
}
RELEASE(cl_command_queue, clReleaseCommandQueue, queues)
FAIL(clFlush, (cl_command_queue q), (q))
FAIL(clFinish, (cl_command_queue q), (q))

EXPORT void *clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
  faulty_opencl.svm_allocs++;
  faulty_opencl.svm_flags = flags;
  bool too_much = faulty_opencl.svm_most && bytes > faulty_opencl.svm_most;
  if (fails(E_clSVMAlloc) || too_much)
    return NULL;
  void *p = REAL(clSVMAlloc)(c, flags, bytes, alignment);
  if (p)
    atomic_fetch_add(&faulty_opencl.live.svm, 1);
  return p;
}

/* It has no way to say that it fails. */
EXPORT void clSVMFree(cl_context c, void *p) {
  fails(E_clSVMFree);
  faulty_opencl.svm_frees++;
  atomic_fetch_sub(&faulty_opencl.live.svm, 1);
  REAL(clSVMFree)(c, p);
}

/* ---- Programs and kernels ---- */

CREATE(cl_program, clCreateProgramWithIL, programs,
       (cl_context c, const void *il, size_t n, cl_int *error), (c, il, n, error))
RELEASE(cl_program, clReleaseProgram, programs)
EXPORT cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  if (faulty_opencl.build_begun) {
    sem_post(faulty_opencl.build_begun);
    while (sem_wait(faulty_opencl.build_on) != 0)
      ;
  }
  return fails(E_clBuildProgram) ? faulty_opencl.error
                                 : REAL(clBuildProgram)(p, n, d, options, notify, data);
}

EXPORT cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what,
                                    size_t n, void *value, size_t *bytes) {
  if (fails(E_clGetProgramBuildInfo))
    return faulty_opencl.error;
  if (what == CL_PROGRAM_BUILD_LOG && faulty_opencl.build_log)
    return answer(faulty_opencl.build_log, strlen(faulty_opencl.build_log) + 1, n, value, bytes);
  return REAL(clGetProgramBuildInfo)(p, d, what, n, value, bytes);
}

CREATE(cl_kernel, clCreateKernel, kernels, (cl_program p, const char *name, cl_int *error),
       (p, name, error))
RELEASE(cl_kernel, clReleaseKernel, kernels)
FAIL(clGetKernelWorkGroupInfo,
     (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t n, void *value,
      size_t *bytes),
     (k, d, what, n, value, bytes))
FAIL(clSetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void *value), (k, i, n, value))
FAIL(clSetKernelArgSVMPointer, (cl_kernel k, cl_uint i, const void *value), (k, i, value))

EXPORT cl_int clSetKernelExecInfo(cl_kernel k, cl_kernel_exec_info what, size_t bytes,
                                  const void *value) {
  faulty_opencl.indirect = bytes;
  if (fails(E_clSetKernelExecInfo))
    return faulty_opencl.error;
  /* As some drivers do; PoCL takes an empty list. */
  if (bytes == 0 || !value)
    return CL_INVALID_VALUE;
  for (size_t i = 0; i < bytes / sizeof(void *); i++)
    if (!((void *const *)value)[i])
      return CL_INVALID_VALUE;
  faulty_opencl.last_indirect = ((void *const *)value)[bytes / sizeof(void *) - 1];
  return REAL(clSetKernelExecInfo)(k, what, bytes, value);
}

/* ---- Operations and their events ---- */

/* The one that event_at chose, while libka has it, and how many times libka has it. */
static _Atomic(cl_event) bad_event;
static _Atomic int bad_references;

/* An event that event_at does not count: of a barrier, which fails only if what it waits for does.
 */
static cl_int alive(cl_int error, const cl_event *event) {
  if (error == CL_SUCCESS && event)
    atomic_fetch_add(&faulty_opencl.live.events, 1);
  return error;
}

static cl_int created(cl_int error, const cl_event *event) {
  alive(error, event);
  if (error != CL_SUCCESS || !event)
    return error;
  if (atomic_fetch_add(&faulty_opencl.events_made, 1) + 1 == faulty_opencl.event_at)
    atomic_store(&bad_references, 1), atomic_store(&bad_event, *event);
  return error;
}

#define ENQUEUE(name, parameters, arguments)                                                       \
  EXPORT cl_int name parameters {                                                                  \
    return fails(E_##name) ? faulty_opencl.error : created(REAL(name) arguments, event);           \
  }

/* What a kernel waits for that is to fail. */
static struct {
  cl_event event;
  cl_int error;
} late;

static void fail_late_kernel(void) {
  REAL(clSetUserEventStatus)(late.event, late.error);
  REAL(clReleaseEvent)(late.event);
  late.event = NULL;
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint n, const cl_event *wait,
                                     cl_event *event) {
  if (fails(E_clEnqueueNDRangeKernel))
    return faulty_opencl.error;
  cl_event never = NULL;
  cl_context context;
  if (faulty_opencl.fail_kernel && REAL(clGetCommandQueueInfo)(q, CL_QUEUE_CONTEXT, sizeof context,
                                                               &context, NULL) == CL_SUCCESS) {
    never = REAL(clCreateUserEvent)(context, NULL);
    n = 1;
    wait = &never;
  }
  cl_int error = created(
      REAL(clEnqueueNDRangeKernel)(q, k, dimensions, offset, global, local, n, wait, event), event);
  if (never) {
    late.event = never;
    late.error = faulty_opencl.fail_kernel;
    faulty_opencl.fail_kernel = 0;
    if (!faulty_opencl.fail_late)
      fail_late_kernel();
  }
  return error;
}
ENQUEUE(clEnqueueNativeKernel,
        (cl_command_queue q, void(CL_CALLBACK *run)(void *), void *arguments, size_t bytes,
         cl_uint objects, const cl_mem *list, const void **places, cl_uint n, const cl_event *wait,
         cl_event *event),
        (q, run, arguments, bytes, objects, list, places, n, wait, event))

EXPORT cl_int clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n, const cl_event *wait,
                                           cl_event *event) {
  if (fails(E_clEnqueueBarrierWithWaitList))
    return faulty_opencl.error;
  if (late.event && n) {
    /* By then all have been told that wait for it now: who comes later is forgotten. */
    fail_late_kernel();
    cl_int state = CL_QUEUED;
    while (state >= 0)
      REAL(clGetEventInfo)(wait[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    REAL(clWaitForEvents)(1, wait);
  }
  return alive(REAL(clEnqueueBarrierWithWaitList)(q, n, wait, event), event);
}

EXPORT cl_int clEnqueueSVMMemFill(cl_command_queue q, void *p, const void *pattern, size_t size,
                                  size_t bytes, cl_uint n, const cl_event *wait, cl_event *event) {
  faulty_opencl.fills++;
  if (fails(E_clEnqueueSVMMemFill))
    return faulty_opencl.error;
  return created(REAL(clEnqueueSVMMemFill)(q, p, pattern, size, bytes, n, wait, event), event);
}

EXPORT cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool block, void *to, const void *from,
                                 size_t bytes, cl_uint n, const cl_event *wait, cl_event *event) {
  if (fails(E_clEnqueueSVMMemcpy))
    return faulty_opencl.error;
  faulty_opencl.copied = bytes;
  if (faulty_opencl.swallow_copies)
    bytes = 1;
  return created(REAL(clEnqueueSVMMemcpy)(q, block, to, from, bytes, n, wait, event), event);
}

EXPORT cl_int clRetainEvent(cl_event event) {
  if (fails(E_clRetainEvent))
    return faulty_opencl.error;
  faulty_opencl.releases--;
  atomic_fetch_add(&faulty_opencl.live.events, 1);
  if (event == atomic_load(&bad_event))
    atomic_fetch_add(&bad_references, 1);
  return REAL(clRetainEvent)(event);
}

EXPORT cl_int clReleaseEvent(cl_event event) {
  bool failed = fails(E_clReleaseEvent);
  faulty_opencl.releases++;
  atomic_fetch_sub(&faulty_opencl.live.events, 1);
  if (event == atomic_load(&bad_event) && atomic_fetch_sub(&bad_references, 1) == 1)
    atomic_store(&bad_event, NULL);
  cl_int error = REAL(clReleaseEvent)(event);
  return failed ? faulty_opencl.error : error;
}

EXPORT cl_int clSetEventCallback(cl_event event, cl_int state,
                                 void(CL_CALLBACK *run)(cl_event, cl_int, void *), void *argument) {
  return fails(E_clSetEventCallback) ? faulty_opencl.error
                                     : REAL(clSetEventCallback)(event, state, run, argument);
}

EXPORT cl_int clWaitForEvents(cl_uint n, const cl_event *events) {
  if (fails(E_clWaitForEvents))
    return faulty_opencl.error;
  cl_int error = REAL(clWaitForEvents)(n, events);
  for (cl_uint i = 0; i < n; i++)
    if (faulty_opencl.event_at && events[i] == atomic_load(&bad_event))
      error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return error;
}

FAIL(clGetEventProfilingInfo,
     (cl_event e, cl_profiling_info what, size_t n, void *value, size_t *bytes),
     (e, what, n, value, bytes))

EXPORT cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t n, void *value, size_t *bytes) {
  if (fails(E_clGetEventInfo))
    return faulty_opencl.error;
  cl_int error = REAL(clGetEventInfo)(e, what, n, value, bytes);
  cl_command_type type = 0;
  if (error != CL_SUCCESS || what != CL_EVENT_COMMAND_EXECUTION_STATUS || !value ||
      faulty_opencl.event_status == 0 || *(cl_int *)value != CL_COMPLETE)
    return error;
  if (faulty_opencl.event_at ? e == atomic_load(&bad_event)
                             : REAL(clGetEventInfo)(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type,
                                                    NULL) == CL_SUCCESS &&
                                   type == CL_COMMAND_NDRANGE_KERNEL)
    *(cl_int *)value = faulty_opencl.event_status;
  return error;
}
