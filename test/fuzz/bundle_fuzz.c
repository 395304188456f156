/* A libFuzzer target: reads any bytes as a bundle, checks any image as metadata, and uses all that
 * the readers promise. */
#include "runtime/core/bundle.h"
#include "runtime/core/metadata.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink;

static void read_string(const char *string) { sink += strlen(string); }

static void require(bool condition) {
  if (!condition)
    abort();
}

static void use_metadata(const void *metadata) {
  for (uint32_t k = 0; k < ka__metadata_kernel_count(metadata); k++) {
    struct ka__kernel_view view;
    ka__metadata_kernel(metadata, k, &view);
    read_string(view.name);
    read_string(view.symbol);
    read_string(view.file);
    for (uint32_t p = 0; p < view.record->param_count; p++) {
      const struct ka_metadata_param *param = &view.params[p];
      read_string(view.strings + param->name);
      read_string(view.strings + param->type);
      require(param->offset <= view.record->tuple_bytes &&
              param->size <= view.record->tuple_bytes - param->offset);
      for (uint32_t i = 0; i < param->pointer_count; i++) {
        const struct ka_metadata_pointer *pointer = &view.pointers[param->first_pointer + i];
        read_string(view.strings + pointer->path);
        require(pointer->offset <= param->size && sizeof(void *) <= param->size - pointer->offset);
      }
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* A block of its own, so that a read behind the end is seen, and aligned as bundles are. */
  char *copy = malloc(size ? size : 1);
  if (!copy)
    return 0;
  memcpy(copy, data, size);
  const char *why = NULL;
  if (ka__metadata_check(copy, size, &why))
    use_metadata(copy);
  else
    read_string(why);
  struct ka__bundle bundle = {copy, size, 0};
  struct ka__image image;
  enum ka__bundle_result result;
  while ((result = ka__bundle_next(&bundle, &image, &why)) == KA__BUNDLE_IMAGE) {
    require((const char *)image.start >= copy && image.bytes <= size &&
            (const char *)image.start + image.bytes <= copy + size);
    read_string(image.content);
    for (uint64_t i = 0; i < image.bytes; i++)
      sink += ((const uint8_t *)image.start)[i];
    if (ka__metadata_check(image.start, image.bytes, &why))
      use_metadata(image.start);
  }
  if (result == KA__BUNDLE_DAMAGED)
    read_string(why);
  free(copy);
  return 0;
}
