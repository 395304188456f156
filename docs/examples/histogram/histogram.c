/* histogram: how often each brightness of red, green and blue occurs in a photograph.
 *
 * Many items count in the same bins at once, so the counting is atomic. Atomic operations on memory
 * that the whole device shares are slow; each group first counts in bins of its own.
 */
#include "../example.h"
#include "../photo/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 3 * 256, GROUP = 256, PIXELS_PER_ITEM = 16 };

/* Counts `pixels` pixels into bins[0..255] for red, [256..511] for green, [512..767] for blue. Each
 * item takes PIXELS_PER_ITEM of them, so that a group has enough to count to be worth its bins. */
[[ka::kernel, ka::group_size(GROUP)]] void histogram(const unsigned char *restrict image,
                                                     size_t pixels, unsigned *restrict bins) {
  ka_local unsigned own[BINS];
  size_t lane = ka_local_id(0);
  for (size_t bin = lane; bin < BINS; bin += GROUP)
    own[bin] = 0;
  ka_barrier();

  /* Neighbouring items read neighbouring pixels. */
  size_t first = ka_group_id(0) * GROUP * PIXELS_PER_ITEM + lane;
  for (size_t i = 0; i < PIXELS_PER_ITEM; ++i) {
    size_t pixel = first + i * GROUP;
    if (pixel < pixels)
      for (size_t colour = 0; colour < 3; ++colour)
        __atomic_fetch_add(&own[256 * colour + image[3 * pixel + colour]], 1, __ATOMIC_RELAXED);
  }
  ka_barrier();

  for (size_t bin = lane; bin < BINS; bin += GROUP)
    __atomic_fetch_add(&bins[bin], own[bin], __ATOMIC_RELAXED);
}

/* The same in plain C. */
static void histogram_on_host(const unsigned char *image, size_t pixels, unsigned *bins) {
  for (size_t pixel = 0; pixel < pixels; ++pixel)
    for (size_t colour = 0; colour < 3; ++colour)
      ++bins[256 * colour + image[3 * pixel + colour]];
}

/* Three mountains of light, added where they overlap. */
static struct image draw(const unsigned *bins, size_t height) {
  struct image chart = image_create(2 * 256, height);
  unsigned highest = 1;
  for (size_t bin = 0; bin < BINS; ++bin)
    highest = bins[bin] > highest ? bins[bin] : highest;
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < chart.width; ++x) {
      unsigned char *pixel = &chart.pixels[3 * (y * chart.width + x)];
      for (size_t colour = 0; colour < 3; ++colour) {
        size_t level = (size_t)bins[256 * colour + x / 2] * (height - 10) / highest;
        pixel[colour] = height - y <= level ? 235 : 28;
      }
    }
  return chart;
}

int main(int argc, char **argv) {
  struct example example =
      example_options(argc, argv, "Counts the colours of a photograph.", EXAMPLE_PHOTO);
  ka_backend *be = ka_default_backend();
  example_print_device(be);

  struct image photo;
  if (!image_read(example.input, &photo))
    return 1;
  size_t pixels = photo.width * photo.height;
  printf("size:    %zu x %zu pixels, %d bins\n", photo.width, photo.height, BINS);

  unsigned char *image = ka_alloc(be, 3 * pixels);
  unsigned *bins = ka_alloc(be, BINS * sizeof *bins);
  if (!image || !bins) {
    fprintf(stderr, "out of memory: %s\n", ka_error_message());
    return 1;
  }
  KA_CHECK(ka_copy(be, image, photo.pixels, 3 * pixels));

  size_t groups = (pixels + GROUP * PIXELS_PER_ITEM - 1) / (GROUP * PIXELS_PER_ITEM);
  for (int run = 0; run < 2; ++run) {
    unsigned zero = 0;
    KA_CHECK(ka_fill(be, bins, &zero, sizeof zero, BINS));
    KA_CHECK(ka_synchronize(be));
    double start = example_now();
    KA_CHECK(ka_launch(be, ka_range(groups * GROUP), histogram(image, pixels, bins)));
    KA_CHECK(ka_synchronize(be));
    example_print_run(run, example_now() - start);
  }

  static unsigned expected[BINS];
  double start = example_now();
  histogram_on_host(photo.pixels, pixels, expected);
  printf("plain C: %.3f ms\n", example_now() - start);
  bool matches = memcmp(bins, expected, sizeof expected) == 0;

  if (example.output) {
    struct image chart = draw(bins, photo.height);
    struct image both = image_side_by_side(&photo, &chart);
    const char *path = example_output_path(&example, "histogram.png");
    if (!image_write(path, &both))
      return 1;
    printf("picture: %s\n", path);
    image_release(&chart);
    image_release(&both);
  }
  ka_free(image);
  ka_free(bins);
  image_release(&photo);
  return example_finish(matches);
}
