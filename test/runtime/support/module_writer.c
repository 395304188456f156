/* Writes metadata and bundles for tests. */
#include "test/runtime/support/module_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends bytes, after padding to a multiple of `align`; returns where they begin. */
static size_t append(struct blob *blob, const void *bytes, size_t count, size_t align) {
  size_t at = (blob->bytes + align - 1) / align * align;
  char *grown = realloc(blob->start, at + count + 1);
  if (!grown)
    abort();
  memset(grown + blob->bytes, 0, at - blob->bytes);
  if (count && bytes)
    memcpy(grown + at, bytes, count);
  else
    memset(grown + at, 0, count);
  blob->start = grown;
  blob->bytes = at + count;
  return at;
}

static uint32_t add_string(struct blob *strings, const char *text) {
  return (uint32_t)append(strings, text, strlen(text) + 1, 1);
}

struct blob write_metadata(const struct kernel_spec *kernels, uint32_t count) {
  struct blob strings = {0}, kernel_table = {0}, param_table = {0}, pointer_table = {0};
  struct blob site_table = {0};
  uint32_t params = 0, pointers = 0, sites = 0;
  add_string(&strings, "");
  for (uint32_t k = 0; k < count; k++) {
    const struct kernel_spec *spec = &kernels[k];
    struct ka_metadata_kernel kernel = {
        .name = add_string(&strings, spec->name),
        .symbol = add_string(&strings, spec->symbol ? spec->symbol : spec->name),
        .file = add_string(&strings, "written.c"),
        .line = 10 * (k + 1),
        .column = 1,
        .flags = spec->flags,
        .first_param = params,
        .param_count = spec->param_count,
        .group_size = {spec->group_size[0], spec->group_size[1], spec->group_size[2]},
        .tuple_align = 8,
        .tuple_bytes = spec->tuple_bytes,
        .local_bytes = spec->local_bytes,
        .first_site = sites,
        .site_count = spec->site_count,
    };
    append(&kernel_table, &kernel, sizeof kernel, 8);
    for (uint32_t p = 0; p < spec->param_count; p++, params++) {
      struct ka_metadata_param param = {
          .name = add_string(&strings, spec->params[p].name),
          .type = add_string(&strings, spec->params[p].type ? spec->params[p].type : "(written)"),
          .kind = spec->params[p].kind,
          .flags = spec->params[p].flags,
          .element = spec->params[p].element,
          .offset = spec->params[p].offset,
          .size = spec->params[p].size,
          .align = 4,
          .first_pointer = pointers,
      };
      for (int i = 0; i < 4 && spec->params[p].pointers[i].path; i++, pointers++) {
        struct ka_metadata_pointer pointer = {
            .offset = spec->params[p].pointers[i].offset,
            .path = add_string(&strings, spec->params[p].pointers[i].path),
            .flags = spec->params[p].pointers[i].flags,
        };
        append(&pointer_table, &pointer, sizeof pointer, 8);
        param.pointer_count++;
      }
      append(&param_table, &param, sizeof param, 8);
    }
    for (uint32_t s = 0; s < spec->site_count; s++, sites++) {
      struct ka_metadata_site site = {
          .kind = spec->sites[s].kind,
          .text = add_string(&strings, spec->sites[s].text),
          .file = add_string(&strings, spec->sites[s].file),
          .line = spec->sites[s].line,
          .function = add_string(&strings, spec->sites[s].function),
      };
      append(&site_table, &site, sizeof site, 8);
    }
  }
  struct ka_metadata_header header = {
      .magic = KA_METADATA_MAGIC,
      .version = KA_METADATA_VERSION,
      .kernel_count = count,
      .param_count = params,
      .pointer_count = pointers,
      .site_count = sites,
      .string_bytes = (uint32_t)strings.bytes,
  };
  struct blob all = {0};
  append(&all, &header, sizeof header, 8);
  header.kernel_offset = (uint32_t)append(&all, kernel_table.start, kernel_table.bytes, 8);
  header.param_offset = (uint32_t)append(&all, param_table.start, param_table.bytes, 8);
  header.pointer_offset = (uint32_t)append(&all, pointer_table.start, pointer_table.bytes, 8);
  header.site_offset = (uint32_t)append(&all, site_table.start, site_table.bytes, 8);
  header.string_offset = (uint32_t)append(&all, strings.start, strings.bytes, 1);
  header.bytes = (uint32_t)all.bytes;
  memcpy(all.start, &header, sizeof header);
  free(strings.start);
  free(kernel_table.start);
  free(param_table.start);
  free(pointer_table.start);
  free(site_table.start);
  return all;
}

static void put(struct blob *blob, size_t at, uint64_t value, size_t bytes) {
  memcpy(blob->start + at, &value, bytes); /* little-endian hosts only, as the format is */
}

/* Header (32 bytes), entry (40 bytes), pairs of string offsets, strings, image, padding to 8. */
static void write_image(struct blob *out, const struct image_spec *image) {
  const char *strings[6] = {"ka.content", image->content, "triple",
                            image->triple ? image->triple : ""};
  size_t pairs = 2;
  if (image->checksum) {
    strings[4] = "ka.checksum";
    strings[5] = image->checksum;
    pairs = 3;
  }
  struct blob b = {0};
  append(&b, NULL, 72 + 16 * pairs, 8);
  memcpy(b.start, "\x10\xff\x10\xad", 4);
  put(&b, 4, 1, 4);   /* version */
  put(&b, 16, 32, 8); /* offset and size of the entry */
  put(&b, 24, 40, 8);
  put(&b, 32 + 8, 72, 8); /* offset and number of pairs */
  put(&b, 32 + 16, pairs, 8);
  for (size_t s = 0; s < 2 * pairs; s++) {
    size_t at = append(&b, strings[s], strlen(strings[s]) + 1, 1);
    put(&b, 72 + 8 * s, at, 8);
  }
  size_t at = append(&b, image->start, image->bytes, 8);
  put(&b, 32 + 24, at, 8);
  put(&b, 32 + 32, image->bytes, 8);
  append(&b, NULL, 0, 8);
  put(&b, 8, b.bytes, 8); /* size of all */
  append(out, b.start, b.bytes, 8);
  free(b.start);
}

struct blob write_bundle(const struct image_spec *images, size_t count) {
  struct blob bundle = {0};
  for (size_t i = 0; i < count; i++)
    write_image(&bundle, &images[i]);
  return bundle;
}

void write_checksum(const void *start, size_t bytes, char text[17]) {
  unsigned long long hash = 14695981039346656037u;
  for (size_t i = 0; i < bytes; i++) {
    hash ^= ((const unsigned char *)start)[i];
    hash *= 1099511628211u;
  }
  snprintf(text, 17, "%016llx", hash);
}

void module_create_from(struct written_module *written, const struct kernel_spec *kernels,
                        uint32_t count, struct blob bundle) {
  written->bundle = bundle;
  written->module = (struct ka__module){
      .abi_version = KA__ABI_VERSION,
      .kernel_count = count,
      .bundle = bundle.start,
      .bundle_bytes = bundle.bytes,
      .source = "written.c",
  };
  written->kernels = calloc(count + 1, sizeof *written->kernels);
  if (!written->kernels)
    abort();
  for (uint32_t k = 0; k < count; k++)
    written->kernels[k] =
        (struct ka__kernel){.module = &written->module, .name = kernels[k].name, .index = k};
  ka__module_register(&written->module);
}

void module_create(struct written_module *written, const struct kernel_spec *kernels,
                   uint32_t count, const void *spirv, size_t spirv_bytes) {
  struct blob metadata = write_metadata(kernels, count);
  char sum[17];
  write_checksum(spirv, spirv_bytes, sum);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "spirv",
       .triple = "spirv64-unknown-unknown",
       .start = spirv,
       .bytes = spirv_bytes,
       .checksum = sum},
  };
  module_create_from(written, kernels, count, write_bundle(images, 2));
  free(metadata.start);
}

void module_release(struct written_module *written) {
  ka__module_unregister(&written->module);
  free(written->kernels);
  free(written->bundle.start);
}
