/* Modules: registered, damaged, missing images, unregistered. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static size_t spirv_bytes(void) { return (size_t)(test_spirv_end - test_spirv); }

static ka_status launch_empty(ka_backend *be, struct written_module *module) {
  return ka__launch(be, ka_range(1), &module->kernels[K_empty], NULL, 0);
}

static ka_status launch_slow(ka_backend *be, struct written_module *module, int *p,
                             uint64_t rounds) {
  struct args_slow args = {p, rounds};
  return ka__launch(be, ka_range(1), &module->kernels[K_slow], &args, sizeof args);
}

TEST(modules_with_kernels_of_one_name_live_side_by_side) {
  ka_backend *be = test_backend();
  struct written_module a, b;
  module_create(&a, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  /* The second module's "saxpy" is another kernel. */
  struct kernel_spec other = test_kernel_specs[K_slow];
  other.name = "saxpy";
  other.symbol = "slow";
  module_create(&b, &other, 1, test_spirv, spirv_bytes());
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  float x = 1, y = 2;
  struct args_saxpy for_a = {3.0f, &x, &y};
  struct args_slow for_b = {p, 1};
  CHECK_OK(ka__launch(be, ka_range(1), &a.kernels[K_saxpy], &for_a, sizeof for_a));
  CHECK_OK(ka__launch(be, ka_range(1), &b.kernels[0], &for_b, sizeof for_b));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(y, 5);
  CHECK_INT(p[0], 1);
  module_release(&a);
  module_release(&b);
}

TEST(unregistering_leaves_launches_in_flight_alone) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 200);
  struct written_module module;
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(launch_slow(be, &module, p, rounds));
  CHECK_OK(launch_slow(be, &module, p, rounds));
  memset(module.bundle.start, 0xff, module.bundle.bytes);
  double start = test_now();
  module_release(&module);
  double took = test_now() - start;
  CHECK_OK(ka_synchronize(be));
  double all = test_now() - start;
  CHECK_INT(p[0], 2);
  if (took > 0.5 * all)
    test_fail(__FILE__, __LINE__, "unregistering took %.3f s of %.3f s", took, all);
}

TEST(a_module_can_be_registered_again) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  struct written_module module;
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  for (int i = 1; i <= 5; i++) {
    CHECK_OK(launch_slow(be, &module, p, 1));
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(p[0], i);
    ka__module_unregister(&module.module);
    CHECK(!module.module.state);
    CHECK(!module.kernels[K_slow].state);
    ka__module_register(&module.module);
  }
  module_release(&module);
}

/* A constructor of another file may launch before this file's own constructor has run. */
TEST(a_launch_registers_by_itself) {
  ka_backend *be = test_backend();
  struct written_module module;
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  ka__module_unregister(&module.module);
  CHECK_OK(launch_empty(be, &module));
  ka__module_register(&module.module);
  CHECK_OK(launch_empty(be, &module));
  module_release(&module);
}

TEST(unregistering_what_is_not_registered_does_nothing) {
  struct ka__module module = {.abi_version = KA__ABI_VERSION};
  ka__module_unregister(&module);
  ka__module_register(&module);
  ka__module_unregister(&module);
  ka__module_unregister(&module);
}

TEST(refuses_another_version_of_the_interface) {
  ka_backend *be = test_backend();
  struct written_module module;
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  module.module.abi_version = 99;
  CHECK_STATUS(launch_empty(be, &module), KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("'empty'", "written.c", "version 99", "compile that file again");
  module_release(&module);
}

TEST(refuses_a_kernel_that_is_not_in_the_metadata) {
  ka_backend *be = test_backend();
  struct written_module module;
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  module.kernels[K_empty].index = K_COUNT;
  CHECK_STATUS(launch_empty(be, &module), KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("'empty'", "not in its metadata");
  module_release(&module);
}

TEST(refuses_metadata_of_other_kernels) {
  ka_backend *be = test_backend();
  struct written_module module;
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv, spirv_bytes());
  module.module.kernel_count = K_COUNT - 1;
  CHECK_STATUS(launch_empty(be, &module), KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("another number of kernels");
  module_release(&module);
}

TEST(refuses_an_empty_bundle) {
  ka_backend *be = test_backend();
  struct written_module module;
  module_create_from(&module, test_kernel_specs, K_COUNT, (struct blob){NULL, 0});
  CHECK_STATUS(launch_empty(be, &module), KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("'empty'", "written.c", "damaged", "empty");
  module_release(&module);
}

TEST(names_the_images_that_are_there) {
  ka_backend *be = test_backend();
  struct blob metadata = write_metadata(test_kernel_specs, K_COUNT);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "ptx", .start = "x", .bytes = 1},
      {.content = "metal", .start = "y", .bytes = 1},
  };
  struct written_module module;
  module_create_from(&module, test_kernel_specs, K_COUNT, write_bundle(images, 3));
  CHECK_STATUS(launch_empty(be, &module), KA_ERROR_NO_IMAGE);
  CHECK_MESSAGE("'empty'", "written.c:10", "opencl", "spirv", "there is: ptx, metal",
                "--ka-targets=spirv");
  struct written_module none;
  module_create_from(&none, test_kernel_specs, K_COUNT, write_bundle(images, 1));
  CHECK_STATUS(launch_empty(be, &none), KA_ERROR_NO_IMAGE);
  CHECK_MESSAGE("there is: none");
  module_release(&module);
  module_release(&none);
  free(metadata.start);
}

TEST(refuses_an_image_with_a_wrong_checksum) {
  ka_backend *be = test_backend();
  struct blob metadata = write_metadata(test_kernel_specs, K_COUNT);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "spirv",
       .start = test_spirv,
       .bytes = spirv_bytes(),
       .checksum = "0123456789abcdef"},
  };
  struct written_module module;
  module_create_from(&module, test_kernel_specs, K_COUNT, write_bundle(images, 2));
  CHECK_STATUS(launch_empty(be, &module), KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("'empty'", "checksum");
  module_release(&module);
  free(metadata.start);
}

static ka_status launch_image(ka_backend *be, const void *start, size_t bytes) {
  struct blob metadata = write_metadata(test_kernel_specs, K_COUNT);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "spirv", .start = start, .bytes = bytes},
  };
  struct written_module module;
  module_create_from(&module, test_kernel_specs, K_COUNT, write_bundle(images, 2));
  ka_status status = launch_empty(be, &module);
  module_release(&module);
  free(metadata.start);
  return status;
}

TEST(refuses_an_image_that_is_no_spirv) {
  ka_backend *be = test_backend();
  CHECK_STATUS(launch_image(be, "not SPIR-V at all...", 20), KA_ERROR_INVALID_BUNDLE);
  CHECK_MESSAGE("'empty'", "does not begin with a header of SPIR-V");
  CHECK_STATUS(launch_image(be, test_spirv, 0), KA_ERROR_INVALID_BUNDLE);
  CHECK_STATUS(launch_image(be, test_spirv, 16), KA_ERROR_INVALID_BUNDLE);
  CHECK_STATUS(launch_image(be, test_spirv, spirv_bytes() - 1), KA_ERROR_INVALID_BUNDLE);
  CHECK_OK(launch_image(be, test_spirv, spirv_bytes()));
}

/* Cut off anywhere inside an instruction. Where an instruction ends, the framing alone does not
 * show it; the checksum does. */
TEST(refuses_spirv_that_is_cut_off) {
  ka_backend *be = test_backend();
  for (size_t bytes = 24; bytes < 400; bytes += 4) {
    const uint32_t *words = (const void *)test_spirv;
    size_t at = 5;
    while (at < bytes / 4)
      at += words[at] >> 16;
    if (at == bytes / 4)
      continue;
    CHECK_STATUS(launch_image(be, test_spirv, bytes), KA_ERROR_INVALID_BUNDLE);
    CHECK_MESSAGE("reaches beyond its end");
  }
}

TEST(names_an_entry_point_that_is_missing) {
  ka_backend *be = test_backend();
  struct kernel_spec spec = {.name = "ghost"};
  struct written_module module;
  module_create(&module, &spec, 1, test_spirv, spirv_bytes());
  CHECK_STATUS(ka__launch(be, ka_range(1), module.kernels, NULL, 0), KA_ERROR_BUILD_FAILED);
  CHECK_MESSAGE("'ghost'", "written.c:10", "clCreateKernel", "CL_INVALID_KERNEL_NAME");
  /* A failure is not remembered as a success. */
  CHECK_STATUS(ka__launch(be, ka_range(1), module.kernels, NULL, 0), KA_ERROR_BUILD_FAILED);
  module_release(&module);
}

static void call_kernel(void) {
  struct ka__kernel kernel = {.name = "blur"};
  ka__kernel_called(&kernel);
}

TEST(a_kernel_called_as_a_function_ends_the_program) {
  char text[400];
  int status = test_in_child(call_kernel, text, sizeof text);
  CHECK(WIFSIGNALED(status));
  CHECK_INT(WTERMSIG(status), SIGABRT);
  CHECK_CONTAINS(text, "kernel 'blur'", "ka_launch(backend, range, blur(...))");
}

static void ask_for_id(void) { ka_global_id(0); }

TEST(a_work_item_function_on_the_host_ends_the_program) {
  char text[400];
  int status = test_in_child(ask_for_id, text, sizeof text);
  CHECK(WIFSIGNALED(status));
  CHECK_INT(WTERMSIG(status), SIGABRT);
  CHECK_CONTAINS(text, "ka_global_id was called on the host");
}
