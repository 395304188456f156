/* heat: how warmth spreads through the rooms of a house, drawn as a strip of pictures.
 *
 * One launch is one step in time; each reads what the one before it wrote. They are put into the
 * queue as fast as the host can and run in order there; the host waits only before it looks.
 */
#include "../example.h"
#include "../photo/image.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 201, HEIGHT = 151, FRAMES = 6, STEPS_PER_FRAME = 2000, SCALE = 2 };

/* What a place in the house is made of. */
enum material { AIR, WALL, STOVE };

/* The temperature of a place one step later. Plain C: called by the kernel and by the host alike.
 *
 * Air takes a share of the difference to each of its four neighbours (the explicit scheme for the
 * heat equation; up to a share of 1/4 it is stable). Walls let nothing through, stoves stay hot. */
static inline float step(const float *restrict t, const unsigned char *restrict material, int x,
                         int y) {
  int i = y * WIDTH + x;
  if (material[i] != AIR)
    return t[i];
  float flow = 0;
  if (material[i - 1] != WALL)
    flow += t[i - 1] - t[i];
  if (material[i + 1] != WALL)
    flow += t[i + 1] - t[i];
  if (material[i - WIDTH] != WALL)
    flow += t[i - WIDTH] - t[i];
  if (material[i + WIDTH] != WALL)
    flow += t[i + WIDTH] - t[i];
  return t[i] + 0.24f * flow;
}

[[ka::kernel]] void heat(const float *restrict t, float *restrict next,
                         const unsigned char *restrict material) {
  int x = (int)ka_global_id(0), y = (int)ka_global_id(1);
  next[y * WIDTH + x] = step(t, material, x, y);
}

static void heat_on_host(const float *t, float *next, const unsigned char *material) {
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x)
      next[y * WIDTH + x] = step(t, material, x, y);
}

static void fill(unsigned char *material, int left, int top, int width, int height,
                 enum material kind) {
  for (int y = top; y < top + height; ++y)
    memset(&material[y * WIDTH + left], kind, (size_t)width);
}

/* A house of six rooms with doors, a stove in one room and a small one in another. */
static void build_house(unsigned char *material) {
  fill(material, 0, 0, WIDTH, HEIGHT, WALL);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      fill(material, 3 + 66 * column, 3 + 74 * row, 63, 71, AIR);
  fill(material, 66, 30, 3, 14, AIR); /* doors between left and middle */
  fill(material, 66, 120, 3, 14, AIR);
  fill(material, 132, 16, 3, 14, AIR); /* and between middle and right */
  fill(material, 30, 74, 14, 3, AIR);  /* from the upper rooms to the lower ones */
  fill(material, 164, 74, 14, 3, AIR);
  fill(material, 14, 14, 16, 10, STOVE);
  fill(material, 150, 128, 8, 8, STOVE);
}

/* From black through violet and orange to pale yellow. */
static void colour_of(float temperature, unsigned char *pixel) {
  static const float stops[6][3] = {{4, 4, 20},    {72, 12, 104},  {160, 36, 100},
                                    {226, 86, 50}, {250, 168, 40}, {252, 250, 180}};
  float place = sqrtf(fminf(fmaxf(temperature, 0), 1)) * 5; /* more colours for what is cool */
  int below = place < 4 ? (int)place : 4;
  for (int c = 0; c < 3; ++c)
    pixel[c] = (unsigned char)(stops[below][c] +
                               (place - (float)below) * (stops[below + 1][c] - stops[below][c]));
}

static struct image draw(const float *t, const unsigned char *material) {
  struct image frame = image_create(SCALE * WIDTH, SCALE * HEIGHT);
  for (size_t y = 0; y < frame.height; ++y)
    for (size_t x = 0; x < frame.width; ++x) {
      size_t i = y / SCALE * WIDTH + x / SCALE;
      unsigned char *pixel = &frame.pixels[3 * (y * frame.width + x)];
      if (material[i] == WALL)
        memset(pixel, 110, 3);
      else
        colour_of(t[i], pixel);
    }
  return frame;
}

int main(int argc, char **argv) {
  struct example example =
      example_options(argc, argv, "Lets heat spread through the rooms of a house.", NULL);
  ka_backend *be = ka_default_backend();
  example_print_device(be);
  printf("size:    %d x %d places, %d steps, a launch each\n", WIDTH, HEIGHT,
         FRAMES * STEPS_PER_FRAME);

  size_t count = (size_t)WIDTH * HEIGHT;
  float *t = ka_alloc_zeroed(be, count * sizeof *t);
  float *next = ka_alloc_zeroed(be, count * sizeof *next);
  unsigned char *material = ka_alloc(be, count);
  float *host_t = calloc(count, sizeof *host_t), *host_next = calloc(count, sizeof *host_next);
  if (!t || !next || !material || !host_t || !host_next) {
    fprintf(stderr, "out of memory: %s\n", ka_error_message());
    return 1;
  }
  build_house(material);
  for (size_t i = 0; i < count; ++i)
    t[i] = host_t[i] = material[i] == STOVE;

  /* Two rows of frames, from left to right. */
  struct image strip = image_create(SCALE * WIDTH * (FRAMES / 2), SCALE * HEIGHT * 2);
  double device_time = 0, host_time = 0, largest = 0;
  for (int frame = 0; frame < FRAMES; ++frame) {
    double start = example_now();
    for (int i = 0; i < STEPS_PER_FRAME; ++i) {
      KA_CHECK(ka_launch(be, ka_range(WIDTH, HEIGHT), heat(t, next, material)));
      float *swap = t;
      t = next;
      next = swap;
    }
    KA_CHECK(ka_synchronize(be));
    if (frame == 0)
      example_print_run(0, example_now() - start);
    else
      device_time += example_now() - start;

    start = example_now();
    for (int i = 0; i < STEPS_PER_FRAME; ++i) {
      heat_on_host(host_t, host_next, material);
      float *swap = host_t;
      host_t = host_next;
      host_next = swap;
    }
    if (frame > 0)
      host_time += example_now() - start;

    for (size_t i = 0; i < count; ++i)
      largest = fmax(largest, fabs((double)t[i] - (double)host_t[i]));
    struct image picture = draw(t, material);
    image_paste(&strip, &picture, picture.width * (size_t)(frame % (FRAMES / 2)),
                picture.height * (size_t)(frame / (FRAMES / 2)));
    image_release(&picture);
  }
  printf("then:    %.1f ms for the other pictures, %.1f us a step\n", device_time,
         1e3 * device_time / ((FRAMES - 1) * STEPS_PER_FRAME));
  printf("plain C: %.1f ms for them\n", host_time);

  /* A device may compute t + 0.24 flow with one rounding where plain C uses two: one step can make
   * FLT_EPSILON of difference. As a weighted mean, it makes none larger that was there before. */
  double tolerance = (double)FLT_EPSILON * FRAMES * STEPS_PER_FRAME;
  printf("largest difference %g, tolerance %g (hottest place: 1)\n", largest, tolerance);

  if (example.output) {
    const char *path = example_output_path(&example, "heat.png");
    if (!image_write(path, &strip))
      return 1;
    printf("picture: %s\n", path);
  }
  ka_free(t);
  ka_free(next);
  ka_free(material);
  free(host_t);
  free(host_next);
  image_release(&strip);
  return example_finish(largest <= tolerance);
}
