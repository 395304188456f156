/* PNG files in memory, painted over by a task. Unpacking and packing keep a core busy for as long
 * as a kernel does, so worker threads do it: the task's own thread has others to serve. */
#include "picture.h"
#include "paint.h"

#include <ka/task.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

struct picture {
  png_image png;
  const void *file;
  size_t file_bytes;
  unsigned char *in, *out; /* pixels, in memory of ka */
  void *packed;            /* what becomes of it, malloc'ed */
  size_t packed_bytes;
  bool good;
};

/* ---- On a worker thread ---- */

static ka_status begin_unpacking(void *object) {
  struct picture *p = object;
  p->png.version = PNG_IMAGE_VERSION;
  p->good = png_image_begin_read_from_memory(&p->png, p->file, p->file_bytes);
  p->png.format = PNG_FORMAT_RGB;
  return KA_OK;
}

static ka_status unpack(void *object) {
  struct picture *p = object;
  const png_color behind = {255, 255, 255}; /* what is transparent */
  p->good = png_image_finish_read(&p->png, &behind, p->in, 0, NULL);
  return KA_OK;
}

static ka_status pack(void *object) {
  struct picture *p = object;
  p->png = (png_image){.version = PNG_IMAGE_VERSION,
                       .width = p->png.width,
                       .height = p->png.height,
                       .format = PNG_FORMAT_RGB};
  p->packed_bytes = PNG_IMAGE_PNG_SIZE_MAX(p->png);
  p->packed = malloc(p->packed_bytes);
  p->good = p->packed &&
            png_image_write_to_memory(&p->png, p->packed, &p->packed_bytes, 0, p->out, 0, NULL);
  return KA_OK;
}

/* Not cut short: the worker thread uses the picture, which lies on the task's stack. */
static const ka_wait_ops beginning = {.wait = begin_unpacking, .uninterruptible = true};
static const ka_wait_ops unpacking = {.wait = unpack, .uninterruptible = true};
static const ka_wait_ops packing = {.wait = pack, .uninterruptible = true};

/* ---- In the task ---- */

static int device_failed(char *why) {
  snprintf(why, PICTURE_WHY, "the device failed: %s", ka_error_message());
  return 500;
}

static int not_a_picture(const struct picture *p, char *why) {
  snprintf(why, PICTURE_WHY, "not a PNG file that can be read: %s", p->png.message);
  return 422;
}

static int paint_picture(ka_backend *be, struct picture *p, int radius, char *why) {
  if (ka_cooperative_wait(&beginning, p) != KA_OK)
    return device_failed(why);
  if (!p->good)
    return not_a_picture(p, why);
  size_t width = p->png.width, height = p->png.height;
  if (width > PICTURE_MOST_PIXELS || height > PICTURE_MOST_PIXELS / width) {
    snprintf(why, PICTURE_WHY, "%zu x %zu pixels are too many: at most %d", width, height,
             PICTURE_MOST_PIXELS);
    return 413;
  }
  p->in = ka_alloc(be, 3 * width * height);
  p->out = ka_alloc(be, 3 * width * height);
  if (!p->in || !p->out || ka_cooperative_wait(&unpacking, p) != KA_OK)
    return device_failed(why);
  if (!p->good)
    return not_a_picture(p, why);
  if (paint(be, p->in, p->out, (int)width, (int)height, radius) != KA_OK ||
      ka_synchronize(be) != KA_OK || ka_cooperative_wait(&packing, p) != KA_OK)
    return device_failed(why);
  if (!p->good) {
    snprintf(why, PICTURE_WHY, "cannot write the picture: %s",
             p->packed ? p->png.message : "out of memory");
    return 500;
  }
  return 0;
}

int picture_paint(ka_backend *be, const void *png, size_t bytes, int radius, void **out,
                  size_t *out_bytes, char *why) {
  struct picture p = {.file = png, .file_bytes = bytes};
  int status = paint_picture(be, &p, radius, why);
  png_image_free(&p.png);
  ka_free(p.in);
  ka_free(p.out);
  if (status) {
    free(p.packed);
    return status;
  }
  *out = p.packed, *out_bytes = p.packed_bytes;
  return 0;
}
