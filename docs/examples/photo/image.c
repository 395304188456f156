/* Pictures as arrays of pixels, read from PNG files and written to them, with libpng. */
#include "image.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes) {
  void *memory = calloc(bytes ? bytes : 1, 1);
  if (!memory) {
    fprintf(stderr, "out of memory for a picture of %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

struct image image_create(size_t width, size_t height) {
  return (struct image){width, height, allocate(3 * width * height)};
}

void image_release(struct image *image) {
  free(image->pixels);
  *image = (struct image){0};
}

bool image_read(const char *path, struct image *image) {
  png_image png = {.version = PNG_IMAGE_VERSION};
  if (png_image_begin_read_from_file(&png, path)) {
    png.format = PNG_FORMAT_RGB;
    *image = image_create(png.width, png.height);
    if (png_image_finish_read(&png, NULL, image->pixels, 0, NULL))
      return true;
    image_release(image);
  }
  fprintf(stderr, "cannot read the picture %s: %s\n", path, png.message);
  return false;
}

bool image_write(const char *path, const struct image *image) {
  png_image png = {.version = PNG_IMAGE_VERSION,
                   .width = (png_uint_32)image->width,
                   .height = (png_uint_32)image->height,
                   .format = PNG_FORMAT_RGB};
  if (png_image_write_to_file(&png, path, 0, image->pixels, 0, NULL))
    return true;
  fprintf(stderr, "cannot write the picture %s: %s\n", path, png.message);
  return false;
}

void image_paste(struct image *whole, const struct image *part, size_t left, size_t top) {
  for (size_t y = 0; y < part->height; ++y)
    memcpy(&whole->pixels[3 * ((top + y) * whole->width + left)],
           &part->pixels[3 * y * part->width], 3 * part->width);
}

struct image image_side_by_side(const struct image *left, const struct image *right) {
  enum { GAP = 8 };
  size_t height = left->height > right->height ? left->height : right->height;
  struct image both = image_create(left->width + GAP + right->width, height);
  memset(both.pixels, 255, 3 * both.width * both.height);
  image_paste(&both, left, 0, 0);
  image_paste(&both, right, left->width + GAP, 0);
  return both;
}

int image_largest_difference(const struct image *a, const struct image *b) {
  int largest = 0;
  for (size_t i = 0; i < 3 * a->width * a->height; ++i) {
    int difference = abs(a->pixels[i] - b->pixels[i]);
    if (difference > largest)
      largest = difference;
  }
  return largest;
}
