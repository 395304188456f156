/* A list of command-line arguments that grows. Strings are shared or owned by nobody: kacc lives as
 * long as one command line and gives memory back by ending. */
#ifndef KACC_ARGUMENTS_H
#define KACC_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct arguments {
  const char **items; /* NULL after the last */
  size_t count, capacity;
};

void arguments_add(struct arguments *list, const char *text);
void arguments_add_all(struct arguments *list, const struct arguments *more);

/* Text made as printf would. */
const char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* If `text` begins with `prefix`, what follows it, else NULL. */
const char *text_after(const char *text, const char *prefix);
bool text_equal(const char *a, const char *b);
/* Whether `text` is one of the first `count` words of `table`. */
bool text_among(const char *text, const char *const *table, size_t count);

/* realloc that ends the program with a message when there is no memory. */
void *allocate_again(void *old, size_t bytes);

#endif
