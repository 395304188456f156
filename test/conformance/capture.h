// capture.h - What was written to a file descriptor meanwhile: a file takes its place.
#ifndef CAPTURE_H
#define CAPTURE_H

#include "check.h"

#include <unistd.h>

struct capture {
  int descriptor, kept;
  FILE *file;
};

static inline struct capture capture(int descriptor) {
  fflush(stdout);
  struct capture c = {descriptor, dup(descriptor), tmpfile()};
  if (!c.file || c.kept < 0 || dup2(fileno(c.file), descriptor) < 0) {
    perror("capture");
    exit(1);
  }
  return c;
}

static inline char *captured(struct capture *c) {
  fflush(stdout);
  dup2(c->kept, c->descriptor);
  close(c->kept);
  off_t bytes = lseek(fileno(c->file), 0, SEEK_END);
  char *text = calloc((size_t)bytes + 1, 1);
  if (pread(fileno(c->file), text, (size_t)bytes, 0) != bytes) {
    perror("captured");
    exit(1);
  }
  fclose(c->file);
  return text;
}

// Takes the actual text for itself.
static inline void check_text(const char *what, const char *expected, char *actual) {
  if (strcmp(expected, actual) != 0) {
    fprintf(stderr, "%s: expected\n%sgot\n%s", what, expected, actual);
    check_failures++;
  }
  free(actual);
}

#endif
