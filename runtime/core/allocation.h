/* The record of an allocation: what launches look at, and what the pool and the registry keep. */
#ifndef KA_RUNTIME_CORE_ALLOCATION_H
#define KA_RUNTIME_CORE_ALLOCATION_H

#include "runtime/core/uses.h"

/* Records are never given back to malloc, and hold one block of memory after another: a thread may
 * look at one that it found just before the block went. So everything that is read without owning
 * the record is atomic, and who reads several fields reads `state` before and after: it is odd
 * while the allocation is live, and grows with every birth and death. */
struct ka__allocation {
  /* One line of the cache has all that a launch needs. */
  _Alignas(64) _Atomic uint64_t state;
  _Atomic(char *) base; /* a multiple of 64 */
  _Atomic size_t bytes; /* as asked for */
  _Atomic(struct ka__device *) device;
  _Atomic uint16_t kind; /* ka_memory_kind; KA_MEMORY_HOST: malloc's, of ka__registry_discard */
  _Atomic bool follows;  /* another allocation may end where this one begins */
  struct ka__uses uses;

  /* The rest belongs to who owns the record: the pool, a list, or the thread that has it. */
  uint32_t index;         /* of the record itself */
  uint32_t size_class;    /* in the pool */
  size_t capacity;        /* bytes that the block really has */
  _Atomic uint32_t below; /* index of the one below it in the pool, 0: none */
  struct ka__allocation *next;
};

/* A record that holds nothing, with an index that is not 0. NULL: out of host memory. */
struct ka__allocation *ka__allocation_make(void);
/* Lets a record be made again. */
void ka__allocation_unmake(struct ka__allocation *a);

struct ka__allocation *ka__allocation_at(uint32_t index);

static inline bool ka__allocation_is_live(uint64_t state) { return state & 1; }

#endif
