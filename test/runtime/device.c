/* Devices and their properties. */
#include "test/runtime/support/test.h"

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
