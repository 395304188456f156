/* A list of command-line arguments that grows, and the few things done to their text. */
#include "arguments.h"
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *allocate_again(void *old, size_t bytes) {
  void *memory = realloc(old, bytes);
  if (!memory) {
    report_error("out of memory");
    exit(1);
  }
  return memory;
}

void arguments_add(struct arguments *list, const char *text) {
  if (list->count + 1 >= list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 64;
    list->items = allocate_again(list->items, list->capacity * sizeof *list->items);
  }
  list->items[list->count++] = text;
  list->items[list->count] = NULL;
}

void arguments_add_all(struct arguments *list, const struct arguments *more) {
  for (size_t i = 0; i < more->count; ++i)
    arguments_add(list, more->items[i]);
}

const char *text_format(const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  char *text = allocate_again(NULL, (size_t)length + 1);
  va_start(values, format);
  vsnprintf(text, (size_t)length + 1, format, values);
  va_end(values);
  return text;
}

const char *text_after(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) ? NULL : text + length;
}

bool text_equal(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool text_among(const char *text, const char *const *table, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (text_equal(text, table[i]))
      return true;
  return false;
}
