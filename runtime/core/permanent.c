/* Permanent memory is cut from chunks, so that it lies close together: a look-up among very many
 * allocations then misses fewer entries of the processor's page tables. */
#include "runtime/core/permanent.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Small programs need one small chunk; larger ones may lie in huge pages. */
enum { LINE = 64, FIRST_CHUNK = 1 << 16, LARGEST_CHUNK = 1 << 23, HUGE_PAGE = 1 << 21 };

struct chunk {
  struct chunk *older; /* keeps them all in sight of leak checkers */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* none is taken inside */
static struct chunk *newest;
static char *next;
static size_t left, chunk_bytes = FIRST_CHUNK;

static char *aligned(char *p, size_t to) { return p + (-(uintptr_t)p & (to - 1)); }

/* Makes room for `bytes`. */
static bool add_chunk(size_t bytes) {
  size_t size = bytes + sizeof(struct chunk) + LINE;
  if (size < chunk_bytes)
    size = chunk_bytes;
  struct chunk *chunk = calloc(1, size);
  if (!chunk)
    return false;
  chunk->older = newest;
  newest = chunk;
  char *end = (char *)chunk + size, *huge = aligned((char *)chunk, HUGE_PAGE);
  if (huge < end)
    madvise(huge, (size_t)(end - huge) & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
  next = aligned((char *)(chunk + 1), LINE);
  left = (size_t)(end - next);
  if (chunk_bytes < LARGEST_CHUNK)
    chunk_bytes *= 2;
  return true;
}

void *ka__permanent(size_t bytes) {
  bytes = (bytes + LINE - 1) & ~(size_t)(LINE - 1);
  void *memory = NULL;
  pthread_mutex_lock(&lock);
  if (bytes <= left || add_chunk(bytes)) {
    memory = next;
    next += bytes;
    left -= bytes;
  }
  pthread_mutex_unlock(&lock);
  return memory;
}
