/* The reader of bundles: whole, cut off, and damaged in every byte. */
#include "runtime/core/bundle.h"
#include "test/runtime/support/module_writer.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>

static struct blob two_images(void) {
  static char sum[17];
  write_checksum("second image", 12, sum);
  const struct image_spec images[] = {
      {.content = "metadata", .start = "first", .bytes = 5},
      {.content = "spirv",
       .triple = "spirv64",
       .start = "second image",
       .bytes = 12,
       .checksum = sum},
  };
  return write_bundle(images, 2);
}

TEST(reads_images_in_order) {
  struct blob blob = two_images();
  struct ka__bundle bundle = {blob.start, blob.bytes, 0};
  struct ka__image image;
  const char *why = NULL;
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_IMAGE);
  CHECK_STRING(image.content, "metadata");
  CHECK_INT(image.bytes, 5);
  CHECK_INT(memcmp(image.start, "first", 5), 0);
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_IMAGE);
  CHECK_STRING(image.content, "spirv");
  CHECK_INT(image.bytes, 12);
  CHECK_INT(memcmp(image.start, "second image", 12), 0);
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_END);
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_END);
  free(blob.start);
}

TEST(reads_nothing_from_nothing) {
  struct ka__bundle bundle = {NULL, 0, 0};
  struct ka__image image;
  const char *why;
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_END);
}

TEST(reads_an_image_without_content) {
  const struct image_spec images[] = {{.content = "", .start = NULL, .bytes = 0}};
  struct blob blob = write_bundle(images, 1);
  struct ka__bundle bundle = {blob.start, blob.bytes, 0};
  struct ka__image image;
  const char *why;
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_IMAGE);
  CHECK_INT(image.bytes, 0);
  free(blob.start);
}

/* Reads all of a copy that ends where the heap block ends, so that tools that watch the heap see
 * a read behind it. Returns how it ended. */
static enum ka__bundle_result read_all(const char *start, size_t bytes, int *images) {
  char *copy = malloc(bytes ? bytes : 1);
  CHECK(copy);
  memcpy(copy, start, bytes);
  struct ka__bundle bundle = {copy, bytes, 0};
  struct ka__image image;
  enum ka__bundle_result result;
  const char *why = NULL;
  *images = 0;
  volatile unsigned sum = 0;
  while ((result = ka__bundle_next(&bundle, &image, &why)) == KA__BUNDLE_IMAGE) {
    CHECK((const char *)image.start >= copy);
    CHECK((const char *)image.start + image.bytes <= copy + bytes);
    for (uint64_t i = 0; i < image.bytes; i++)
      sum += ((const unsigned char *)image.start)[i];
    sum += (unsigned)(strlen(image.content));
    ++*images;
  }
  if (result == KA__BUNDLE_DAMAGED)
    CHECK(why && *why);
  free(copy);
  return result;
}

TEST(notices_the_end_anywhere) {
  struct blob blob = two_images();
  int images;
  for (size_t bytes = 1; bytes < blob.bytes; bytes++) {
    enum ka__bundle_result result = read_all(blob.start, bytes, &images);
    /* A cut between two images leaves a whole bundle with one image less. */
    if (result == KA__BUNDLE_END)
      CHECK_INT(images, 1);
    else
      CHECK_INT(result, KA__BUNDLE_DAMAGED);
  }
  CHECK_INT(read_all(blob.start, blob.bytes, &images), KA__BUNDLE_END);
  CHECK_INT(images, 2);
  free(blob.start);
}

TEST(survives_any_damaged_byte) {
  struct blob blob = two_images();
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  for (size_t at = 0; at < blob.bytes; at++) {
    char was = blob.start[at];
    for (size_t v = 0; v < sizeof values; v++) {
      blob.start[at] = (char)values[v];
      int images;
      read_all(blob.start, blob.bytes, &images);
      CHECK(images <= 2);
    }
    blob.start[at] = was;
  }
  free(blob.start);
}

TEST(notices_any_damaged_byte_of_an_image_with_a_checksum) {
  struct blob blob = two_images();
  char *second = NULL;
  for (size_t i = 0; i + 12 <= blob.bytes; i++)
    if (memcmp(blob.start + i, "second image", 12) == 0)
      second = blob.start + i;
  CHECK(second);
  for (int i = 0; i < 12; i++) {
    second[i] ^= 1;
    int images;
    CHECK_INT(read_all(blob.start, blob.bytes, &images), KA__BUNDLE_DAMAGED);
    CHECK_INT(images, 1);
    second[i] ^= 1;
  }
  free(blob.start);
}

static void check_why(size_t at, uint64_t value, size_t bytes, const char *expected) {
  struct blob blob = two_images();
  memcpy(blob.start + at, &value, bytes);
  struct ka__bundle bundle = {blob.start, blob.bytes, 0};
  struct ka__image image;
  const char *why = "";
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_DAMAGED);
  CHECK_CONTAINS(why, expected);
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_END);
  free(blob.start);
}

TEST(says_what_is_damaged) {
  check_why(0, 0x7f, 1, "magic number");
  check_why(4, 2, 4, "version");
  check_why(8, UINT64_MAX, 8, "cut off within an image");
  check_why(8, 3, 8, "cut off within an image");
  check_why(16, UINT64_MAX - 8, 8, "an entry lies outside");
  check_why(24, 8, 8, "an entry lies outside");
  check_why(32 + 8, UINT64_MAX, 8, "strings of an image lie outside");
  check_why(32 + 16, UINT64_MAX / 16, 8, "strings of an image lie outside");
  check_why(32 + 24, UINT64_MAX, 8, "content of an image lies outside");
  check_why(32 + 32, UINT64_MAX, 8, "content of an image lies outside");
  check_why(32 + 24, 73, 8, "aligned");
  check_why(72, UINT64_MAX, 8, "a string of an image lies outside");
}

TEST(refuses_a_bundle_that_is_not_aligned) {
  struct blob blob = two_images();
  char *moved = malloc(blob.bytes + 8);
  memcpy(moved + 4, blob.start, blob.bytes);
  struct ka__bundle bundle = {moved + 4, blob.bytes, 0};
  struct ka__image image;
  const char *why = "";
  CHECK_INT(ka__bundle_next(&bundle, &image, &why), KA__BUNDLE_DAMAGED);
  CHECK_CONTAINS(why, "not aligned");
  free(moved);
  free(blob.start);
}
