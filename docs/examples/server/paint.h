/* Paints over a picture on the device: the work that the server does for its clients. */
#ifndef KA_EXAMPLES_PAINT_H
#define KA_EXAMPLES_PAINT_H

#include <ka/ka.h>

enum { PAINT_LEAST_RADIUS = 1, PAINT_MOST_RADIUS = 32 };

/* Puts the painting into the queue of the calling task. Pixels are red, green, blue of 8 bits each,
 * row by row; `in` and `out` are different memory of ka. The brush reaches `radius` pixels, and the
 * work grows with its square. */
ka_status paint(ka_backend *be, const unsigned char *in, unsigned char *out, int width, int height,
                int radius);

/* The same by plain C on the host. */
void paint_on_host(const unsigned char *in, unsigned char *out, int width, int height, int radius);

#endif
