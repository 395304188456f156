/* What a program can ask of a kernel, and how long a handle is good. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static ka_kernel *handle(enum test_kernel kernel) {
  return ka__kernel_of(test_backend(), test_kernel(kernel));
}

TEST(says_all_of_a_kernel) {
  ka_kernel *k = handle(K_mixed);
  CHECK(k);
  ka_kernel_properties info;
  CHECK_OK(ka_kernel_info(k, &info));
  CHECK_STRING(info.name, "mixed");
  CHECK_STRING(info.file, "written.c");
  CHECK_INT(info.line, 10 * (K_mixed + 1));
  CHECK_INT(info.parameter_count, 10);
  CHECK_INT(info.tuple_bytes, sizeof(struct args_mixed));
  for (int d = 0; d < 3; d++)
    CHECK_INT(info.static_group[d], 0);
  CHECK(info.barriers);
  ka_device_properties device;
  CHECK_OK(ka_device_info(test_backend(), 0, &device));
  CHECK(info.max_group_size >= 1 && info.max_group_size <= device.max_group_size);
  CHECK(info.preferred_multiple >= 1 && info.preferred_multiple <= info.max_group_size);
  CHECK(info.local_bytes <= device.local_bytes);
}

TEST(says_the_static_group_size) {
  ka_kernel_properties info;
  CHECK_OK(ka_kernel_info(handle(K_fixed_groups), &info));
  CHECK_INT(info.static_group[0], 8);
  CHECK_INT(info.static_group[1], 4);
  CHECK_INT(info.static_group[2], 1);
  CHECK(!info.barriers);
}

/* Groups of the largest size that is told run, larger ones do not. */
TEST(the_largest_group_runs) {
  ka_backend *be = test_backend();
  ka_kernel_properties info;
  CHECK_OK(ka_kernel_info(handle(K_groups), &info));
  uint64_t *sizes = ka_alloc_zeroed(be, 6 * sizeof *sizes);
  size_t most = info.max_group_size;
  CHECK_OK(LAUNCH(be, ka_with_group(ka_range(most), most), groups, sizes));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(sizes[0], most);
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(2 * most), 2 * most), groups, sizes),
               KA_ERROR_INVALID_GROUP_SIZE);
}

TEST(says_the_group_memory_of_the_metadata) {
  struct kernel_spec spec = test_kernel_specs[K_saxpy];
  spec.local_bytes = 12345;
  struct written_module written;
  module_create(&written, &spec, 1, test_spirv, (size_t)(test_spirv_end - test_spirv));
  ka_kernel_properties info;
  CHECK_OK(ka_kernel_info(ka__kernel_of(test_backend(), &written.kernels[0]), &info));
  CHECK_INT(info.local_bytes, 12345);
  module_release(&written);
}

TEST(says_each_parameter) {
  ka_kernel *k = handle(K_mixed);
  static const struct {
    const char *name, *type;
    ka_parameter_kind kind;
    bool is_const;
    size_t size, offset;
  } expected[] = {
#define P(name, type, kind, is_const)                                                              \
  {#name,                                                                                          \
   type,                                                                                           \
   KA_PARAMETER_##kind,                                                                            \
   is_const,                                                                                       \
   sizeof(((struct args_mixed *)0)->name),                                                         \
   offsetof(struct args_mixed, name)}
      P(out, "double *", POINTER, false),
      P(f, "float", SCALAR, false),
      P(d, "double", SCALAR, false),
      P(i, "int", SCALAR, false),
      P(n, "size_t", SCALAR, false),
      P(s, "short", SCALAR, false),
      P(u, "unsigned char", SCALAR, false),
      P(t, "struct triple", AGGREGATE, false),
      P(x, "const float *restrict", POINTER, true),
      P(scratch, "ka_local int *", LOCAL, false),
  };
  for (uint32_t i = 0; i < 10; i++) {
    ka_kernel_parameter p;
    CHECK_OK(ka_kernel_parameter_info(k, i, &p));
    CHECK_STRING(p.name, expected[i].name);
    CHECK_STRING(p.type, expected[i].type);
    CHECK_INT(p.kind, expected[i].kind);
    CHECK_INT(p.is_const, expected[i].is_const);
    CHECK_INT(p.size, expected[i].size);
    CHECK_INT(p.offset, expected[i].offset);
  }
  ka_kernel_parameter p;
  CHECK_STATUS(ka_kernel_parameter_info(k, 10, &p), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("'mixed'", "number 10", "it has 10", "start at 0");
}

TEST(a_kernel_has_one_handle) {
  CHECK(handle(K_saxpy) == handle(K_saxpy));
  CHECK(handle(K_saxpy) != handle(K_visit));
}

static void *get_handle(void *unused) {
  (void)unused;
  return handle(K_saxpy);
}

TEST(threads_get_one_handle) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  test_kernel(K_saxpy);
  for (int t = 0; t < THREADS; t++)
    CHECK(pthread_create(&threads[t], NULL, get_handle, NULL) == 0);
  for (int t = 0; t < THREADS; t++) {
    void *got;
    CHECK(pthread_join(threads[t], &got) == 0);
    CHECK(got && got == handle(K_saxpy));
  }
}

TEST(refuses_null) {
  CHECK(!ka__kernel_of(NULL, test_kernel(K_saxpy)));
  CHECK_MESSAGE("ka_kernel_of", "backend is NULL");
  CHECK(!ka__kernel_of(test_backend(), NULL));
  CHECK_MESSAGE("ka_kernel_of", "kacc");
  ka_kernel_properties info;
  ka_kernel_parameter parameter;
  CHECK_STATUS(ka_kernel_info(NULL, &info), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_kernel_info", "the kernel is NULL");
  CHECK_STATUS(ka_kernel_parameter_info(NULL, 0, &parameter), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_kernel_info(handle(K_saxpy), NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_kernel_parameter_info(handle(K_saxpy), 0, NULL), KA_ERROR_INVALID_ARGUMENT);
}

TEST(a_handle_of_a_closed_library_is_refused) {
  ka_backend *be = test_backend();
  struct written_module written;
  module_create(&written, &test_kernel_specs[K_saxpy], 1, test_spirv,
                (size_t)(test_spirv_end - test_spirv));
  ka_kernel *k = ka__kernel_of(be, &written.kernels[0]);
  float x = 1, y = 1;
  CHECK_OK(ka_launch_tuple(k, ka_range(1), ka_tuple(2.0f, &x, &y)));
  module_release(&written);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(y, 3);
  CHECK_STATUS(ka_launch_tuple(k, ka_range(1), ka_tuple(2.0f, &x, &y)), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_launch_tuple", "library that defines kernel 'saxpy' has been closed");
  CHECK_STATUS(ka_launch_tuple(k, ka_range(1), &x, sizeof x), KA_ERROR_INVALID_ARGUMENT);
  ka_kernel_properties info;
  ka_kernel_parameter parameter;
  CHECK_STATUS(ka_kernel_info(k, &info), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_kernel_parameter_info(k, 0, &parameter), KA_ERROR_INVALID_ARGUMENT);
}

TEST(a_kernel_that_cannot_be_read_has_no_handle) {
  struct written_module written;
  module_create_from(&written, &test_kernel_specs[K_saxpy], 1, write_bundle(NULL, 0));
  CHECK(!ka__kernel_of(test_backend(), &written.kernels[0]));
  CHECK_MESSAGE("'saxpy'", "damaged");
  module_release(&written);
}
