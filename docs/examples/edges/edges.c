/* edges: finds the edges in a photograph, after J. Canny, "A Computational Approach to Edge
 * Detection", 1986.
 *
 * Five kernels, one for each step: brightness; blur against noise; slope of the brightness;
 * thinning of each ridge to one pixel; and growing edges from strong pixels along weak ones, again
 * and again until nothing changes. The arithmetic is in whole numbers, so results are the same
 * everywhere.
 */
#include "../example.h"
#include "../photo/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEAK = 1, STRONG = 2 }; /* marks of the pixels that may be edges, and that are */
enum { LOW = 36, HIGH = 80 };  /* slopes from which they are */

/* A place and how to reach its neighbours. Beyond the border the border goes on. */
static inline int at(int x, int y, int width, int height) {
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return y * width + x;
}

/* Each step for one pixel, in plain C: called by the kernels and by the host alike. */

static inline int brightness(const unsigned char *rgb) {
  return (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000;
}

/* Mean over 5 x 5 pixels, weighted 1 4 6 4 1 in both directions. */
static inline int blurred(const int *in, int x, int y, int width, int height) {
  static const int weight[5] = {1, 4, 6, 4, 1};
  int sum = 128;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += weight[dy + 2] * weight[dx + 2] * in[at(x + dx, y + dy, width, height)];
  return sum / 256;
}

struct slope {
  int x, y;
};

/* Sobel's operator. */
static inline struct slope slope_of(const int *in, int x, int y, int width, int height) {
  int p[3][3];
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      p[dy + 1][dx + 1] = in[at(x + dx, y + dy, width, height)];
  return (struct slope){p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0],
                        p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2]};
}

static inline int steepness(struct slope s) { return abs(s.x) + abs(s.y); }

/* Marks a pixel that is steeper than its neighbours up and down the slope. */
static inline int thinned(const struct slope *slope, int x, int y, int width, int height) {
  struct slope s = slope[at(x, y, width, height)];
  int steep = steepness(s);
  /* Which of the eight neighbours the slope points to: 2/5 is about the tangent of 22.5 degrees. */
  int dx = 5 * abs(s.x) > 2 * abs(s.y) ? (s.x > 0) - (s.x < 0) : 0;
  int dy = 5 * abs(s.y) > 2 * abs(s.x) ? (s.y > 0) - (s.y < 0) : 0;
  int ahead = steepness(slope[at(x + dx, y + dy, width, height)]);
  int behind = steepness(slope[at(x - dx, y - dy, width, height)]);
  if (steep < LOW || steep < ahead || steep <= behind)
    return 0;
  return steep >= HIGH ? STRONG : WEAK;
}

/* A weak pixel beside a strong one is strong. */
static inline int grown(const int *mark, int x, int y, int width, int height) {
  int own = mark[at(x, y, width, height)];
  for (int dy = -1; own == WEAK && dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (mark[at(x + dx, y + dy, width, height)] == STRONG)
        own = STRONG;
  return own;
}

/* The kernels: one item for each pixel. */

[[ka::kernel]] void find_brightness(const unsigned char *restrict rgb, int *restrict out) {
  size_t i = ka_global_linear_id();
  out[i] = brightness(&rgb[3 * i]);
}

[[ka::kernel]] void blur(const int *restrict in, int *restrict out) {
  int width = (int)ka_global_size(0), height = (int)ka_global_size(1);
  out[ka_global_linear_id()] =
      blurred(in, (int)ka_global_id(0), (int)ka_global_id(1), width, height);
}

[[ka::kernel]] void find_slope(const int *restrict in, struct slope *restrict out) {
  int width = (int)ka_global_size(0), height = (int)ka_global_size(1);
  out[ka_global_linear_id()] =
      slope_of(in, (int)ka_global_id(0), (int)ka_global_id(1), width, height);
}

[[ka::kernel]] void thin(const struct slope *restrict slope, int *restrict mark) {
  int width = (int)ka_global_size(0), height = (int)ka_global_size(1);
  mark[ka_global_linear_id()] =
      thinned(slope, (int)ka_global_id(0), (int)ka_global_id(1), width, height);
}

[[ka::kernel]] void grow(const int *restrict in, int *restrict out, int *restrict changed) {
  int width = (int)ka_global_size(0), height = (int)ka_global_size(1);
  size_t i = ka_global_linear_id();
  out[i] = grown(in, (int)ka_global_id(0), (int)ka_global_id(1), width, height);
  if (out[i] != in[i])
    *changed = 1; /* perhaps many items at once, but all the same value */
}

/* What each step works on. */
struct stages {
  unsigned char *rgb;
  int *bright, *smooth, *mark, *next_mark, *changed;
  struct slope *slope;
};

/* Runs the steps on the device; returns how often it had to grow. */
static int find_edges(ka_backend *be, struct stages *s, ka_ndrange pixels) {
  KA_CHECK(ka_launch(be, pixels, find_brightness(s->rgb, s->bright)));
  KA_CHECK(ka_launch(be, pixels, blur(s->bright, s->smooth)));
  KA_CHECK(ka_launch(be, pixels, find_slope(s->smooth, s->slope)));
  KA_CHECK(ka_launch(be, pixels, thin(s->slope, s->mark)));
  int rounds = 0;
  do {
    *s->changed = 0;
    KA_CHECK(ka_launch(be, pixels, grow(s->mark, s->next_mark, s->changed)));
    KA_CHECK(ka_synchronize(be)); /* before the host looks */
    int *swap = s->mark;
    s->mark = s->next_mark;
    s->next_mark = swap;
    ++rounds;
  } while (*s->changed);
  return rounds;
}

/* The same in plain C; leaves the marks in s->mark. */
static void find_edges_on_host(struct stages *s, int width, int height) {
#define EACH_PIXEL(statement)                                                                      \
  for (int y = 0; y < height; ++y)                                                                 \
    for (int x = 0; x < width; ++x) {                                                              \
      int i = y * width + x;                                                                       \
      statement;                                                                                   \
    }
  EACH_PIXEL(s->bright[i] = brightness(&s->rgb[3 * i]))
  EACH_PIXEL(s->smooth[i] = blurred(s->bright, x, y, width, height))
  EACH_PIXEL(s->slope[i] = slope_of(s->smooth, x, y, width, height))
  EACH_PIXEL(s->mark[i] = thinned(s->slope, x, y, width, height))
  for (bool changed = true; changed;) {
    EACH_PIXEL(s->next_mark[i] = grown(s->mark, x, y, width, height))
    changed = memcmp(s->mark, s->next_mark, sizeof(int) * (size_t)(width * height)) != 0;
    memcpy(s->mark, s->next_mark, sizeof(int) * (size_t)(width * height));
  }
#undef EACH_PIXEL
}

static void *checked(void *memory) {
  if (!memory) {
    fprintf(stderr, "out of memory: %s\n", ka_error_message());
    exit(1);
  }
  return memory;
}

/* Light lines on dark ground, brighter where the slope is steeper, in the colours of the photo. */
static struct image draw(const struct stages *s, const struct image *photo) {
  struct image drawing = image_create(photo->width, photo->height);
  for (size_t i = 0; i < photo->width * photo->height; ++i)
    for (int colour = 0; colour < 3; ++colour) {
      int light = 40 + photo->pixels[3 * i + (size_t)colour] / 2 + steepness(s->slope[i]) / 2;
      drawing.pixels[3 * i + (size_t)colour] = (unsigned char)(s->mark[i] != STRONG ? 16
                                                               : light > 255        ? 255
                                                                                    : light);
    }
  return drawing;
}

int main(int argc, char **argv) {
  struct example example =
      example_options(argc, argv, "Finds the edges in a photograph.", EXAMPLE_PHOTO);
  ka_backend *be = ka_default_backend();
  example_print_device(be);

  struct image photo;
  if (!image_read(example.input, &photo))
    return 1;
  size_t count = photo.width * photo.height;
  printf("size:    %zu x %zu pixels\n", photo.width, photo.height);

  struct stages s = {
      .rgb = checked(ka_alloc(be, 3 * count)),
      .bright = checked(ka_alloc(be, count * sizeof(int))),
      .smooth = checked(ka_alloc(be, count * sizeof(int))),
      .mark = checked(ka_alloc(be, count * sizeof(int))),
      .next_mark = checked(ka_alloc(be, count * sizeof(int))),
      .changed = checked(ka_alloc(be, sizeof(int))),
      .slope = checked(ka_alloc(be, count * sizeof(struct slope))),
  };
  KA_CHECK(ka_copy(be, s.rgb, photo.pixels, 3 * count));

  ka_ndrange pixels = ka_range(photo.width, photo.height);
  int rounds = 0;
  for (int run = 0; run < 2; ++run) {
    double start = example_now();
    rounds = find_edges(be, &s, pixels);
    example_print_run(run, example_now() - start);
  }
  printf("edges grew %d times\n", rounds);

  struct stages host = {
      .rgb = photo.pixels,
      .bright = checked(malloc(count * sizeof(int))),
      .smooth = checked(malloc(count * sizeof(int))),
      .mark = checked(malloc(count * sizeof(int))),
      .next_mark = checked(malloc(count * sizeof(int))),
      .slope = checked(malloc(count * sizeof(struct slope))),
  };
  double start = example_now();
  find_edges_on_host(&host, (int)photo.width, (int)photo.height);
  printf("plain C: %.3f ms\n", example_now() - start);
  bool matches = memcmp(s.mark, host.mark, count * sizeof(int)) == 0;

  if (example.output) {
    struct image drawing = draw(&s, &photo);
    struct image both = image_side_by_side(&photo, &drawing);
    const char *path = example_output_path(&example, "edges.png");
    if (!image_write(path, &both))
      return 1;
    printf("picture: %s\n", path);
    image_release(&drawing);
    image_release(&both);
  }
  void *device[] = {s.rgb, s.bright, s.smooth, s.mark, s.next_mark, s.changed, s.slope};
  for (size_t i = 0; i < sizeof device / sizeof *device; ++i)
    ka_free(device[i]);
  void *memory[] = {host.bright, host.smooth, host.mark, host.next_mark, host.slope};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; ++i)
    free(memory[i]);
  image_release(&photo);
  return example_finish(matches);
}
