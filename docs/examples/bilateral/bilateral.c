/* bilateral: smooths a photograph but keeps its edges.
 *
 * Each pixel becomes a mean of its neighbours, weighted by how near they are and how alike. Across
 * an edge nothing is alike, so the edge stays sharp. (C. Tomasi and R. Manduchi, "Bilateral
 * Filtering for Gray and Color Images", ICCV 1998.) Both weights come from tables, as few different
 * ones are needed: colours differ by the sum over red, green and blue, at most 3 * 255.
 */
#include "../example.h"
#include "../photo/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RADIUS = 5, DIAMETER = 2 * RADIUS + 1, PASSES = 3 };
#define NEARNESS 3.0f  /* standard deviation of the distance, in pixels */
#define LIKENESS 40.0f /* and of the difference in colour, in levels of 255 */

struct weights {
  float nearness[DIAMETER][DIAMETER];
  float likeness[3 * 255 + 1];
};

static void make_weights(struct weights *weights) {
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx)
      weights->nearness[dy + RADIUS][dx + RADIUS] =
          expf(-(float)(dx * dx + dy * dy) / (2 * NEARNESS * NEARNESS));
  for (int difference = 0; difference <= 3 * 255; ++difference)
    weights->likeness[difference] =
        expf(-(float)(difference * difference) / (2 * LIKENESS * LIKENESS));
}

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

/* The new colour of the pixel at (x, y). Plain C: called by the kernel and by the host alike. */
static inline void filter_pixel(const unsigned char *restrict in, unsigned char *restrict out,
                                int width, int height, const struct weights *restrict weights,
                                int x, int y) {
  const unsigned char *centre = &in[3 * (y * width + x)];
  float sum[3] = {0, 0, 0}, total = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      /* Beyond the border the border goes on. */
      const unsigned char *pixel =
          &in[3 * (clamp(y + dy, height - 1) * width + clamp(x + dx, width - 1))];
      int difference =
          abs(pixel[0] - centre[0]) + abs(pixel[1] - centre[1]) + abs(pixel[2] - centre[2]);
      float weight = weights->nearness[dy + RADIUS][dx + RADIUS] * weights->likeness[difference];
      for (int colour = 0; colour < 3; ++colour)
        sum[colour] += weight * (float)pixel[colour];
      total += weight;
    }
  for (int colour = 0; colour < 3; ++colour)
    out[3 * (y * width + x) + colour] = (unsigned char)(sum[colour] / total + 0.5f);
}

[[ka::kernel]] void bilateral(const unsigned char *restrict in, unsigned char *restrict out,
                              int width, int height, const struct weights *restrict weights) {
  filter_pixel(in, out, width, height, weights, (int)ka_global_id(0), (int)ka_global_id(1));
}

static void bilateral_on_host(const unsigned char *in, unsigned char *out, int width, int height,
                              const struct weights *weights) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      filter_pixel(in, out, width, height, weights, x, y);
}

int main(int argc, char **argv) {
  struct example example =
      example_options(argc, argv, "Smooths a photograph but keeps its edges.", EXAMPLE_PHOTO);
  ka_backend *be = ka_default_backend();
  example_print_device(be);

  struct image photo;
  if (!image_read(example.input, &photo))
    return 1;
  int width = (int)photo.width, height = (int)photo.height;
  size_t bytes = 3 * photo.width * photo.height;
  printf("size:    %d x %d pixels, %d passes over %d x %d neighbours\n", width, height, PASSES,
         DIAMETER, DIAMETER);

  /* stage[0] is the photograph, stage[p] what pass p made of it. */
  unsigned char *stage[PASSES + 1];
  for (int pass = 0; pass <= PASSES; ++pass)
    if (!(stage[pass] = ka_alloc(be, bytes))) {
      fprintf(stderr, "out of memory: %s\n", ka_error_message());
      return 1;
    }
  struct weights *weights = ka_alloc(be, sizeof *weights);
  if (!weights) {
    fprintf(stderr, "out of memory: %s\n", ka_error_message());
    return 1;
  }
  make_weights(weights); /* memory of ka_alloc is the host's as well */
  KA_CHECK(ka_copy(be, stage[0], photo.pixels, bytes));

  /* A pass begins when the one before it is done: launches keep their order. */
  for (int run = 0; run < 2; ++run) {
    double start = example_now();
    for (int pass = 0; pass < PASSES; ++pass)
      KA_CHECK(ka_launch(be, ka_range(width, height),
                         bilateral(stage[pass], stage[pass + 1], width, height, weights)));
    KA_CHECK(ka_synchronize(be));
    example_print_run(run, example_now() - start);
  }

  /* Plain C makes each pass from the same input as the device did. A device may keep a product
   * exact within a sum, so a value may fall on the other side of a rounding: 1 level. */
  struct image expected = image_create(photo.width, photo.height);
  struct image result = image_create(photo.width, photo.height);
  int largest = 0;
  double host_time = 0;
  for (int pass = 0; pass < PASSES; ++pass) {
    double start = example_now();
    bilateral_on_host(stage[pass], expected.pixels, width, height, weights);
    host_time += example_now() - start;
    memcpy(result.pixels, stage[pass + 1], bytes);
    int difference = image_largest_difference(&expected, &result);
    largest = difference > largest ? difference : largest;
  }
  printf("plain C: %.3f ms\n", host_time);
  printf("largest difference %d of 255 levels, tolerance 1\n", largest);

  if (example.output) {
    struct image both = image_side_by_side(&photo, &result);
    const char *path = example_output_path(&example, "bilateral.png");
    if (!image_write(path, &both))
      return 1;
    printf("picture: %s\n", path);
    image_release(&both);
  }
  for (int pass = 0; pass <= PASSES; ++pass)
    ka_free(stage[pass]);
  ka_free(weights);
  image_release(&expected);
  image_release(&result);
  image_release(&photo);
  return example_finish(largest <= 1);
}
