/* An OpenCL loader in front of the real one, which is found as a dependency: devices are not CPUs,
 * so libka takes the entry points that a GPU runs. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>

__attribute__((visibility("default"))) cl_int clGetDeviceInfo(cl_device_id device,
                                                              cl_device_info what, size_t bytes,
                                                              void *value, size_t *needed) {
  cl_int (*real)(cl_device_id, cl_device_info, size_t, void *, size_t *) =
      (__typeof__(real))dlsym(RTLD_NEXT, "clGetDeviceInfo");
  cl_int error = real(device, what, bytes, value, needed);
  if (error == CL_SUCCESS && what == CL_DEVICE_TYPE && value)
    *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
  return error;
}
