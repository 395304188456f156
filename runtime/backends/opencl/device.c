/* Finds the OpenCL devices that ka can use, and says why it cannot use the others. */
#include "runtime/backends/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64 };

/* Of cl_intel_required_subgroup_size; not in all versions of CL/cl_ext.h. */
#define SUB_GROUP_SIZES_INTEL 0x4108

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

/* Questions to one device. A driver answers CL_INVALID_VALUE to what it does not know, and then the
 * answer is zero or "". Any other failure is kept: what such a device can do is not known. */
struct questions {
  cl_device_id id;
  cl_int error; /* the first */
};

static bool ask(struct questions *device, cl_device_info what, size_t bytes, void *value,
                size_t *given) {
  cl_int error = ka__cl.clGetDeviceInfo(device->id, what, bytes, value, given);
  if (error != CL_SUCCESS && error != CL_INVALID_VALUE && device->error == CL_SUCCESS)
    device->error = error;
  return error == CL_SUCCESS;
}

/* A text property; NULL only for lack of memory. The result is the caller's. */
static char *device_text(struct questions *device, cl_device_info what) {
  enum { MOST = 1 << 20 }; /* no text is as long: the driver's answer is nonsense */
  size_t bytes = 0;
  if (!ask(device, what, 0, NULL, &bytes) || bytes > MOST)
    bytes = 0;
  char *text = calloc(1, bytes + 1);
  if (!text)
    device->error = CL_OUT_OF_HOST_MEMORY;
  else if (bytes && !ask(device, what, bytes, text, NULL))
    text[0] = 0;
  return text;
}

static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; at && (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return true;
  return false;
}

static void copy_text(char *to, size_t bytes, char *from) {
  snprintf(to, bytes, "%s", from ? from : "");
  free(from);
}

/* A number or flags of the device. */
#define GET(device, what, variable)                                                                \
  do {                                                                                             \
    memset(&(variable), 0, sizeof(variable));                                                      \
    if (!ask((device), (what), sizeof(variable), &(variable), NULL))                               \
      memset(&(variable), 0, sizeof(variable));                                                    \
  } while (0)

static void describe(struct questions *device, const char *platform, cl_device_svm_capabilities svm,
                     ka_device_properties *p) {
  copy_text(p->name, sizeof p->name, device_text(device, CL_DEVICE_NAME));
  copy_text(p->vendor, sizeof p->vendor, device_text(device, CL_DEVICE_VENDOR));
  copy_text(p->api, sizeof p->api, device_text(device, CL_DEVICE_VERSION));
  char *version = device_text(device, CL_DRIVER_VERSION);
  snprintf(p->driver, sizeof p->driver, "%s %s", platform, version ? version : "");
  free(version);

  cl_device_type type;
  cl_device_fp_config doubles;
  size_t group, extent[3];
  cl_uint units, sub_groups;
  cl_ulong local, memory, piece;
  GET(device, CL_DEVICE_TYPE, type);
  GET(device, CL_DEVICE_DOUBLE_FP_CONFIG, doubles);
  GET(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, group);
  GET(device, CL_DEVICE_MAX_COMPUTE_UNITS, units);
  GET(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sub_groups);
  GET(device, CL_DEVICE_LOCAL_MEM_SIZE, local);
  GET(device, CL_DEVICE_GLOBAL_MEM_SIZE, memory);
  GET(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, piece);
  /* Devices with more than three dimensions give more numbers than fit, which is an error. */
  size_t extents[16];
  GET(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, extents);
  memcpy(extent, extents, sizeof extent);
  p->is_cpu = type & CL_DEVICE_TYPE_CPU;
  p->compute_units = units;
  p->max_dimensions = 3;
  /* A device runs groups of one item, whatever it says. */
  p->max_group_size = group ? group : 1;
  for (int d = 0; d < 3; d++)
    p->max_group_extent[d] = extent[d] ? extent[d] : p->max_group_size;
  p->local_bytes = local;
  p->memory_bytes = memory;
  p->max_alloc_bytes = piece;
  p->unified = svm & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  p->host_pointers = svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  p->fp64 = doubles != 0;
  p->sub_groups = sub_groups > 0;

  char *extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  p->fp16 = has_word(extensions, "cl_khr_fp16");
  p->int64_atomics = has_word(extensions, "cl_khr_int64_base_atomics") &&
                     has_word(extensions, "cl_khr_int64_extended_atomics");
  size_t sizes[64], bytes = 0;
  if (has_word(extensions, "cl_intel_required_subgroup_size") &&
      ask(device, SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes))
    for (size_t i = 0; i < 8 && i < bytes / sizeof *sizes; i++)
      p->sub_group_sizes[i] = (uint32_t)sizes[i];
  free(extensions);
}

static void consider(struct search *search, const char *platform, cl_device_id id) {
  struct questions device = {id, CL_SUCCESS};
  cl_bool available, little;
  cl_uint bits;
  cl_device_svm_capabilities svm;
  cl_device_exec_capabilities exec;
  GET(&device, CL_DEVICE_AVAILABLE, available);
  GET(&device, CL_DEVICE_ENDIAN_LITTLE, little);
  GET(&device, CL_DEVICE_ADDRESS_BITS, bits);
  GET(&device, CL_DEVICE_SVM_CAPABILITIES, svm);
  GET(&device, CL_DEVICE_EXECUTION_CAPABILITIES, exec);
  char *languages = device_text(&device, CL_DEVICE_IL_VERSION);
  bool spirv = languages && strstr(languages, "SPIR-V_1.");
  free(languages);
  ka_device_properties properties = {0};
  describe(&device, platform, svm, &properties);

  const char *why = NULL;
  char failure[128];
  if (device.error != CL_SUCCESS) {
    snprintf(failure, sizeof failure, "was left out, as clGetDeviceInfo failed: %s (%d)",
             ka__cl_error_name(device.error), device.error);
    why = failure;
  } else if (!available) {
    why = "is not available";
  } else if (!spirv) {
    why = "takes no SPIR-V";
  } else if (!(svm & (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                      CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))) {
    why = "has no shared virtual memory";
  } else if (bits != 64 || !little) {
    why = "is not a little-endian 64-bit device";
  } else if (properties.memory_bytes == 0) {
    why = "says that it has no memory";
  } else if (search->count == MAX_DEVICES) {
    why = "is one too many";
  }
  struct ka__cl_device *driver = why ? NULL : calloc(1, sizeof *driver);
  if (!why && !driver)
    why = "was left out for lack of host memory";
  if (why) {
    note(search, properties.name, why);
    return;
  }
  driver->id = id;
  driver->options = ka__cl_platform_options(platform);
  /* Where the device shares the host's memory, malloc's is as good as the driver's, costs less, and
   * tools that watch malloc see overruns. (PoCL keeps what clSVMAlloc gives in a linear list, which
   * it searches at each launch: 2.5 ms with 20000 allocations.) */
  driver->host_memory = properties.is_cpu && properties.host_pointers;
  driver->native_kernels = driver->host_memory && (exec & CL_EXEC_NATIVE_KERNEL);
  if (driver->host_memory || properties.max_alloc_bytes == 0)
    properties.max_alloc_bytes = properties.memory_bytes;
  struct ka__device *found = &search->devices[search->count++];
  found->properties = properties;
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
    .synchronize = ka__cl_synchronize,
    .program_create = ka__cl_program_create,
    .program_release = ka__cl_program_release,
    .function_create = ka__cl_function_create,
    .function_release = ka__cl_function_release,
};
