/* Response files: `@file` stands for the arguments in the file.
 *
 * clang expands them itself; kacc has to do it first because kacc's own options may be inside, and
 * because what is linked depends on every option. The rules are those of LLVM's GNU tokenizer, so
 * that no file means one thing here and another to clang.
 */
#include "response_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that are being expanded, the innermost first. */
struct open_file {
  dev_t device;
  ino_t inode;
  const struct open_file *outer;
};

/* The contents with a NUL behind, or NULL. */
static char *read_file(const char *path, struct open_file *identity) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  struct stat status;
  if (fstat(fd, &status) != 0 || S_ISDIR(status.st_mode)) {
    close(fd);
    return NULL;
  }
  identity->device = status.st_dev;
  identity->inode = status.st_ino;

  /* Not the size that fstat gave: pipes and /proc have none. */
  size_t length = 0, capacity = 4096;
  char *contents = allocate_again(NULL, capacity);
  for (;;) {
    ssize_t got = read(fd, contents + length, capacity - length - 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      close(fd);
      return NULL;
    }
    if (got == 0)
      break;
    length += (size_t)got;
    if (length + 1 == capacity)
      contents = allocate_again(contents, capacity *= 2);
  }
  close(fd);
  contents[length] = '\0';
  return contents;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Cuts one argument off `*at`; NULL at the end. As in LLVM, "" gives none. */
static const char *next_argument(char **at) {
  char *in = *at;
  while (*in) {
    while (is_space(*in))
      ++in;
    char *start = in, *out = in;
    while (*in && !is_space(*in)) {
      if (*in == '\\' && in[1]) {
        *out++ = in[1];
        in += 2;
      } else if (*in == '"' || *in == '\'') {
        char quote = *in++;
        while (*in && *in != quote) {
          if (*in == '\\' && in[1])
            ++in;
          *out++ = *in++;
        }
        if (*in)
          ++in;
      } else {
        *out++ = *in++;
      }
    }
    bool empty = out == start;
    if (*in)
      ++in;
    *out = '\0';
    if (!empty) {
      *at = in;
      return start;
    }
  }
  *at = in;
  return NULL;
}

static bool expand(const char *text, const struct open_file *outer, struct arguments *list) {
  if (text[0] != '@') {
    arguments_add(list, text);
    return true;
  }
  struct open_file file = {.outer = outer};
  char *contents = read_file(text + 1, &file);
  if (!contents) {
    arguments_add(list, text);
    return true;
  }
  for (const struct open_file *o = outer; o; o = o->outer)
    if (o->device == file.device && o->inode == file.inode)
      return false;

  char *at = contents;
  if (strncmp(at, "\xef\xbb\xbf", 3) == 0)
    at += 3;
  for (const char *argument; (argument = next_argument(&at));)
    if (!expand(argument, &file, list))
      return false;
  return true;
}

void response_file_expand(const char *text, struct arguments *list) {
  struct arguments expanded = {0};
  if (expand(text, NULL, &expanded))
    arguments_add_all(list, &expanded);
  else
    arguments_add(list, text);
}
