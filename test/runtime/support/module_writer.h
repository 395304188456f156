/* Makes modules, metadata and bundles by hand, from nothing but what ka/abi.h and the description
 * of LLVM's OffloadBinary say: independent of the compiler's writer and of libka's reader. */
#ifndef KA_TEST_RUNTIME_SUPPORT_MODULE_WRITER_H
#define KA_TEST_RUNTIME_SUPPORT_MODULE_WRITER_H

#include <ka/ka.h>

struct pointer_spec {
  const char *path;
  uint64_t offset;
  uint32_t flags; /* ka_metadata_pointer_flags */
};

struct param_spec {
  const char *name;
  uint32_t kind; /* ka_metadata_param_kind */
  uint64_t offset, size;
  const char *type;                /* NULL: "(written)" */
  uint32_t flags;                  /* ka_metadata_param_flags */
  uint32_t element;                /* KA__ELEMENT; 0: not said */
  struct pointer_spec pointers[4]; /* path NULL ends the list */
};

struct site_spec {
  uint32_t kind; /* ka_metadata_site_kind */
  const char *text, *file, *function;
  uint32_t line;
};

struct kernel_spec {
  const char *name, *symbol; /* symbol NULL: the name */
  uint32_t flags;
  uint32_t group_size[3];
  uint64_t tuple_bytes, local_bytes;
  uint32_t param_count, site_count;
  const struct param_spec *params;
  const struct site_spec *sites;
};

/* Bytes on the heap, aligned to 8. */
struct blob {
  char *start;
  size_t bytes;
};

struct image_spec {
  const char *content, *triple;
  const void *start;
  size_t bytes;
  const char *checksum; /* value of "ka.checksum"; NULL: none */
};

struct blob write_metadata(const struct kernel_spec *kernels, uint32_t count);
struct blob write_bundle(const struct image_spec *images, size_t count);

/* FNV-1a, 64 bits, as 16 hexadecimal digits and a NUL. */
void write_checksum(const void *start, size_t bytes, char text[17]);

/* Metadata and one SPIR-V image, registered as a compiled file would be. */
struct written_module {
  struct ka__module module;
  struct ka__kernel *kernels;
  struct blob bundle;
};
void module_create(struct written_module *written, const struct kernel_spec *kernels,
                   uint32_t count, const void *spirv, size_t spirv_bytes);
/* The same with any bundle, which it takes over. */
void module_create_from(struct written_module *written, const struct kernel_spec *kernels,
                        uint32_t count, struct blob bundle);
void module_release(struct written_module *written);

#endif
