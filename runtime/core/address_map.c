/* A tree of five levels of 512 entries, and below a page of 64 steps.
 *
 * An entry says what covers all of its range, or where to look further. So a range of hundreds of
 * gigabytes takes a few entries high up and no more than 2 x 511 on each level where it begins and
 * ends, while two small allocations may share a page.
 *
 * Nodes are never taken out: a reader may be in one at any time, and allocators use the same
 * addresses again. They take at most an eighth of the address range that allocations ever covered,
 * and 0.4 % of it where allocations begin and end with pages. */
#include "runtime/core/address_map.h"

#include "runtime/core/permanent.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
  STEP_BITS = 6,
  PAGE_BITS = 12,
  LEVEL_BITS = 9,
  TOP_SHIFT = 48, /* an entry of the root covers so many bits of the address */
  ADDRESS_BITS = TOP_SHIFT + LEVEL_BITS,
  FAN = 1 << LEVEL_BITS,
  STEPS = 1 << (PAGE_BITS - STEP_BITS),
};
_Static_assert(KA__MAP_STEP == 1 << STEP_BITS, "the public and the internal step agree");

struct page {
  _Atomic(void *) steps[STEPS];
};

struct entry {
  _Atomic(void *) whole;   /* the value of the entry's whole range */
  _Atomic(void *) further; /* else: FAN entries, or a page below the lowest of them */
};

static struct entry root[FAN];

static uintptr_t index_at(uintptr_t address, int shift) { return address >> shift & (FAN - 1); }

void *ka__map_find(uintptr_t address) {
  if (address >> ADDRESS_BITS)
    return NULL;
  const struct entry *entries = root;
  for (int shift = TOP_SHIFT; shift >= PAGE_BITS; shift -= LEVEL_BITS) {
    const struct entry *entry = &entries[index_at(address, shift)];
    void *whole = atomic_load_explicit(&entry->whole, memory_order_acquire);
    if (whole)
      return whole;
    entries = atomic_load_explicit(&entry->further, memory_order_acquire);
    if (!entries)
      return NULL;
  }
  const struct page *page = (const void *)entries;
  return atomic_load_explicit(&page->steps[address >> STEP_BITS & (STEPS - 1)],
                              memory_order_acquire);
}

/* Only the holder of the callers' lock makes nodes. */
static void *further(struct entry *entry, int shift) {
  void *node = atomic_load_explicit(&entry->further, memory_order_relaxed);
  if (!node) {
    node = ka__permanent(shift == PAGE_BITS ? sizeof(struct page) : FAN * sizeof(struct entry));
    atomic_store_explicit(&entry->further, node, memory_order_release);
  }
  return node;
}

/* Stores the value, which may be NULL, for addresses that all lie below one node. */
static bool store(void *node, int shift, uintptr_t first, uintptr_t last, void *value) {
  if (shift < PAGE_BITS) {
    struct page *page = node;
    for (uintptr_t i = first >> STEP_BITS; i <= last >> STEP_BITS; i++)
      atomic_store_explicit(&page->steps[i & (STEPS - 1)], value, memory_order_release);
    return true;
  }
  struct entry *entries = node;
  uintptr_t size = (uintptr_t)1 << shift;
  for (uintptr_t start = first & -size;; start += size) {
    struct entry *entry = &entries[index_at(start, shift)];
    uintptr_t from = start > first ? start : first;
    uintptr_t to = start + (size - 1) < last ? start + (size - 1) : last;
    if (from == start && to == start + (size - 1)) {
      atomic_store_explicit(&entry->whole, value, memory_order_release);
    } else {
      void *below = value ? further(entry, shift)
                          : atomic_load_explicit(&entry->further, memory_order_relaxed);
      bool stored = below && store(below, shift - LEVEL_BITS, from, to, value);
      if (value && !stored)
        return false;
    }
    if (to == last)
      return true;
  }
}

void ka__map_clear(uintptr_t first, uintptr_t last) {
  store(root, TOP_SHIFT, first, last | (KA__MAP_STEP - 1), NULL);
}

bool ka__map_set(uintptr_t first, uintptr_t last, void *value) {
  if (last >> ADDRESS_BITS)
    return false;
  if (store(root, TOP_SHIFT, first, last | (KA__MAP_STEP - 1), value))
    return true;
  ka__map_clear(first, last);
  return false;
}
