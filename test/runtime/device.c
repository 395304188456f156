/* Devices and their properties. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

TEST(describes_the_cpu) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (!p.is_cpu)
    test_skip("device 0 is no CPU");
  CHECK(p.name[0] && p.vendor[0] && p.driver[0]);
  CHECK_CONTAINS(p.api, "OpenCL");
  CHECK_INT(p.compute_units, sysconf(_SC_NPROCESSORS_ONLN));
  CHECK_INT(p.max_dimensions, 3);
  CHECK(p.max_group_size >= 256);
  for (int d = 0; d < 3; d++)
    CHECK(p.max_group_extent[d] >= 1);
  CHECK(p.local_bytes >= 16 * 1024);
  unsigned long long memory =
      (unsigned long long)sysconf(_SC_PHYS_PAGES) * (unsigned long long)sysconf(_SC_PAGESIZE);
  CHECK(p.memory_bytes > 0 && p.memory_bytes <= memory);
  CHECK(p.max_alloc_bytes > 0 && p.max_alloc_bytes <= p.memory_bytes);
  CHECK(p.unified);
  CHECK(p.fp64);
}

TEST(refuses_numbers_out_of_range) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  int count = ka_num_devices(be);
  CHECK_STATUS(ka_device_info(be, count, &p), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("ka_device_info", "opencl has no device");
  CHECK_STATUS(ka_device_info(be, -1, &p), KA_ERROR_NO_DEVICE);
  CHECK_STATUS(ka_set_device(be, count), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("ka_set_device", "numbered from 0");
  CHECK_STATUS(ka_set_device(be, -1), KA_ERROR_NO_DEVICE);
  CHECK_INT(ka_get_device(be), 0);
}

TEST(refuses_null) {
  ka_device_properties p;
  CHECK_STATUS(ka_device_info(NULL, 0, &p), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_device_info(test_backend(), 0, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_device_info", "NULL");
}

static void *choose_first(void *backend) {
  CHECK_INT(ka_get_device(backend), 0);
  CHECK_OK(ka_set_device(backend, 0));
  return NULL;
}

TEST(chooses_a_device_for_each_thread) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  ka_backend *be = test_backend();
  CHECK_INT(ka_num_devices(be), 2);
  CHECK_OK(ka_set_device(be, 1));
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, choose_first, be), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  CHECK_INT(ka_get_device(be), 1);
}

/* ---- What the driver says, by a loader that answers for it ---- */

#define ANSWER(what, type, ...) {what, &(type){__VA_ARGS__}, sizeof(type), 0}
#define TEXT(what, text)        {what, text, sizeof(text), 0}

static const struct faulty_answer unusual[] = {
    TEXT(CL_DEVICE_NAME, "abacus"),
    TEXT(CL_DEVICE_VENDOR, "Napier"),
    TEXT(CL_DEVICE_VERSION, "OpenCL 3.0 bones"),
    TEXT(CL_DRIVER_VERSION, "16.17"),
    TEXT(CL_DEVICE_EXTENSIONS,
         "cl_khr_subgroup_shuffle_relative cl_khr_fp16 cl_khr_subgroup_ballot "
         "cl_khr_int64_base_atomics cl_intel_required_subgroup_size"),
    ANSWER(CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_GPU),
    ANSWER(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 19),
    ANSWER(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, 1234),
    ANSWER(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 768),
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, (const size_t[]){700, 70, 7}, 3 * sizeof(size_t), 0},
    ANSWER(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, 24),
    ANSWER(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, 3),
    ANSWER(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, 21),
    {0x4108, (const size_t[]){12, 24}, 2 * sizeof(size_t), 0},
    ANSWER(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 4352),
    ANSWER(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 7777),
    ANSWER(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 49000),
    ANSWER(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, CL_LOCAL),
    ANSWER(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 0x123456789a),
    ANSWER(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 0x23456789),
    ANSWER(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong, 5555555),
    ANSWER(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, 96),
    ANSWER(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool, CL_FALSE),
    ANSWER(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, CL_TRUE),
    ANSWER(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, CL_FP_ROUND_TO_NEAREST),
    ANSWER(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0),
    ANSWER(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 37),
    ANSWER(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities,
           CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS),
    {0, NULL, 0, 0},
};

TEST(says_what_the_driver_says) {
  struct faulty_opencl *cl = faulty_opencl_find("faulty_opencl");
  cl->answers = unusual;
  ka_device_properties p;
  CHECK_OK(ka_device_info(test_backend(), 0, &p));
  CHECK_STRING(p.name, "abacus");
  CHECK_STRING(p.vendor, "Napier");
  CHECK_CONTAINS(p.driver, "Portable Computing Language", "16.17");
  CHECK_STRING(p.api, "OpenCL 3.0 bones");
  CHECK(!p.is_cpu);
  CHECK(p.is_gpu);
  CHECK_INT(p.compute_units, 19);
  CHECK_INT(p.clock_mhz, 1234);
  CHECK_INT(p.max_dimensions, 3);
  CHECK_INT(p.max_groups, 0xffffffff);
  CHECK_INT(p.max_group_size, 768);
  CHECK_INT(p.max_group_extent[0], 700);
  CHECK_INT(p.max_group_extent[1], 70);
  CHECK_INT(p.max_group_extent[2], 7);
  CHECK_INT(p.preferred_group_multiple, 24);
  CHECK_INT(p.vector_bytes, 12);
  CHECK_INT(p.max_sub_groups, 21);
  CHECK_INT(p.sub_group_sizes[0], 12);
  CHECK_INT(p.sub_group_sizes[1], 24);
  CHECK_INT(p.sub_group_sizes[2], 0);
  CHECK_INT(p.max_parameter_bytes, 4352);
  CHECK_INT(p.print_bytes, 7777);
  CHECK_INT(p.local_bytes, 49000);
  CHECK_INT(p.memory_bytes, 0x123456789a);
  CHECK_INT(p.max_alloc_bytes, 0x23456789);
  CHECK_INT(p.cache_bytes, 5555555);
  CHECK_INT(p.cache_line_bytes, 96);
  CHECK(p.local_is_separate);
  CHECK(!p.shares_memory);
  CHECK(p.unified);
  CHECK(!p.host_pointers);
  CHECK(p.host_atomics);
  CHECK(p.error_correction);
  CHECK(!p.fp64);
  CHECK(p.fp16);
  CHECK(!p.fp32_denormals);
  CHECK(!p.int64_atomics); /* half of the two extensions */
  CHECK(p.sub_groups);
  CHECK(!p.shuffles); /* the name only begins another's */
  CHECK(p.relative_shuffles);
  CHECK(p.ballots);
  CHECK_INT(p.timer_resolution_ns, 37);
}

TEST(gives_the_first_of_very_many_sub_group_sizes) {
  static size_t sizes[64];
  for (size_t i = 0; i < 64; i++)
    sizes[i] = i + 1;
  static const struct faulty_answer answers[] = {{0x4108, sizes, sizeof sizes, 0}, {0, NULL, 0, 0}};
  struct faulty_opencl *cl = faulty_opencl_find("faulty_opencl");
  cl->answers = answers;
  ka_device_properties p;
  CHECK_OK(ka_device_info(test_backend(), 0, &p));
  for (int i = 0; i < 16; i++)
    CHECK_INT(p.sub_group_sizes[i], i + 1);
  CHECK(p.fp64);
}

static int questions(void) {
  int count = 0;
  for (const struct faulty_entry *e = faulty_opencl_find("faulty_opencl_entries"); e->name; e++)
    if (strcmp(e->name, "clGetDeviceInfo") == 0 || strcmp(e->name, "clGetPlatformInfo") == 0 ||
        strcmp(e->name, "clGetDeviceIDs") == 0 || strcmp(e->name, "clGetPlatformIDs") == 0)
      count += e->calls;
  return count;
}

TEST(asks_the_driver_only_at_the_start) {
  CHECK_INT(questions(), 0);
  ka_backend *be = test_backend();
  int asked = questions();
  CHECK(asked > 30);
  ka_device_properties p;
  for (int i = 0; i < 100; i++)
    CHECK_OK(ka_device_info(be, 0, &p));
  int *memory = ka_alloc_zeroed(be, 2 * sizeof *memory);
  for (int i = 0; i < 10; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, memory, 1));
  CHECK_OK(ka_fill(be, memory, &(int){0}, sizeof(int), 2));
  CHECK_OK(ka_synchronize(be));
  CHECK(ka_default_backend() == be);
  CHECK(ka_backend_open("opencl:0") == be);
  CHECK_INT(ka_num_devices(be), 1);
  CHECK_OK(ka_free(memory));
  CHECK_INT(questions(), asked);
}
