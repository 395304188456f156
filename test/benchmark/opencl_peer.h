/* The peer of the kernels' benchmark: OpenCL by hand, on the device that ka uses. */
#ifndef KA_BENCHMARK_OPENCL_PEER_H
#define KA_BENCHMARK_OPENCL_PEER_H

#include <stdbool.h>
#include <stddef.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

struct peer {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  bool host_memory; /* a CPU that can use all memory of the host */
};

/* Opens the device of that name (NULL: the first) and builds the source file for it with the
 * options. */
bool peer_open(struct peer *peer, const char *device_name, const char *source_path,
               const char *options);
void peer_close(struct peer *peer);

cl_kernel peer_kernel(struct peer *peer, const char *name);
/* The kind of memory that ka_alloc gives on the device, or the peer would pay for another: PoCL
 * looks up pointers in a list of what clSVMAlloc gave. */
void *peer_alloc(struct peer *peer, size_t bytes);
void peer_free(struct peer *peer, void *pointer);

_Noreturn void peer_failed(cl_int status, const char *call);

/* Ends the program with a message unless the call succeeded. Inline, so that checking adds nothing
 * to what the calls cost. */
static inline void peer_check(cl_int status, const char *call) {
  if (status != CL_SUCCESS)
    peer_failed(status, call);
}

#endif
