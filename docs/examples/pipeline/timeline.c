/* When the steps of a pipeline ran, drawn as an SVG picture. */
#include "timeline.h"

#include <stdio.h>
#include <string.h>

enum { LEFT = 20, WIDTH = 960, LANE_HEIGHT = 26 };

static const struct {
  const char *name, *colour;
} steps[TIMELINE_STEPS] = {[TIMELINE_READ] = {"read", "#4477aa"},
                           [TIMELINE_COPY_IN] = {"copy in", "#66ccee"},
                           [TIMELINE_COMPUTE] = {"compute", "#ee6677"},
                           [TIMELINE_COPY_OUT] = {"copy out", "#ccbb44"},
                           [TIMELINE_WRITE] = {"write", "#228833"}};

void timeline_add(struct timeline *timeline, uint64_t piece, int lane, double begin,
                  const double end[TIMELINE_STEPS]) {
  if (piece >= TIMELINE_PIECES)
    return;
  timeline->piece[piece].lane = lane;
  timeline->piece[piece].begin = begin;
  memcpy(timeline->piece[piece].end, end, sizeof timeline->piece[piece].end);
}

static double last_end(const struct timeline *t) {
  double last = 0;
  for (int p = 0; p < TIMELINE_PIECES; ++p)
    if (t->piece[p].end[TIMELINE_WRITE] - t->start > last)
      last = t->piece[p].end[TIMELINE_WRITE] - t->start;
  return last;
}

static int lanes_of(const struct timeline *t) {
  int lanes = 1;
  for (int p = 0; p < TIMELINE_PIECES; ++p)
    lanes = t->piece[p].lane >= lanes ? t->piece[p].lane + 1 : lanes;
  return lanes;
}

/* Returns the height used. */
static int draw_one(FILE *file, const struct timeline *t, int top, double scale) {
  fprintf(file, "<text x='%d' y='%d'>%s: %.1f ms</text>\n", LEFT, top + 14, t->title, last_end(t));
  for (int p = 0; p < TIMELINE_PIECES; ++p) {
    double begin = t->piece[p].begin;
    for (int step = 0; step < TIMELINE_STEPS; begin = t->piece[p].end[step++])
      if (steps[step].name && t->piece[p].end[step] > begin)
        fprintf(file, "<rect x='%.2f' y='%d' width='%.2f' height='%d' fill='%s'/>\n",
                LEFT + scale * (begin - t->start), top + 22 + LANE_HEIGHT * t->piece[p].lane,
                scale * (t->piece[p].end[step] - begin), LANE_HEIGHT - 4, steps[step].colour);
  }
  return 36 + LANE_HEIGHT * lanes_of(t);
}

bool timeline_draw(const struct timeline *timelines, int count, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  int height = 40, x = LEFT;
  double longest = 0;
  for (int i = 0; i < count; ++i) {
    height += 36 + LANE_HEIGHT * lanes_of(&timelines[i]);
    longest = last_end(&timelines[i]) > longest ? last_end(&timelines[i]) : longest;
  }
  fprintf(file,
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
          "font-family='sans-serif' font-size='14'>\n<rect width='100%%' height='100%%' "
          "fill='white'/>\n",
          WIDTH + 2 * LEFT, height);
  for (int step = 0; step < TIMELINE_STEPS; ++step)
    if (steps[step].name) {
      fprintf(file,
              "<rect x='%d' y='10' width='14' height='14' fill='%s'/>"
              "<text x='%d' y='22'>%s</text>\n",
              x, steps[step].colour, x + 20, steps[step].name);
      x += 110;
    }
  int top = 40;
  for (int i = 0; i < count; ++i)
    top += draw_one(file, &timelines[i], top, longest > 0 ? WIDTH / longest : 0);
  fputs("</svg>\n", file);
  bool good = !ferror(file);
  return fclose(file) == 0 && good;
}
