/* The life of an allocation: live, freed but in use (a "leftover"), in the pool, given back.
 *
 * A launch finds an allocation through the address map and marks it, without a lock. Against
 * ka_free in another thread there is one rule: a launch makes its mark and then looks whether the
 * allocation is still live; ka_free ends the allocation's life and then looks for marks. All four
 * steps are in one order that all threads agree on, so that either ka_free sees the mark, or the
 * launch sees that the allocation is gone. A mark made too late may land in the next allocation
 * that has the record; it delays that one's end by one launch, and nothing else.
 *
 * `map_lock` is held to change the map: memory that comes from the device or goes back. `lock`
 * guards the list of leftovers; a queue's own lock may be taken inside it, never the other way.
 * Neither is held while waiting or while the backend allocates or frees. */
#include "runtime/core/registry.h"

#include "runtime/core/address_map.h"
#include "runtime/core/allocation.h"
#include "runtime/core/memory_pool.h"
#include "runtime/core/queue.h"

#include <stdlib.h>

static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ka__allocation *leftovers, **leftovers_end = &leftovers;
static _Atomic size_t leftover_count; /* changed under the lock */

static struct ka__device *device_of(struct ka__allocation *a) {
  return atomic_load_explicit(&a->device, memory_order_relaxed);
}

/* ---- Looking ---- */

/* What the record says, if it says it of one life; `state` tells which. */
static bool read_record(struct ka__allocation *a, struct ka__place *place, uint64_t *state) {
  *state = atomic_load_explicit(&a->state, memory_order_acquire);
  place->base = atomic_load_explicit(&a->base, memory_order_acquire);
  place->bytes = atomic_load_explicit(&a->bytes, memory_order_acquire);
  place->device = atomic_load_explicit(&a->device, memory_order_acquire);
  place->kind = atomic_load_explicit(&a->kind, memory_order_acquire);
  place->is_behind = false;
  return atomic_load_explicit(&a->state, memory_order_relaxed) == *state;
}

/* As read_record, of the allocation at the address. False: there is none. */
static bool find(uintptr_t address, struct ka__place *place, uint64_t *state,
                 struct ka__allocation **found) {
  struct ka__allocation *a;
  while ((a = ka__map_find(address)))
    if (read_record(a, place, state)) {
      *found = a;
      return address >= (uintptr_t)place->base;
    }
  return false;
}

static bool find_in(const void *pointer, bool live, struct ka__place *place) {
  uint64_t state;
  struct ka__allocation *a;
  if (!find((uintptr_t)pointer, place, &state, &a) || ka__allocation_is_live(state) != live)
    return false;
  size_t at = (size_t)((const char *)pointer - place->base);
  return at == 0 || at < place->bytes;
}

bool ka__registry_find(const void *pointer, struct ka__place *place) {
  return find_in(pointer, true, place);
}

bool ka__registry_find_freed(const void *pointer, struct ka__place *place) {
  return find_in(pointer, false, place);
}

/* Holds what is at `address`, which is the pointer or the byte before it. */
static ka_status hold_at(uintptr_t address, uintptr_t pointer, const struct ka__queue *queue,
                         uint64_t ticket, struct ka__place *place, struct ka__allocation **found) {
  uint64_t state;
  if (!find(address, place, &state, found) || !ka__allocation_is_live(state) ||
      pointer - (uintptr_t)place->base > place->bytes)
    return KA_ERROR_INVALID_POINTER;
  if (!ka__uses_add(&(*found)->uses, queue, ticket))
    return KA_ERROR_OUT_OF_MEMORY;
  return atomic_load(&(*found)->state) == state ? KA_OK : KA_ERROR_INVALID_POINTER;
}

/* As ka__registry_hold, which remembers. */
static ka_status search_and_hold(uintptr_t p, const struct ka__queue *queue, uint64_t ticket,
                                 struct ka__place *place, struct ka__allocation **found) {
  struct ka__allocation *before;
  *found = NULL;
  ka_status status = hold_at(p, p, queue, ticket, place, found);
  /* Most end in the middle of a step of the map, which then is theirs to the end. */
  bool maybe_end = p % KA__MAP_STEP == 0 && p != 0 && status != KA_ERROR_OUT_OF_MEMORY &&
                   (status == KA_ERROR_INVALID_POINTER || atomic_load(&(*found)->follows));
  if (!maybe_end)
    return status;
  struct ka__place ended;
  ka_status end_status = hold_at(p - 1, p, queue, ticket, &ended, &before);
  if (end_status == KA_ERROR_OUT_OF_MEMORY)
    return end_status;
  if (status != KA_OK && end_status == KA_OK) {
    *place = ended;
    place->is_behind = true;
  }
  return status == KA_OK ? KA_OK : end_status;
}

/* The two places in which the queue may remember what it found at the address, the latest first. */
static struct ka__allocation **remembered(struct ka__queue *queue, uintptr_t address) {
  uint64_t mixed = (uint64_t)address * 0x9E3779B97F4A7C15; /* 2^64 / golden ratio */
  return queue->recent[mixed / (UINT64_MAX / KA__RECENT + 1)];
}

ka_status ka__registry_hold(const void *pointer, struct ka__queue *queue, uint64_t ticket,
                            struct ka__place *place) {
  struct ka__allocation *found;
  ka_status status = search_and_hold((uintptr_t)pointer, queue, ticket, place, &found);
  struct ka__allocation **recent = remembered(queue, (uintptr_t)pointer);
  if (status == KA_OK && !place->is_behind && recent[0] != found) {
    recent[1] = recent[0];
    recent[0] = found;
  }
  return status;
}

/* Whether the pointer leads into this allocation, of the queue's device, which is now marked. */
static inline bool hold_in(struct ka__allocation *a, const void *pointer, struct ka__queue *queue,
                           uint64_t ticket) {
  if (!a)
    return false;
  uint64_t state = atomic_load_explicit(&a->state, memory_order_acquire);
  uintptr_t base = (uintptr_t)atomic_load_explicit(&a->base, memory_order_acquire);
  uintptr_t at = (uintptr_t)pointer - base;
  /* Where another allocation ends at the pointer, that one is to be marked, too. */
  if (at >= atomic_load_explicit(&a->bytes, memory_order_acquire) ||
      !ka__allocation_is_live(state) ||
      atomic_load_explicit(&a->device, memory_order_acquire) != queue->device ||
      (at == 0 && atomic_load(&a->follows)))
    return false;
  /* If the state is the same afterwards, all was of one life, which has not ended. */
  return ka__uses_renew(&a->uses, queue, ticket) && atomic_load(&a->state) == state;
}

bool ka__registry_hold_again(const void *pointer, struct ka__queue *queue, uint64_t ticket) {
  struct ka__allocation **recent = remembered(queue, (uintptr_t)pointer);
  return hold_in(recent[0], pointer, queue, ticket) || hold_in(recent[1], pointer, queue, ticket);
}

/* ---- Birth ---- */

/* Makes an allocation, which nobody else has, live. */
static void *begin(struct ka__allocation *a, size_t bytes) {
  atomic_store_explicit(&a->bytes, bytes, memory_order_release);
  uint64_t state = atomic_load_explicit(&a->state, memory_order_relaxed);
  atomic_store_explicit(&a->state, state + 1, memory_order_release);
  return atomic_load_explicit(&a->base, memory_order_relaxed);
}

/* The last address that is the allocation's. One of 0 bytes has one, too. */
static uintptr_t last_of(uintptr_t base, size_t capacity) {
  return base + (capacity ? capacity - 1 : 0);
}

/* Enters the block into the map, and notes where it touches another. */
static bool enter(struct ka__allocation *a) {
  uintptr_t base = (uintptr_t)atomic_load_explicit(&a->base, memory_order_relaxed);
  uintptr_t last = last_of(base, a->capacity);
  pthread_mutex_lock(&map_lock);
  bool entered = ka__map_set(base, last, a);
  if (entered) {
    atomic_store(&a->follows, ka__map_find(base - 1) != NULL);
    struct ka__allocation *next = ka__map_find((last | (KA__MAP_STEP - 1)) + 1);
    if (next)
      atomic_store(&next->follows, true);
  }
  pthread_mutex_unlock(&map_lock);
  return entered;
}

static void leave(struct ka__allocation *a) {
  uintptr_t base = (uintptr_t)atomic_load_explicit(&a->base, memory_order_relaxed);
  pthread_mutex_lock(&map_lock);
  ka__map_clear(base, last_of(base, a->capacity));
  pthread_mutex_unlock(&map_lock);
}

static ka_status ask(struct ka__device *device, ka_memory_kind kind, size_t bytes, void **pointer) {
  const struct ka__backend_table *table = device->backend->table;
  return kind == KA_MEMORY_DEVICE && table->alloc_device
             ? table->alloc_device(device, bytes, pointer)
             : table->alloc(device, bytes, pointer);
}

static void fill_in(struct ka__allocation *a, struct ka__device *device, ka_memory_kind kind,
                    void *base) {
  atomic_store_explicit(&a->device, device, memory_order_release);
  atomic_store_explicit(&a->kind, kind, memory_order_release);
  atomic_store_explicit(&a->base, base, memory_order_release);
}

/* A block of the device that is not live yet; a little larger than asked for, if that lets the pool
 * use it again. */
static struct ka__allocation *new_block(struct ka__device *device, ka_memory_kind kind,
                                        size_t bytes, bool larger, ka_status *status) {
  struct ka__allocation *a = ka__allocation_make();
  if (!a) {
    *status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory to keep account of the allocation");
    return NULL;
  }
  a->capacity = bytes;
  a->size_class = KA__MEMORY_POOL_NO_CLASS;
  if (larger)
    a->capacity = ka__memory_pool_capacity(device, bytes, &a->size_class);
  void *base;
  *status = ask(device, kind, a->capacity, &base);
  if (*status != KA_OK) {
    ka__allocation_unmake(a);
    return NULL;
  }
  fill_in(a, device, kind, base);
  if (!enter(a)) {
    device->backend->table->free(device, base);
    ka__allocation_unmake(a);
    *status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory to keep account of the allocation");
    return NULL;
  }
  return a;
}

/* ---- Death ---- */

static void give_back(struct ka__allocation *a) {
  struct ka__device *device = device_of(a);
  void *base = atomic_load_explicit(&a->base, memory_order_relaxed);
  if (atomic_load_explicit(&a->kind, memory_order_relaxed) == KA_MEMORY_HOST) {
    free(base);
  } else {
    leave(a); /* first: once the device has it, it may give it to another thread */
    device->backend->table->free(device, base);
  }
  ka__allocation_unmake(a);
}

static void trim(struct ka__device *device, uint64_t most) {
  struct ka__allocation *a;
  while ((a = ka__memory_pool_evict(device, most)))
    give_back(a);
}

/* A pool that is too full loses an eighth, so that the next ones to be freed find room. */
static void tidy_pool(struct ka__device *device) {
  uint64_t limit = ka__memory_pool_limit(device);
  struct ka__allocation *a = ka__memory_pool_evict(device, limit);
  if (!a)
    return;
  give_back(a);
  trim(device, limit - limit / 8);
}

/* Of a dead allocation that nothing uses any more. */
static void release(struct ka__allocation *a) {
  struct ka__device *device = device_of(a);
  if (atomic_load_explicit(&a->kind, memory_order_relaxed) != KA_MEMORY_HOST &&
      ka__memory_pool_put(a))
    tidy_pool(device);
  else
    give_back(a);
}

static void append_leftover(struct ka__allocation *a) {
  a->next = NULL;
  *leftovers_end = a;
  leftovers_end = &a->next;
}

/* Takes the first leftover out of the list. */
static struct ka__allocation *first_leftover(void) {
  struct ka__allocation *a = leftovers;
  leftovers = a->next;
  if (!leftovers)
    leftovers_end = &leftovers;
  return a;
}

static void add_leftover(struct ka__allocation *a) {
  size_t bytes = atomic_load_explicit(&a->bytes, memory_order_relaxed);
  pthread_mutex_lock(&lock);
  atomic_fetch_add_explicit(&device_of(a)->freed_bytes, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&leftover_count, 1, memory_order_relaxed);
  append_leftover(a);
  pthread_mutex_unlock(&lock);
}

static bool in_use(struct ka__allocation *a) {
  struct ka__use use, still;
  while (ka__uses_pending(&a->uses, &use)) {
    if (ka__exiting())
      return true; /* nobody can be asked any more */
    ka__queue_poll(use.queue);
    if (ka__uses_pending(&a->uses, &still) && still.queue == use.queue)
      return true;
  }
  return false;
}

bool ka__registry_free(void *base) {
  struct ka__place place;
  uint64_t state;
  struct ka__allocation *a;
  do
    if (!find((uintptr_t)base, &place, &state, &a) || !ka__allocation_is_live(state) ||
        place.base != base)
      return false;
  while (!atomic_compare_exchange_strong(&a->state, &state, state + 1));
  if (in_use(a))
    add_leftover(a);
  else
    release(a);
  /* Two or more for each that is added keep the list short; the others move to its end, so that
   * one that waits for a long kernel does not hide those behind it. */
  ka__registry_reap(8);
  return true;
}

bool ka__registry_discard(struct ka__device *device, void *base, size_t bytes,
                          const struct ka__queue *queue, uint64_t ticket) {
  struct ka__allocation *a = ka__allocation_make();
  if (!a)
    return false;
  if (!ka__uses_add(&a->uses, queue, ticket)) {
    ka__allocation_unmake(a);
    return false;
  }
  fill_in(a, device, KA_MEMORY_HOST, base);
  atomic_store_explicit(&a->bytes, bytes, memory_order_release);
  add_leftover(a);
  return true;
}

void ka__registry_reap(size_t limit) {
  if (atomic_load_explicit(&leftover_count, memory_order_relaxed) == 0)
    return;
  struct ka__allocation *unused = NULL, *last = NULL;
  pthread_mutex_lock(&lock);
  for (; limit > 0 && leftovers && leftovers != last; limit--) {
    struct ka__allocation *a = first_leftover();
    if (in_use(a)) {
      append_leftover(a);
      if (!last)
        last = a;
    } else {
      size_t bytes = atomic_load_explicit(&a->bytes, memory_order_relaxed);
      atomic_fetch_sub_explicit(&device_of(a)->freed_bytes, bytes, memory_order_relaxed);
      atomic_fetch_sub_explicit(&leftover_count, 1, memory_order_relaxed);
      a->next = unused;
      unused = a;
    }
  }
  pthread_mutex_unlock(&lock);
  while (unused) {
    struct ka__allocation *a = unused;
    unused = a->next;
    release(a);
  }
}

void ka__registry_reclaim(struct ka__device *device, uint64_t bytes) {
  uint64_t before;
  while ((before = atomic_load(&device->freed_bytes)) > bytes) {
    struct ka__use use;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (struct ka__allocation *a = leftovers; a && !found; a = a->next)
      found = device_of(a) == device && ka__uses_pending(&a->uses, &use);
    pthread_mutex_unlock(&lock);
    if (found && ka__queue_wait(use.queue, use.ticket) != KA_OK)
      return;
    ka__registry_reap(SIZE_MAX);
    /* No progress if a use belongs to an operation that another thread has yet to put in its
     * queue. */
    if (atomic_load(&device->freed_bytes) >= before)
      return;
  }
}

/* Of all devices, since they may share memory. */
static void give_all_back(ka_backend *backend, bool wait) {
  for (int d = 0; d < backend->device_count; d++) {
    if (wait)
      ka__registry_reclaim(&backend->devices[d], 0);
    trim(&backend->devices[d], 0);
  }
}

void *ka__registry_alloc(struct ka__device *device, ka_memory_kind kind, size_t bytes,
                         ka_status *status) {
  struct ka__allocation *a = ka__memory_pool_take(device, kind, bytes);
  if (!a)
    a = new_block(device, kind, bytes, true, status);
  /* Without waiting first. */
  for (int wait = 0; !a && wait < 2; wait++) {
    give_all_back(device->backend, wait);
    a = new_block(device, kind, bytes, false, status);
  }
  return a ? begin(a, bytes) : NULL;
}
