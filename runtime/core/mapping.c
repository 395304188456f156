/* Reads the process's mappings from /proc/self/maps: a line for each, in the order of addresses,
 *
 *   55d0c8a4e000-55d0c8a50000 rw-p 00000000 00:00 0     [heap]
 */
#include "runtime/core/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct mapping {
  uintptr_t first, end;
  bool read, write;
};

/* Gives a file line by line without the heap. Longer lines come cut off. */
struct lines {
  int file;
  bool failed; /* to read it */
  size_t used, filled;
  char text[4096];
};

static bool next_char(struct lines *lines, char *c) {
  if (lines->used == lines->filled) {
    ssize_t n;
    do
      n = read(lines->file, lines->text, sizeof lines->text);
    while (n < 0 && errno == EINTR);
    lines->failed = n < 0;
    if (n <= 0)
      return false;
    lines->used = 0;
    lines->filled = (size_t)n;
  }
  *c = lines->text[lines->used++];
  return true;
}

static bool next_line(struct lines *lines, char *line, size_t room) {
  size_t length = 0;
  char c = 0;
  while (next_char(lines, &c) && c != '\n')
    if (length + 1 < room)
      line[length++] = c;
  line[length] = 0;
  return c == '\n';
}

static bool parse(const char *line, struct mapping *m) {
  char *at;
  m->first = strtoull(line, &at, 16);
  if (*at != '-')
    return false;
  m->end = strtoull(at + 1, &at, 16);
  if (at[0] != ' ' || !at[1] || !at[2])
    return false;
  m->read = at[1] == 'r';
  m->write = at[2] == 'w';
  return true;
}

size_t ka__mapped(const void *pointer, size_t bytes, bool write) {
  uintptr_t at = (uintptr_t)pointer;
  uintptr_t end = bytes > UINTPTR_MAX - at ? UINTPTR_MAX : at + bytes;
  struct lines lines = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
  if (lines.file < 0)
    return bytes;
  char line[256];
  struct mapping m;
  while (at < end && next_line(&lines, line, sizeof line) && parse(line, &m)) {
    if (m.end <= at)
      continue;
    if (m.first > at || !m.read || (write && !m.write))
      break;
    at = m.end;
  }
  close(lines.file);
  if (lines.failed)
    return bytes;
  return (at < end ? at : end) - (uintptr_t)pointer;
}
