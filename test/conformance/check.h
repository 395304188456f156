// check.h - What the conformance programs share: comparing with the host, and reporting.
//
// Each program runs kernels on the default backend and the same functions on the host. It ends
// with status 0 if all agree, 77 (skipped) without a backend, else 1.
#ifndef CHECK_H
#define CHECK_H

#include <ka/ka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;
static ka_backend *check_backend;

static inline ka_backend *backend(void) {
  if (!check_backend) {
    check_backend = ka_default_backend();
    if (!check_backend) {
      printf("skipped: %s\n", ka_error_message());
      exit(77);
    }
  }
  return check_backend;
}

static inline void *device_memory(size_t bytes) {
  void *p = ka_alloc_zeroed(backend(), bytes);
  if (!p) {
    fprintf(stderr, "%s\n", ka_error_message());
    exit(1);
  }
  return p;
}

// Compares arrays bit by bit; shows the first difference.
static inline void check_same(const char *what, const void *expected, const void *actual,
                              size_t count, size_t size) {
  const unsigned char *e = expected, *a = actual;
  for (size_t i = 0; i < count; i++) {
    if (memcmp(e + i * size, a + i * size, size) == 0)
      continue;
    fprintf(stderr, "%s: element %zu of %zu: expected", what, i, count);
    for (size_t b = size; b-- > 0;)
      fprintf(stderr, " %02x", e[i * size + b]);
    fprintf(stderr, ", got");
    for (size_t b = size; b-- > 0;)
      fprintf(stderr, " %02x", a[i * size + b]);
    fprintf(stderr, "\n");
    check_failures++;
    return;
  }
}

#define CHECK_SAME(what, expected, actual, count)                                                  \
  check_same(what, expected, actual, count, sizeof *(expected))

// Makes one number of many values.
#define MIX(r, ...) ((r) = (r) * 31 + (unsigned long)(long)(__VA_ARGS__))

// The end of every main.
static inline int check_result(void) {
  if (check_failures)
    fprintf(stderr, "%d comparisons failed\n", check_failures);
  return check_failures != 0;
}

#endif
