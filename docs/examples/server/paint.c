/* Paints over a picture on the device: each pixel takes the mean colour of those of its neighbours
 * that have the commonest brightness. Whole numbers only, so that every device makes the same. */
#include "paint.h"

enum { LEVELS = 16 };

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

/* The new colour of the pixel at (x, y). Plain C: called by the kernel and by the host alike. */
static inline void paint_pixel(const unsigned char *restrict in, unsigned char *restrict out,
                               int width, int height, int radius, int x, int y) {
  int left = larger(x - radius, 0), right = smaller(x + radius, width - 1);
  int top = larger(y - radius, 0), bottom = smaller(y + radius, height - 1);
  int count[LEVELS] = {0}, sum[LEVELS][3] = {{0}};
  for (int row = top; row <= bottom; ++row)
    for (int column = left; column <= right; ++column) {
      const unsigned char *pixel = &in[3 * ((size_t)row * (size_t)width + (size_t)column)];
      int level = (pixel[0] + pixel[1] + pixel[2]) * LEVELS / (3 * 256);
      ++count[level];
      for (int colour = 0; colour < 3; ++colour)
        sum[level][colour] += pixel[colour];
    }
  int commonest = 0;
  for (int level = 1; level < LEVELS; ++level)
    if (count[level] > count[commonest])
      commonest = level;
  for (int colour = 0; colour < 3; ++colour)
    out[3 * ((size_t)y * (size_t)width + (size_t)x) + (size_t)colour] =
        (unsigned char)(sum[commonest][colour] / count[commonest]);
}

[[ka::kernel]] void paint_pixels(const unsigned char *restrict in, unsigned char *restrict out,
                                 int width, int height, int radius) {
  paint_pixel(in, out, width, height, radius, (int)ka_global_id(0), (int)ka_global_id(1));
}

ka_status paint(ka_backend *be, const unsigned char *in, unsigned char *out, int width, int height,
                int radius) {
  return ka_launch(be, ka_range(width, height), paint_pixels(in, out, width, height, radius));
}

void paint_on_host(const unsigned char *in, unsigned char *out, int width, int height, int radius) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      paint_pixel(in, out, width, height, radius, x, y);
}
