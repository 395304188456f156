/* When the steps of a pipeline ran, drawn as an SVG picture. */
#ifndef KA_EXAMPLES_TIMELINE_H
#define KA_EXAMPLES_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

/* TIMELINE_TURN is no work, and is left white: the device is done, the task waits for its turn. */
enum {
  TIMELINE_READ,
  TIMELINE_COPY_IN,
  TIMELINE_COMPUTE,
  TIMELINE_COPY_OUT,
  TIMELINE_TURN,
  TIMELINE_WRITE,
  TIMELINE_STEPS
};
enum { TIMELINE_PIECES = 32 }; /* later ones are not kept */

struct timeline {
  const char *title;
  double start; /* by the clock of the others, in milliseconds */
  struct {
    int lane;
    double begin, end[TIMELINE_STEPS]; /* each step begins where the one before it ends */
  } piece[TIMELINE_PIECES];
};

/* Any thread, each piece once. */
void timeline_add(struct timeline *timeline, uint64_t piece, int lane, double begin,
                  const double end[TIMELINE_STEPS]);

/* Draws them below each other, to one scale; false, with errno, if the file cannot be written. */
bool timeline_draw(const struct timeline *timelines, int count, const char *path);

#endif
