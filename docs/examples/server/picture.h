/* PNG files in memory, painted over by a task. */
#ifndef KA_EXAMPLES_PICTURE_H
#define KA_EXAMPLES_PICTURE_H

#include <ka/ka.h>
#include <stddef.h>

enum { PICTURE_MOST_PIXELS = 4 << 20, PICTURE_WHY = 256 };

/* Reads a PNG file, paints over it on the device, and makes a PNG file of that: malloc'ed, at *out.
 * The task waits meanwhile, its thread goes on. Returns 0, or the HTTP status that says whose fault
 * it was, with the reason in `why`, of PICTURE_WHY bytes. */
int picture_paint(ka_backend *be, const void *png, size_t bytes, int radius, void **out,
                  size_t *out_bytes, char *why);

#endif
