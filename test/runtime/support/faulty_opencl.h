/* Controls the OpenCL loader that fails on demand. */
#ifndef KA_TEST_RUNTIME_SUPPORT_FAULTY_OPENCL_H
#define KA_TEST_RUNTIME_SUPPORT_FAULTY_OPENCL_H

#include <semaphore.h>
#include <stddef.h>

/* What clGetDeviceInfo says of a property instead of the truth. */
struct faulty_answer {
  unsigned what;     /* CL_DEVICE_...; 0 ends a list */
  const void *value; /* NULL: zeros */
  size_t bytes;      /* of the value */
  size_t claimed;    /* the size that is reported, unless 0 */
};

/* Objects that were created and have not been released. */
struct faulty_live {
  _Atomic int contexts, queues, programs, kernels, events, svm;
};

/* What the library has under the name "faulty_opencl". */
struct faulty_opencl {
  const char *call;      /* the function that fails, or NULL */
  int error;             /* with this error */
  int at;                /* only the call with this number, from 1, fails; 0: all do */
  _Atomic int seen;      /* calls of that function, counted where `at` is not 0 */
  const char *build_log; /* what clGetProgramBuildInfo gives, unless NULL */
  sem_t *build_begun;    /* not NULL: clBuildProgram posts this one, */
  sem_t *build_on;       /* and goes on when it has this one */
  int event_status;      /* not 0: what events of completed kernels say, from now on */
  int event_at;      /* only the event with this number, of any operation but barriers, says it */
  int fail_kernel;   /* not 0: the next kernel fails in the driver, with its own error */
  int fail_late;     /* not 0: it does so only when an operation is told to wait for it */
  unsigned long svm; /* CL_DEVICE_SVM_CAPABILITIES, unless 0 */
  const char *platform;                /* CL_PLATFORM_NAME, unless NULL */
  const char *il;                      /* CL_DEVICE_IL_VERSION, unless NULL */
  const struct faulty_answer *answers; /* other properties of devices; NULL: the truth */
  int bad_platform;   /* not 0: there is one more platform, the first, whose clGetDeviceIDs fails */
  int swallow_copies; /* copies are not done, only recorded */
  size_t svm_most;    /* bytes that clSVMAlloc gives at once, unless 0 */
  /* Recorded: */
  struct faulty_live live;
  _Atomic int events_made;         /* but those of barriers */
  _Atomic size_t copied;           /* bytes of the last copy */
  _Atomic int svm_allocs;          /* calls of clSVMAlloc */
  _Atomic unsigned long svm_flags; /* of the last one */
  _Atomic int svm_frees;           /* calls of clSVMFree */
  _Atomic int releases;            /* calls of clReleaseEvent less those of clRetainEvent */
  _Atomic int fills;               /* calls of clEnqueueSVMMemFill */
  _Atomic size_t indirect;         /* bytes of the last clSetKernelExecInfo */
  const void *last_indirect;       /* the last pointer that it was given */
  _Atomic unsigned queue_priority; /* CL_QUEUE_PRIORITY_... of the last queue, or 0 */
};

/* "faulty_opencl_entries": the functions that the library counts and lets fail, ended by a name of
 * NULL. */
struct faulty_entry {
  const char *name;
  _Atomic int calls;
};

/* Makes libka use the library, if called before a backend is opened, and gives its controls, or
 * what else it has under a name. */
struct faulty_opencl *faulty_opencl_load(void);
void *faulty_opencl_find(const char *name);

#endif
