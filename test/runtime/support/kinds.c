/* Memory of every kind. */
#include "test/runtime/support/kinds.h"

#include "test/runtime/support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *const kind_names[KINDS] = {"unified", "device-only", "heap",    "static",
                                       "stack",   "mapped file", "constant"};

const unsigned char kind_constant[KIND_BYTES] = {
    1, 2, 3, [999] = 4, [4096] = 5, [131072] = 6, [KIND_BYTES - 1] = 7};

void kinds_create(ka_backend *backend, unsigned char *stack, struct pieces *pieces) {
  static unsigned char in_static[KIND_BYTES], *in_heap; /* seen by leak checkers to the end */
  in_heap = malloc(KIND_BYTES);
  FILE *file = tmpfile();
  CHECK(file);
  pieces->file = fileno(file);
  CHECK_INT(ftruncate(pieces->file, KIND_BYTES), 0);
  void *mapped = mmap(NULL, KIND_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, pieces->file, 0);
  CHECK(mapped != MAP_FAILED);
  pieces->at[UNIFIED] = ka_alloc(backend, KIND_BYTES);
  pieces->at[DEVICE_ONLY] = ka_alloc_device(backend, KIND_BYTES);
  pieces->at[HEAP] = in_heap;
  pieces->at[STATIC] = in_static;
  pieces->at[STACK] = stack;
  pieces->at[MAPPED_FILE] = mapped;
  pieces->at[CONSTANT] = (unsigned char *)kind_constant;
  for (int k = 0; k < KINDS; k++)
    CHECK(pieces->at[k]);
}

unsigned char *large_create(const char **why) {
  if (TEST_THREAD_SANITIZER) {
    *why = "ThreadSanitizer's own memory would be four times as much";
    return NULL;
  }
  unsigned char *start = mmap(NULL, LARGE_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int window = start == MAP_FAILED ? -1 : memfd_create("window", MFD_CLOEXEC);
  if (window < 0 || ftruncate(window, LARGE_WINDOW) != 0) {
    *why = strerror(errno);
    return NULL;
  }
  for (size_t at = 0; at < (size_t)1 << 32; at += LARGE_WINDOW)
    if (mmap(start + at, LARGE_WINDOW, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED | MAP_POPULATE, window, 0) == MAP_FAILED) {
      *why = strerror(errno);
      return NULL;
    }
  close(window);
  return start;
}
