/* The same as start_ka.c with OpenCL by hand: what of a start is the driver's. */
#include "opencl_peer.h"

#include <unistd.h>

int main(void) {
  enum { N = 1024 };
  struct peer peer;
  if (!peer_open(&peer, NULL, BENCHMARK_SOURCE_DIR "/peer_saxpy.cl", ""))
    return 1;
  float *x = peer_alloc(&peer, N * sizeof *x), *y = peer_alloc(&peer, N * sizeof *y);
  for (size_t i = 0; i < N; ++i)
    x[i] = (float)i, y[i] = 1;
  cl_kernel kernel = peer_kernel(&peer, "saxpy");
  size_t size = N, group = 256;
  peer_check(clSetKernelArg(kernel, 0, sizeof(float), &(float){2}), "clSetKernelArg");
  peer_check(clSetKernelArgSVMPointer(kernel, 1, x), "clSetKernelArgSVMPointer");
  peer_check(clSetKernelArgSVMPointer(kernel, 2, y), "clSetKernelArgSVMPointer");
  peer_check(clEnqueueNDRangeKernel(peer.queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL),
             "clEnqueueNDRangeKernel");
  peer_check(clFinish(peer.queue), "clFinish");
  if (y[N - 1] != 2 * (N - 1) + 1)
    return 1;
  return write(STDOUT_FILENO, "ready\n", 6) == 6 ? 0 : 1;
}
