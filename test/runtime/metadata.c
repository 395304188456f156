/* The check of kernel metadata: whole, cut off, each field damaged. */
#include "runtime/core/metadata.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <stddef.h>
#include <stdlib.h>

static struct blob written(void) { return write_metadata(test_kernel_specs, K_COUNT); }

TEST(accepts_what_was_written) {
  struct blob blob = written();
  const char *why;
  if (!ka__metadata_check(blob.start, blob.bytes, &why))
    test_fail(__FILE__, __LINE__, "%s", why);
  CHECK_INT(ka__metadata_kernel_count(blob.start), K_COUNT);
  for (uint32_t k = 0; k < K_COUNT; k++) {
    const struct kernel_spec *spec = &test_kernel_specs[k];
    struct ka__kernel_view view;
    ka__metadata_kernel(blob.start, k, &view);
    CHECK_STRING(view.name, spec->name);
    CHECK_STRING(view.symbol, spec->symbol ? spec->symbol : spec->name);
    CHECK_STRING(view.file, "written.c");
    CHECK_INT(view.record->line, 10 * (k + 1));
    CHECK_INT(view.record->flags, spec->flags);
    CHECK_INT(view.record->tuple_bytes, spec->tuple_bytes);
    CHECK_INT(view.record->param_count, spec->param_count);
    for (uint32_t p = 0; p < spec->param_count; p++) {
      CHECK_STRING(view.strings + view.params[p].name, spec->params[p].name);
      CHECK_INT(view.params[p].kind, spec->params[p].kind);
      CHECK_INT(view.params[p].offset, spec->params[p].offset);
      CHECK_INT(view.params[p].size, spec->params[p].size);
    }
  }
  struct ka__kernel_view view;
  ka__metadata_kernel(blob.start, K_add_pair, &view);
  CHECK_INT(view.params[0].pointer_count, 2);
  const struct ka_metadata_pointer *pointers = &view.pointers[view.params[0].first_pointer];
  CHECK_STRING(view.strings + pointers[0].path, "p");
  CHECK_STRING(view.strings + pointers[1].path, "in.q");
  CHECK_INT(pointers[1].offset, offsetof(struct pair, in.q));
  free(blob.start);
}

TEST(accepts_no_kernels) {
  struct blob blob = write_metadata(NULL, 0);
  const char *why;
  CHECK(ka__metadata_check(blob.start, blob.bytes, &why));
  CHECK_INT(ka__metadata_kernel_count(blob.start), 0);
  free(blob.start);
}

TEST(notices_the_end_anywhere) {
  struct blob blob = written();
  for (size_t bytes = 0; bytes < blob.bytes; bytes++) {
    char *copy = malloc(bytes ? bytes : 1); /* ends where the block ends */
    CHECK(copy);
    memcpy(copy, blob.start, bytes);
    const char *why = NULL;
    CHECK(!ka__metadata_check(copy, bytes, &why));
    CHECK(why && *why);
    free(copy);
  }
  free(blob.start);
}

/* Uses all that the check promises. */
static void use(const void *metadata) {
  volatile size_t sum = 0;
  for (uint32_t k = 0; k < ka__metadata_kernel_count(metadata); k++) {
    struct ka__kernel_view view;
    ka__metadata_kernel(metadata, k, &view);
    sum += strlen(view.name) + strlen(view.symbol) + strlen(view.file);
    for (uint32_t p = 0; p < view.record->param_count; p++) {
      sum +=
          strlen(view.strings + view.params[p].name) + strlen(view.strings + view.params[p].type);
      CHECK(view.params[p].offset + view.params[p].size <= view.record->tuple_bytes);
      for (uint32_t i = 0; i < view.params[p].pointer_count; i++) {
        const struct ka_metadata_pointer *pointer =
            &view.pointers[view.params[p].first_pointer + i];
        sum += strlen(view.strings + pointer->path);
        CHECK(pointer->offset + sizeof(void *) <= view.params[p].size);
      }
    }
  }
}

TEST(survives_any_damaged_byte) {
  struct blob blob = written();
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  for (size_t at = 0; at < blob.bytes; at++) {
    char was = blob.start[at];
    for (size_t v = 0; v < sizeof values; v++) {
      blob.start[at] = (char)values[v];
      const char *why;
      if (ka__metadata_check(blob.start, blob.bytes, &why))
        use(blob.start);
    }
    blob.start[at] = was;
  }
  free(blob.start);
}

#define HEADER(member) offsetof(struct ka_metadata_header, member)

/* Sets 4 bytes of the metadata and expects the reason. */
static void check_why(size_t at, uint32_t value, const char *expected) {
  struct blob blob = written();
  memcpy(blob.start + at, &value, sizeof value);
  const char *why = "";
  CHECK(!ka__metadata_check(blob.start, blob.bytes, &why));
  CHECK_CONTAINS(why, expected);
  free(blob.start);
}

TEST(says_what_is_damaged_in_the_header) {
  check_why(HEADER(magic), 0, "magic number");
  check_why(HEADER(version), KA_METADATA_VERSION + 1, "another version");
  check_why(HEADER(bytes), UINT32_MAX, "cut off");
  check_why(HEADER(bytes), 8, "cut off");
  check_why(HEADER(kernel_count), UINT32_MAX, "a table");
  check_why(HEADER(kernel_offset), UINT32_MAX, "a table");
  check_why(HEADER(kernel_offset), 44, "a table");
  check_why(HEADER(param_count), UINT32_MAX, "a table");
  check_why(HEADER(pointer_offset), UINT32_MAX - 7, "a table");
  check_why(HEADER(site_count), UINT32_MAX, "a table");
  check_why(HEADER(site_offset), 4, "a table");
  check_why(HEADER(string_offset), UINT32_MAX, "strings");
  check_why(HEADER(string_bytes), UINT32_MAX, "strings");
}

TEST(says_what_is_damaged_in_the_tables) {
  struct blob blob = written();
  struct ka_metadata_header h;
  memcpy(&h, blob.start, sizeof h);
  size_t kernel = h.kernel_offset + K_saxpy * sizeof(struct ka_metadata_kernel);
  size_t pair = h.kernel_offset + K_add_pair * sizeof(struct ka_metadata_kernel);
  struct ka_metadata_kernel saxpy, add_pair;
  memcpy(&saxpy, blob.start + kernel, sizeof saxpy);
  memcpy(&add_pair, blob.start + pair, sizeof add_pair);
  size_t param = h.param_offset + saxpy.first_param * sizeof(struct ka_metadata_param);
  size_t aggregate = h.param_offset + add_pair.first_param * sizeof(struct ka_metadata_param);

#define KERNEL(member) (kernel + offsetof(struct ka_metadata_kernel, member))
  check_why(KERNEL(name), UINT32_MAX, "kernel's name");
  check_why(KERNEL(symbol), UINT32_MAX, "kernel's name");
  check_why(KERNEL(symbol), 0, "no symbol");
  check_why(KERNEL(first_param), UINT32_MAX, "parameters lie outside");
  check_why(KERNEL(param_count), UINT32_MAX, "parameters lie outside");
  check_why(KERNEL(param_count), h.param_count - saxpy.first_param, "outside");
  check_why(KERNEL(group_size[1]), 7, "zero in it");
  check_why(KERNEL(tuple_bytes), 3, "outside the tuple");
#define PARAM(member) (param + offsetof(struct ka_metadata_param, member))
  check_why(PARAM(name), UINT32_MAX, "parameter's name");
  check_why(PARAM(type), UINT32_MAX, "parameter's name");
  check_why(PARAM(kind), 4, "unknown kind");
  check_why(PARAM(kind), KA_METADATA_POINTER, "wrong size");
  check_why(PARAM(offset), 100, "outside the tuple");
  check_why(PARAM(size), 100, "outside the tuple");
  check_why(PARAM(size), 0, "outside the tuple");
  check_why(PARAM(flags), KA_METADATA_SPILLED, "spilled that cannot be");
  check_why(PARAM(first_pointer), UINT32_MAX, "pointers lie outside");
  check_why(PARAM(pointer_count), 1, "no aggregate");
  struct ka_metadata_kernel picky;
  size_t picky_at = h.kernel_offset + K_picky * sizeof picky;
  memcpy(&picky, blob.start + picky_at, sizeof picky);
  check_why(picky_at + offsetof(struct ka_metadata_kernel, first_site), 1, "sites lie outside");
  check_why(picky_at + offsetof(struct ka_metadata_kernel, site_count), UINT32_MAX,
            "sites lie outside");
  check_why(KERNEL(site_count), 1, "share sites");
#define SITE(member) (h.site_offset + offsetof(struct ka_metadata_site, member))
  check_why(SITE(text), UINT32_MAX, "site's text");
  check_why(SITE(file), UINT32_MAX, "site's text");
  check_why(SITE(function), UINT32_MAX, "site's text");
#define AGGREGATE(member) (aggregate + offsetof(struct ka_metadata_param, member))
  check_why(AGGREGATE(pointer_count), 3, "share pointers");
  check_why(h.pointer_offset + offsetof(struct ka_metadata_pointer, offset), 17,
            "outside its parameter");
  check_why(h.pointer_offset + offsetof(struct ka_metadata_pointer, path), UINT32_MAX, "path");
  free(blob.start);
}

TEST(refuses_metadata_that_is_not_aligned) {
  struct blob blob = written();
  char *moved = malloc(blob.bytes + 8);
  memcpy(moved + 4, blob.start, blob.bytes);
  const char *why = "";
  CHECK(!ka__metadata_check(moved + 4, blob.bytes, &why));
  CHECK_CONTAINS(why, "not aligned");
  free(moved);
  free(blob.start);
}
