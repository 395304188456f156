/* Finding backends: KA_BACKEND, names, and what is said when none works. */
#include "test/runtime/support/test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TEST(opens_nothing_before_it_is_asked) {
  CHECK(!dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD));
  CHECK(ka_default_backend());
  CHECK(dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD));
}

/* conformance.inlined-functions looks at what PoCL then does. */
TEST(asks_pocl_to_inline_unless_the_user_has_spoken) {
  unsetenv("POCL_LLVM_ALWAYS_INLINE");
  test_backend();
  CHECK_STRING(getenv("POCL_LLVM_ALWAYS_INLINE"), "1");
}

TEST(leaves_the_users_word_on_inlining) {
  setenv("POCL_LLVM_ALWAYS_INLINE", "0", 1);
  test_backend();
  CHECK_STRING(getenv("POCL_LLVM_ALWAYS_INLINE"), "0");
}

TEST(has_a_default) {
  unsetenv("KA_BACKEND");
  ka_backend *backend = ka_default_backend();
  CHECK(backend);
  CHECK_STRING(ka_backend_name(backend), "opencl");
  CHECK(ka_default_backend() == backend);
  CHECK(ka_num_devices(backend) >= 1);
}

TEST(takes_an_empty_variable_as_none) {
  setenv("KA_BACKEND", "", 1);
  CHECK(ka_default_backend());
}

TEST(lists_its_names) {
  CHECK_STRING(ka_backend_name_at(0), "opencl");
  CHECK(!ka_backend_name_at(-1));
  CHECK(!ka_backend_name_at(1));
  CHECK(!ka_backend_name_at(1000));
}

TEST(takes_a_name_from_the_variable) {
  setenv("KA_BACKEND", "opencl", 1);
  CHECK_STRING(ka_backend_name(ka_default_backend()), "opencl");
}

static void *device_of_new_thread(void *backend) {
  CHECK_INT(ka_get_device(backend), 1);
  return NULL;
}

TEST(takes_a_device_from_the_variable_for_all_threads) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  setenv("KA_BACKEND", "opencl:1", 1);
  ka_backend *backend = test_backend();
  CHECK_INT(ka_num_devices(backend), 2);
  CHECK_INT(ka_get_device(backend), 1);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, device_of_new_thread, backend), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
}

TEST(takes_a_device_from_the_variable_when_it_is_opened_by_name) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  setenv("KA_BACKEND", "opencl:1", 1);
  ka_backend *backend = ka_backend_open("opencl");
  CHECK(backend);
  CHECK_INT(ka_get_device(backend), 1);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, device_of_new_thread, backend), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
}

TEST(the_default_device_stays) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  setenv("KA_BACKEND", "opencl:1", 1);
  ka_backend *backend = ka_backend_open("opencl");
  CHECK_INT(ka_get_device(backend), 1);
  setenv("KA_BACKEND", "opencl:0", 1);
  CHECK(ka_default_backend() == backend);
  CHECK_INT(ka_get_device(backend), 1);
}

static void *first_device(void *backend) {
  CHECK_INT(ka_get_device(backend), 0);
  return NULL;
}

TEST(opens_a_device_for_the_calling_thread_only) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  ka_backend *backend = ka_backend_open("opencl:1");
  CHECK(backend);
  CHECK_INT(ka_get_device(backend), 1);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, first_device, backend), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  CHECK(ka_backend_open("opencl") == backend);
  CHECK_INT(ka_get_device(backend), 1);
}

TEST(refuses_an_unknown_name) {
  setenv("KA_BACKEND", "metal", 1);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("KA_BACKEND=\"metal\"", "no backend of this name", "opencl");
}

TEST(a_call_without_backend_says_why_there_is_none) {
  CHECK_STATUS(ka_synchronize(NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_synchronize: ", "ka_error_message() says why");
  setenv("KA_BACKEND", "metal", 1);
  CHECK(!ka_default_backend());
  /* What is asked in between changes nothing. */
  CHECK_STATUS(ka_free(&(int){0}), KA_ERROR_INVALID_POINTER);
  CHECK(!ka_alloc(NULL, 1));
  CHECK_MESSAGE("ka_alloc: the backend is NULL", "KA_BACKEND=\"metal\"", "no backend of this name");
  CHECK(!ka_backend_open("opencl:x"));
  CHECK_INT(ka_num_devices(NULL), 0);
  CHECK_MESSAGE("ka_num_devices: the backend is NULL", "\"opencl:x\"", "no device number");
  CHECK_STATUS(ka_copy(NULL, NULL, NULL, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_copy: the backend is NULL", "\"opencl:x\"", "no device number");
}

TEST(refuses_the_beginning_of_a_name) {
  CHECK(!ka_backend_open("open"));
  CHECK_MESSAGE("\"open\"", "no backend of this name");
  CHECK(!ka_backend_open("openclx"));
  CHECK_MESSAGE("\"openclx\"", "no backend of this name");
  CHECK(!ka_backend_open(""));
  CHECK_MESSAGE("no backend of this name");
}

TEST(refuses_a_device_that_is_not_there) {
  setenv("KA_BACKEND", "opencl:7", 1);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("KA_BACKEND=\"opencl:7\"", "no such device", "opencl:0 (");
}

TEST(refuses_what_is_no_number) {
  static const char *const bad[] = {"opencl:x",
                                    "opencl:",
                                    "opencl:-1",
                                    "opencl: 1",
                                    "opencl:1x",
                                    "opencl:0x1",
                                    "opencl:99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(!ka_backend_open(bad[i]));
    CHECK_MESSAGE(bad[i], "is no device number", "opencl:0");
  }
}

TEST(refuses_null) {
  CHECK(!ka_backend_open(NULL));
  CHECK_MESSAGE("ka_backend_open", "NULL");
  CHECK_STRING(ka_backend_name(NULL), "");
  CHECK_STRING(ka_backend_notes(NULL), "");
  CHECK_INT(ka_num_devices(NULL), 0);
  CHECK_MESSAGE("ka_num_devices", "NULL");
  CHECK_INT(ka_get_device(NULL), 0);
  CHECK_MESSAGE("ka_get_device", "NULL");
  CHECK_STATUS(ka_set_device(NULL, 0), KA_ERROR_INVALID_ARGUMENT);
}

TEST(says_what_to_install_without_the_opencl_loader) {
  setenv("KA_OPENCL_LIBRARY", "libOpenCL-that-is-not-there.so.1", 1);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("no backend works", "opencl", "libOpenCL-that-is-not-there.so.1", "install",
                "ocl-icd-libopencl1", "pocl-opencl-icd");
}

TEST(says_so_when_the_library_is_no_opencl_loader) {
  setenv("KA_OPENCL_LIBRARY", "libm.so.6", 1);
  CHECK(!ka_default_backend());
  CHECK_MESSAGE("libm.so.6", "lacks clGetPlatformIDs", "install");
}

TEST(says_what_to_install_without_a_driver) {
  char folder[] = "/tmp/ka-no-drivers-XXXXXX";
  CHECK(mkdtemp(folder));
  setenv("OCL_ICD_VENDORS", folder, 1);
  ka_backend *backend = ka_default_backend();
  rmdir(folder);
  CHECK(!backend);
  CHECK_MESSAGE("finds no driver", "OCL_ICD_VENDORS", folder, "pocl-opencl-icd");
}

TEST(can_be_asked_again_after_a_failure) {
  setenv("KA_BACKEND", "opencl:7", 1);
  CHECK(!ka_default_backend());
  setenv("KA_OPENCL_LIBRARY", "/nowhere/libOpenCL.so.1", 1);
  unsetenv("KA_BACKEND");
  CHECK(ka_default_backend()); /* the driver was loaded by the first attempt */
}

TEST(takes_a_device_from_the_variable_after_a_failure) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  setenv("KA_BACKEND", "opencl:7", 1);
  CHECK(!ka_default_backend());
  CHECK_INT(ka_get_device(ka_backend_open("opencl")), 0);
  setenv("KA_BACKEND", "opencl:1", 1);
  CHECK_INT(ka_get_device(test_backend()), 1);
}
