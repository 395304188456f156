/* Finds the OpenCL devices that ka can use, and says why it cannot use the others. */
#include "runtime/backends/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64 };

/* While open() looks through platforms. */
struct search {
  struct ka__device devices[MAX_DEVICES];
  int count;
  char notes[4096];
};

static void note(struct search *search, const char *device, const char *why) {
  size_t used = strlen(search->notes);
  snprintf(search->notes + used, sizeof search->notes - used, "%s'%s' %s", used ? "\n" : "", device,
           why);
}

static void consider(struct search *search, const char *platform, cl_device_id id) {
  struct ka__cl_description device;
  ka__cl_describe(id, platform, &device);
  const char *why = NULL;
  char failure[128];
  if (device.error != CL_SUCCESS) {
    snprintf(failure, sizeof failure, "was left out, as clGetDeviceInfo failed: %s (%d)",
             ka__cl_error_name(device.error), device.error);
    why = failure;
  } else if (!device.available) {
    why = "is not available";
  } else if (!device.spirv) {
    why = "takes no SPIR-V";
  } else if (!(device.svm & (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                             CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))) {
    why = "has no shared virtual memory";
  } else if (!device.little_64_bits) {
    why = "is not a little-endian 64-bit device";
  } else if (device.properties.memory_bytes == 0) {
    why = "says that it has no memory";
  } else if (search->count == MAX_DEVICES) {
    why = "is one too many";
  }
  struct ka__cl_device *driver = why ? NULL : calloc(1, sizeof *driver);
  if (!why && !driver)
    why = "was left out for lack of host memory";
  if (why) {
    note(search, device.properties.name, why);
    return;
  }
  ka_device_properties *properties = &device.properties;
  driver->id = id;
  driver->options = ka__cl_platform_options(platform);
  driver->runs_programs = ka__cl_platform_runs_programs(platform);
  /* Where the device shares the host's memory, malloc's is as good as the driver's, costs less, and
   * tools that watch malloc see overruns. (PoCL keeps what clSVMAlloc gives in a linear list, which
   * it searches at each launch: 2.5 ms with 20000 allocations.) */
  driver->host_memory = properties->is_cpu && properties->host_pointers;
  driver->starts_at_once = driver->host_memory && ka__cl_platform_starts_at_once(platform);
  driver->native_kernels = driver->host_memory && device.native_kernels;
  driver->priorities = device.priorities;
  if (driver->host_memory || properties->max_alloc_bytes == 0)
    properties->max_alloc_bytes = properties->memory_bytes;
  struct ka__device *found = &search->devices[search->count++];
  found->properties = *properties;
  found->driver = driver;
}

static ka_status look(struct search *search) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint count = 0;
  cl_int error = ka__cl.clGetPlatformIDs(MAX_PLATFORMS, platforms, &count);
  if (error == -1001 || (error == CL_SUCCESS && count == 0)) {
    const char *vendors = getenv("OCL_ICD_VENDORS");
    return ka__fail(KA_ERROR_NO_BACKEND, "the OpenCL loader finds no driver%s%s; %s",
                    vendors ? " in OCL_ICD_VENDORS=" : "", vendors ? vendors : "", KA__CL_INSTALL);
  }
  if (error != CL_SUCCESS)
    return ka__cl_fail(error, "clGetPlatformIDs", "OpenCL's platforms cannot be listed");
  ka__exit_watch(); /* drivers have been loaded; they are yet to be initialised, which takes long */
  if (count > MAX_PLATFORMS)
    count = MAX_PLATFORMS;
  for (cl_uint i = 0; i < count; i++) {
    char platform[100] = "";
    ka__cl.clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
    cl_device_id ids[MAX_DEVICES];
    cl_uint devices = 0;
    error = ka__cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &devices);
    if (error == CL_DEVICE_NOT_FOUND) {
      note(search, platform, "has no device");
    } else if (error != CL_SUCCESS) {
      char why[128];
      snprintf(why, sizeof why, "cannot list its devices: clGetDeviceIDs failed: %s (%d)",
               ka__cl_error_name(error), error);
      note(search, platform, why);
    } else {
      for (cl_uint d = 0; d < devices && d < MAX_DEVICES; d++)
        consider(search, platform, ids[d]);
    }
  }
  if (search->count == 0)
    return ka__fail(KA_ERROR_NO_BACKEND, "OpenCL has no device that ka can use: %s; %s",
                    search->notes, KA__CL_INSTALL);
  return KA_OK;
}

ka_status ka__cl_open(ka_backend *backend) {
  ka_status status = ka__cl_load();
  if (status != KA_OK)
    return status;
  struct search *search = calloc(1, sizeof *search);
  if (!search)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory to look for devices");
  status = look(search);
  if (status == KA_OK) {
    size_t bytes = (size_t)search->count * sizeof *backend->devices;
    backend->devices = malloc(bytes);
    backend->notes = strdup(search->notes);
    if (backend->devices && backend->notes) {
      memcpy(backend->devices, search->devices, bytes);
      for (int d = 0; d < search->count; d++)
        ka__device_init(&backend->devices[d], backend, d);
      backend->device_count = search->count;
    } else {
      free(backend->devices);
      free(backend->notes);
      backend->devices = NULL;
      backend->notes = NULL;
      status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for the list of devices");
    }
  }
  if (status != KA_OK)
    for (int d = 0; d < search->count; d++)
      free(search->devices[d].driver);
  free(search);
  return status;
}

ka_status ka__cl_device_start(struct ka__device *device) {
  struct ka__cl_device *driver = device->driver;
  cl_int error = CL_SUCCESS;
  driver->context = ka__cl.clCreateContext(NULL, 1, &driver->id, NULL, NULL, &error);
  if (!driver->context)
    return ka__cl_fail(error, "clCreateContext", "device '%s'", device->properties.name);
  return KA_OK;
}

const struct ka__backend_table ka__opencl_backend = {
    .name = "opencl",
    .image = "spirv",
    .open = ka__cl_open,
    .device_start = ka__cl_device_start,
    .alloc = ka__cl_alloc,
    .alloc_device = ka__cl_alloc_device,
    .free = ka__cl_free,
    .queue_create = ka__cl_queue_create,
    .copy = ka__cl_copy,
    .fill = ka__cl_fill,
    .launch = ka__cl_launch,
    .poll = ka__cl_poll,
    .wait = ka__cl_wait,
    .notify = ka__cl_notify,
    .wait_for = ka__cl_wait_for,
    .stamp = ka__cl_stamp,
    .stamp_time = ka__cl_stamp_time,
    .stamp_release = ka__cl_stamp_release,
    .set_priority = ka__cl_set_priority,
    .synchronize = ka__cl_synchronize,
    .program_create = ka__cl_program_create,
    .program_release = ka__cl_program_release,
    .function_create = ka__cl_function_create,
    .function_release = ka__cl_function_release,
};
