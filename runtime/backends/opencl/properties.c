/* What the driver says of a device. */
#include "runtime/backends/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of cl_intel_required_subgroup_size; not in all versions of CL/cl_ext.h. */
#define SUB_GROUP_SIZES_INTEL 0x4108

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

static void describe_names(struct questions *device, const char *platform,
                           ka_device_properties *p) {
  copy_text(p->name, sizeof p->name, device_text(device, CL_DEVICE_NAME));
  copy_text(p->vendor, sizeof p->vendor, device_text(device, CL_DEVICE_VENDOR));
  copy_text(p->api, sizeof p->api, device_text(device, CL_DEVICE_VERSION));
  char *version = device_text(device, CL_DRIVER_VERSION);
  snprintf(p->driver, sizeof p->driver, "%s %s", platform, version ? version : "");
  free(version);
  cl_device_type type;
  cl_uint units, clock;
  GET(device, CL_DEVICE_TYPE, type);
  GET(device, CL_DEVICE_MAX_COMPUTE_UNITS, units);
  GET(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, clock);
  p->is_cpu = type & CL_DEVICE_TYPE_CPU;
  p->is_gpu = type & CL_DEVICE_TYPE_GPU;
  p->compute_units = units;
  p->clock_mhz = clock;
}

static void describe_groups(struct questions *device, ka_device_properties *p) {
  size_t group, multiple, parameters, print;
  cl_uint floats, sub_groups;
  GET(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, group);
  GET(device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, multiple);
  GET(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, floats);
  GET(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sub_groups);
  GET(device, CL_DEVICE_MAX_PARAMETER_SIZE, parameters);
  GET(device, CL_DEVICE_PRINTF_BUFFER_SIZE, print);
  /* Devices with more than three dimensions give more numbers than fit in three. */
  size_t extents[16];
  GET(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, extents);
  p->max_dimensions = 3;
  p->max_groups = UINT32_MAX; /* ka__cl_launch refuses more */
  /* A device runs groups of one item, whatever it says. */
  p->max_group_size = group ? group : 1;
  for (int d = 0; d < 3; d++)
    p->max_group_extent[d] = extents[d] ? extents[d] : p->max_group_size;
  p->preferred_group_multiple = (uint32_t)multiple;
  p->vector_bytes = floats * (uint32_t)sizeof(float);
  p->max_sub_groups = sub_groups;
  p->sub_groups = sub_groups > 0;
  p->max_parameter_bytes = parameters;
  p->print_bytes = print;
}

static void describe_memory(struct questions *device, cl_device_svm_capabilities svm,
                            ka_device_properties *p) {
  cl_ulong local, memory, piece, cache;
  cl_uint line;
  cl_device_local_mem_type local_type;
  cl_bool shared, corrected;
  GET(device, CL_DEVICE_LOCAL_MEM_SIZE, local);
  GET(device, CL_DEVICE_LOCAL_MEM_TYPE, local_type);
  GET(device, CL_DEVICE_GLOBAL_MEM_SIZE, memory);
  GET(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, piece);
  GET(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache);
  GET(device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, line);
  GET(device, CL_DEVICE_HOST_UNIFIED_MEMORY, shared);
  GET(device, CL_DEVICE_ERROR_CORRECTION_SUPPORT, corrected);
  p->local_bytes = local;
  p->local_is_separate = local_type == CL_LOCAL;
  p->memory_bytes = memory;
  p->max_alloc_bytes = piece;
  p->cache_bytes = cache;
  p->cache_line_bytes = line;
  p->shares_memory = shared || p->is_cpu;
  p->error_correction = corrected;
  p->unified = svm & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  p->host_pointers = svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  p->host_atomics = p->unified && (svm & CL_DEVICE_SVM_ATOMICS);
}

static void describe_kernels(struct questions *device, struct ka__cl_description *found) {
  ka_device_properties *p = &found->properties;
  cl_device_fp_config singles, doubles;
  size_t timer;
  GET(device, CL_DEVICE_SINGLE_FP_CONFIG, singles);
  GET(device, CL_DEVICE_DOUBLE_FP_CONFIG, doubles);
  GET(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, timer);
  p->fp64 = doubles != 0;
  p->fp32_denormals = singles & CL_FP_DENORM;
  p->timer_resolution_ns = (uint32_t)timer;
  char *extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  p->fp16 = has_word(extensions, "cl_khr_fp16");
  p->int64_atomics = has_word(extensions, "cl_khr_int64_base_atomics") &&
                     has_word(extensions, "cl_khr_int64_extended_atomics");
  p->shuffles = has_word(extensions, "cl_khr_subgroup_shuffle");
  found->priorities = has_word(extensions, "cl_khr_priority_hints");
  p->relative_shuffles = has_word(extensions, "cl_khr_subgroup_shuffle_relative");
  p->ballots = has_word(extensions, "cl_khr_subgroup_ballot");
  enum { MOST = sizeof p->sub_group_sizes / sizeof *p->sub_group_sizes };
  size_t sizes[64], bytes = 0;
  if (has_word(extensions, "cl_intel_required_subgroup_size") &&
      ask(device, SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes))
    for (size_t i = 0; i < MOST && i < bytes / sizeof *sizes; i++)
      p->sub_group_sizes[i] = (uint32_t)sizes[i];
  free(extensions);
}

void ka__cl_describe(cl_device_id id, const char *platform, struct ka__cl_description *found) {
  struct questions device = {id, CL_SUCCESS};
  *found = (struct ka__cl_description){0};
  cl_bool available, little;
  cl_uint bits;
  cl_device_exec_capabilities exec;
  GET(&device, CL_DEVICE_AVAILABLE, available);
  GET(&device, CL_DEVICE_ENDIAN_LITTLE, little);
  GET(&device, CL_DEVICE_ADDRESS_BITS, bits);
  GET(&device, CL_DEVICE_SVM_CAPABILITIES, found->svm);
  GET(&device, CL_DEVICE_EXECUTION_CAPABILITIES, exec);
  found->available = available;
  found->little_64_bits = little && bits == 64;
  found->native_kernels = exec & CL_EXEC_NATIVE_KERNEL;
  char *languages = device_text(&device, CL_DEVICE_IL_VERSION);
  found->spirv = languages && strstr(languages, "SPIR-V_1.");
  free(languages);
  describe_names(&device, platform, &found->properties);
  describe_groups(&device, &found->properties);
  describe_memory(&device, found->svm, &found->properties);
  describe_kernels(&device, found);
  found->error = device.error;
}
