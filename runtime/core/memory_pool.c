/* The pool of freed memory: stacks of blocks, one for each class of sizes, without locks.
 *
 * Classes are eight to a doubling, so that a block is at most an eighth larger than what it is
 * taken for. A pool holds at most a 32nd of its device's memory, and no block larger than a quarter
 * of that. When it is full, a hand goes round the classes: one from which nothing was taken since
 * it last came by is emptied. So what the program needs no more makes room for what it does.
 *
 * A stack is one word: the index of the record on top, and a count of changes, which makes the
 * compare-and-swap of a thread that was interrupted fail although the same record is on top again.
 * Only records that are never given back to malloc can be popped like this. */
#include "runtime/core/memory_pool.h"

#include "runtime/core/allocation.h"

#include <stdlib.h>
#include <string.h>

enum {
  STEP = 64,          /* of the smallest classes */
  FIRST_DOUBLING = 9, /* below 2^9 bytes a class for each step, above it eight to a doubling */
  IN_DOUBLING = 8,
  POOL_PART = 32, /* of the device's memory */
  BLOCK_PART = 4, /* of the pool */
};

/* ---- Modes ---- */

static _Atomic int chosen; /* enum ka__memory_pool_mode, 0: none yet */

/* Present in programs that are built with AddressSanitizer. */
extern void __asan_init(void) __attribute__((weak));

/* Whether something watches over the memory of the program that would not see the use of memory in
 * the pool. */
static bool is_watched(void) {
  /* Valgrind puts libraries of its own in front of a program's. */
  const char *preloaded = getenv("LD_PRELOAD");
  return __asan_init || (preloaded && strstr(preloaded, "vgpreload"));
}

static enum ka__memory_pool_mode mode(void) {
  int now = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (now)
    return now;
  const char *wanted = getenv("KA_POOL");
  bool reuse = wanted ? strcmp(wanted, "0") != 0 : !is_watched();
  int none = 0;
  atomic_compare_exchange_strong(&chosen, &none,
                                 reuse ? KA__MEMORY_POOL_REUSE : KA__MEMORY_POOL_NONE);
  return atomic_load(&chosen);
}

void ka__memory_pool_choose(enum ka__memory_pool_mode to) { atomic_store(&chosen, to); }

/* ---- Sizes ---- */

uint64_t ka__memory_pool_limit(const struct ka__device *device) {
  return device->properties.memory_bytes / POOL_PART;
}

/* The class for so many bytes; `capacity` is what its blocks have. */
static uint32_t class_for(size_t bytes, size_t *capacity) {
  size_t last = bytes ? bytes - 1 : 0;
  if (last >> FIRST_DOUBLING == 0) {
    *capacity = (last / STEP + 1) * STEP;
    return (uint32_t)(last / STEP);
  }
  int doubling = 63 - __builtin_clzll(last);
  int step_bits = doubling - 3;
  size_t step = last >> step_bits; /* IN_DOUBLING to 2 * IN_DOUBLING - 1 */
  *capacity = (step + 1) << step_bits;
  return (uint32_t)((doubling - FIRST_DOUBLING + 1) * IN_DOUBLING + (int)step - IN_DOUBLING);
}

size_t ka__memory_pool_capacity(const struct ka__device *device, size_t bytes,
                                uint32_t *size_class) {
  *size_class = KA__MEMORY_POOL_NO_CLASS;
  /* So that nothing else begins where the allocation ends, and a copy to there is a mistake. */
  if (mode() == KA__MEMORY_POOL_QUARANTINE && bytes < device->properties.max_alloc_bytes)
    return bytes + 1;
  if (mode() == KA__MEMORY_POOL_REUSE && bytes <= ka__memory_pool_limit(device) / BLOCK_PART) {
    size_t capacity;
    uint32_t class = class_for(bytes, &capacity);
    if (class < KA__MEMORY_POOL_CLASSES && capacity <= device->properties.max_alloc_bytes) {
      *size_class = class;
      return capacity;
    }
  }
  return bytes;
}

/* ---- Stacks ---- */

static uint32_t top_index(uint64_t top) { return (uint32_t)top; }

static uint64_t changed(uint64_t top, uint32_t index) { return ((top >> 32) + 1) << 32 | index; }

static void push(_Atomic uint64_t *stack, struct ka__allocation *a) {
  uint64_t top = atomic_load_explicit(stack, memory_order_relaxed);
  do
    atomic_store_explicit(&a->below, top_index(top), memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(stack, &top, changed(top, a->index),
                                                memory_order_release, memory_order_relaxed));
}

static struct ka__allocation *pop(_Atomic uint64_t *stack) {
  uint64_t top = atomic_load_explicit(stack, memory_order_acquire);
  while (top_index(top)) {
    struct ka__allocation *a = ka__allocation_at(top_index(top));
    /* If another thread has taken the record meanwhile, this is nonsense, and the swap fails. */
    uint32_t below = atomic_load_explicit(&a->below, memory_order_relaxed);
    if (atomic_compare_exchange_weak_explicit(stack, &top, changed(top, below),
                                              memory_order_acquire, memory_order_acquire))
      return a;
  }
  return NULL;
}

/* ---- Quarantine: a list, the oldest first ---- */

static pthread_mutex_t quarantine_lock = PTHREAD_MUTEX_INITIALIZER;

static void append(struct ka__memory_pool *pool, struct ka__allocation *a) {
  pthread_mutex_lock(&quarantine_lock);
  a->next = NULL;
  *(pool->oldest ? &pool->newest->next : &pool->oldest) = a;
  pool->newest = a;
  pthread_mutex_unlock(&quarantine_lock);
}

static struct ka__allocation *take_oldest(struct ka__memory_pool *pool) {
  pthread_mutex_lock(&quarantine_lock);
  struct ka__allocation *a = pool->oldest;
  if (a)
    pool->oldest = a->next;
  pthread_mutex_unlock(&quarantine_lock);
  return a;
}

/* ---- */

static uint32_t stack_of(ka_memory_kind kind, uint32_t size_class) {
  return (kind == KA_MEMORY_DEVICE ? KA__MEMORY_POOL_CLASSES : 0) + size_class;
}

/* What a block counts as. Its record is part of it, so that blocks of no size are not without
 * number. */
static uint64_t weight(const struct ka__allocation *a) { return a->capacity + sizeof *a; }

static struct ka__allocation *taken(struct ka__memory_pool *pool, struct ka__allocation *a) {
  if (a)
    atomic_fetch_sub_explicit(&pool->bytes, weight(a), memory_order_relaxed);
  return a;
}

struct ka__allocation *ka__memory_pool_take(struct ka__device *device, ka_memory_kind kind,
                                            size_t bytes) {
  struct ka__memory_pool *pool = &device->pool;
  uint32_t size_class;
  ka__memory_pool_capacity(device, bytes, &size_class);
  if (size_class == KA__MEMORY_POOL_NO_CLASS)
    return NULL;
  uint32_t s = stack_of(kind, size_class);
  if (!atomic_load_explicit(&pool->used[s], memory_order_relaxed))
    atomic_store_explicit(&pool->used[s], true, memory_order_relaxed);
  return taken(pool, pop(&pool->tops[s]));
}

bool ka__memory_pool_put(struct ka__allocation *a) {
  bool quarantine = mode() == KA__MEMORY_POOL_QUARANTINE;
  if (!quarantine && a->size_class == KA__MEMORY_POOL_NO_CLASS)
    return false;
  struct ka__memory_pool *pool = &atomic_load_explicit(&a->device, memory_order_relaxed)->pool;
  ka_memory_kind kind = atomic_load_explicit(&a->kind, memory_order_relaxed);
  atomic_fetch_add_explicit(&pool->bytes, weight(a), memory_order_relaxed);
  if (quarantine)
    append(pool, a);
  else
    push(&pool->tops[stack_of(kind, a->size_class)], a);
  return true;
}

/* Twice round, since the first time may only find what was used. */
static struct ka__allocation *pop_unused(struct ka__memory_pool *pool) {
  for (int i = 0; i < 2 * KA__MEMORY_POOL_KINDS * KA__MEMORY_POOL_CLASSES; i++) {
    uint32_t s = atomic_load_explicit(&pool->hand, memory_order_relaxed) %
                 (KA__MEMORY_POOL_KINDS * KA__MEMORY_POOL_CLASSES);
    if (atomic_load_explicit(&pool->used[s], memory_order_relaxed)) {
      atomic_store_explicit(&pool->used[s], false, memory_order_relaxed);
    } else {
      struct ka__allocation *a = pop(&pool->tops[s]);
      if (a)
        return a;
    }
    atomic_fetch_add_explicit(&pool->hand, 1, memory_order_relaxed);
  }
  return NULL;
}

struct ka__allocation *ka__memory_pool_evict(struct ka__device *device, uint64_t most) {
  struct ka__memory_pool *pool = &device->pool;
  if (atomic_load_explicit(&pool->bytes, memory_order_relaxed) <= most)
    return NULL;
  return taken(pool, mode() == KA__MEMORY_POOL_QUARANTINE ? take_oldest(pool) : pop_unused(pool));
}
