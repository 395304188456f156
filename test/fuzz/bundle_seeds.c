/* Writes whole bundles and metadata into the folder SEEDS, for the fuzzer to start from. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void save(const char *name, struct blob blob) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", SEEDS, name);
  FILE *file = fopen(path, "wb");
  CHECK(file);
  CHECK_INT(fwrite(blob.start, 1, blob.bytes, file), blob.bytes);
  CHECK_INT(fclose(file), 0);
}

TEST(writes_seeds) {
  mkdir(SEEDS, 0777);
  char sum[17];
  write_checksum("image", 5, sum);
  struct blob none = write_metadata(NULL, 0);
  struct blob some = write_metadata(&test_kernel_specs[K_add_pair], 2);
  struct blob all = write_metadata(test_kernel_specs, K_COUNT);
  const struct image_spec images[] = {
      {.content = "metadata", .start = some.start, .bytes = some.bytes},
      {.content = "spirv", .triple = "spirv64", .start = "image", .bytes = 5, .checksum = sum},
      {.content = "ptx", .triple = "nvptx64", .start = "more", .bytes = 4},
  };
  save("metadata-none", none);
  save("metadata-some", some);
  save("metadata-all", all);
  save("bundle-1", write_bundle(images, 1));
  save("bundle-2", write_bundle(images, 2));
  save("bundle-3", write_bundle(images, 3));
}
