/* Pictures as arrays of pixels, read from PNG files and written to them. */
#ifndef KA_EXAMPLES_IMAGE_H
#define KA_EXAMPLES_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Red, green, blue, row by row, 8 bits each; the pixel (x, y) begins at pixels[3 * (y * width +
 * x)]. */
struct image {
  size_t width, height;
  unsigned char *pixels;
};

/* A black picture. Ends the program when there is no memory for it. */
struct image image_create(size_t width, size_t height);
void image_release(struct image *image);

/* Reads any PNG. Says what is wrong on stderr and returns false if it cannot. */
bool image_read(const char *path, struct image *image);
/* The same for writing; a file that could not be written whole is removed. */
bool image_write(const char *path, const struct image *image);

/* Copies `part` into `whole`, its left upper corner to (left, top). It must lie inside. */
void image_paste(struct image *whole, const struct image *part, size_t left, size_t top);

/* The two beside each other with a narrow gap. */
struct image image_side_by_side(const struct image *left, const struct image *right);

/* Largest difference between two values of the same place; both pictures have the same size. */
int image_largest_difference(const struct image *a, const struct image *b);

#endif
