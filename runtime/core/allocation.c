/* Where the records of allocations come from. */
#include "runtime/core/allocation.h"

#include "runtime/core/permanent.h"

#include <stddef.h>

/* Records are made in chunks, each twice as large as the one before, so that few pointers find a
 * record by its number: chunk c has those from FIRST << c on. */
enum { FIRST_BITS = 6, FIRST = 1 << FIRST_BITS, CHUNKS = 32 - FIRST_BITS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the rest; none is taken inside */
static _Atomic(struct ka__allocation *) chunks[CHUNKS];
static uint32_t made = FIRST; /* one more than the highest number */
static struct ka__allocation *idle;

_Static_assert(offsetof(struct ka__allocation, uses) + offsetof(struct ka__uses, far) == 64,
               "what a launch needs is one line of the cache");

static int chunk_of(uint32_t index) { return 31 - __builtin_clz(index) - FIRST_BITS; }

struct ka__allocation *ka__allocation_at(uint32_t index) {
  int c = chunk_of(index);
  return atomic_load_explicit(&chunks[c], memory_order_acquire) + (index - ((uint32_t)FIRST << c));
}

/* A record that never was. */
static struct ka__allocation *next_record(void) {
  if (!made)
    return NULL; /* after 2^32 of them */
  int c = chunk_of(made);
  if (!atomic_load_explicit(&chunks[c], memory_order_relaxed)) {
    size_t bytes = ((size_t)FIRST << c) * sizeof(struct ka__allocation);
    struct ka__allocation *chunk = ka__permanent(bytes);
    if (!chunk)
      return NULL;
    atomic_store_explicit(&chunks[c], chunk, memory_order_release);
  }
  struct ka__allocation *a = ka__allocation_at(made);
  a->index = made++;
  return a;
}

struct ka__allocation *ka__allocation_make(void) {
  pthread_mutex_lock(&lock);
  struct ka__allocation *a = idle;
  if (a)
    idle = a->next;
  else
    a = next_record();
  pthread_mutex_unlock(&lock);
  return a;
}

void ka__allocation_unmake(struct ka__allocation *a) {
  pthread_mutex_lock(&lock);
  a->next = idle;
  idle = a;
  pthread_mutex_unlock(&lock);
}
