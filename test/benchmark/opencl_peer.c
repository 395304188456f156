/* The peer of the kernels' benchmark: OpenCL by hand, on the device that ka uses. */
#include "opencl_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void peer_failed(cl_int status, const char *call) {
  fprintf(stderr, "ka-bench: the peer's %s failed: OpenCL error %d\n", call, status);
  exit(1);
}

static cl_device_id find_device(const char *name) {
  enum { MOST = 16 };
  cl_platform_id platforms[MOST];
  cl_uint platform_count = 0;
  peer_check(clGetPlatformIDs(MOST, platforms, &platform_count), "clGetPlatformIDs");
  for (cl_uint p = 0; p < platform_count && p < MOST; ++p) {
    cl_device_id devices[MOST];
    cl_uint device_count = 0;
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST, devices, &device_count))
      continue;
    for (cl_uint d = 0; d < device_count && d < MOST; ++d) {
      char found[128] = "";
      clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof found - 1, found, NULL);
      if (!name || strcmp(found, name) == 0)
        return devices[d];
    }
  }
  return NULL;
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    return NULL;
  }
  enum { MOST = 1 << 16 };
  char *text = calloc(MOST, 1);
  if (text && fread(text, 1, MOST - 1, file) == 0) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

bool peer_open(struct peer *peer, const char *device_name, const char *source_path,
               const char *options) {
  memset(peer, 0, sizeof *peer);
  peer->device = find_device(device_name);
  if (!peer->device) {
    fprintf(stderr, "ka-bench: OpenCL has no device '%s' for the peer\n",
            device_name ? device_name : "");
    return false;
  }
  cl_device_type type = 0;
  cl_device_svm_capabilities shared = 0;
  peer_check(clGetDeviceInfo(peer->device, CL_DEVICE_TYPE, sizeof type, &type, NULL),
             "clGetDeviceInfo");
  peer_check(
      clGetDeviceInfo(peer->device, CL_DEVICE_SVM_CAPABILITIES, sizeof shared, &shared, NULL),
      "clGetDeviceInfo");
  peer->host_memory = (type & CL_DEVICE_TYPE_CPU) && (shared & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  cl_int status;
  peer->context = clCreateContext(NULL, 1, &peer->device, NULL, NULL, &status);
  peer_check(status, "clCreateContext");
  peer->queue = clCreateCommandQueueWithProperties(peer->context, peer->device, NULL, &status);
  peer_check(status, "clCreateCommandQueueWithProperties");
  char *source = read_text(source_path);
  if (!source)
    return false;
  peer->program =
      clCreateProgramWithSource(peer->context, 1, (const char *[]){source}, NULL, &status);
  peer_check(status, "clCreateProgramWithSource");
  free(source);
  status = clBuildProgram(peer->program, 1, &peer->device, options, NULL, NULL);
  if (status != CL_SUCCESS) {
    static char log[1 << 14];
    clGetProgramBuildInfo(peer->program, peer->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                          NULL);
    fprintf(stderr, "%s\n", log);
  }
  peer_check(status, "clBuildProgram");
  return true;
}

void peer_close(struct peer *peer) {
  clReleaseProgram(peer->program);
  clReleaseCommandQueue(peer->queue);
  clReleaseContext(peer->context);
}

cl_kernel peer_kernel(struct peer *peer, const char *name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(peer->program, name, &status);
  peer_check(status, "clCreateKernel");
  return kernel;
}

void *peer_alloc(struct peer *peer, size_t bytes) {
  enum { ALIGNMENT = 128 };
  void *memory = NULL;
  if (!peer->host_memory)
    memory = clSVMAlloc(peer->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes,
                        ALIGNMENT);
  else if (posix_memalign(&memory, ALIGNMENT, bytes) != 0)
    memory = NULL;
  if (!memory)
    peer_check(CL_OUT_OF_RESOURCES, "allocation");
  return memory;
}

void peer_free(struct peer *peer, void *pointer) {
  if (peer->host_memory)
    free(pointer);
  else
    clSVMFree(peer->context, pointer);
}
