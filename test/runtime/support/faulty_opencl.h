/* Controls the OpenCL loader that fails on demand. */
#ifndef KA_TEST_RUNTIME_SUPPORT_FAULTY_OPENCL_H
#define KA_TEST_RUNTIME_SUPPORT_FAULTY_OPENCL_H

#include <stddef.h>

/* What the library has under the name "faulty_opencl". */
struct faulty_opencl {
  const char *call;      /* the function that fails, or NULL */
  int error;             /* with this error */
  const char *build_log; /* what clGetProgramBuildInfo gives, unless NULL */
  int event_status;      /* not 0: what events of completed kernels say, from now on */
  unsigned long svm;     /* CL_DEVICE_SVM_CAPABILITIES, unless 0 */
  const char *il;        /* CL_DEVICE_IL_VERSION, unless NULL */
  int swallow_copies;    /* copies are not done, only recorded */
  size_t svm_most;       /* bytes that clSVMAlloc gives at once, unless 0 */
  /* Recorded: */
  size_t copied;           /* bytes of the last copy */
  int svm_allocs;          /* calls of clSVMAlloc */
  unsigned long svm_flags; /* of the last one */
  int svm_frees;           /* calls of clSVMFree */
  int releases;            /* calls of clReleaseEvent less those of clRetainEvent */
  int fills;               /* calls of clEnqueueSVMMemFill */
  size_t indirect;         /* bytes of the last clSetKernelExecInfo */
};

#endif
