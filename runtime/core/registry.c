/* The live allocations in a treap ordered by address, and the freed ones whose last use has not
 * completed yet ("leftovers") in a list.
 *
 * One mutex guards both, and all `uses`. It is held for a look-up or a step of the list, never
 * while waiting. It may be taken first and a queue's own lock inside it, never the other way. */
#include "runtime/core/registry.h"

#include "runtime/core/queue.h"

#include <stdlib.h>

struct ka__allocation {
  struct ka__device *device;
  ka_memory_kind kind; /* KA_MEMORY_HOST: malloc's, of ka__registry_discard */
  char *base;
  size_t bytes;
  struct ka__uses uses;
  struct ka__allocation *left, *right; /* in the treap; `right` also links lists */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ka__allocation *root;
static struct ka__allocation *leftovers, **leftovers_end = &leftovers;

/* A treap is balanced by priorities that look random; those of addresses that are hashed do. */
static uint64_t priority(const struct ka__allocation *a) {
  uint64_t x = (uintptr_t)a->base;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Splits a treap into what begins before `base` and the rest. */
static void split(struct ka__allocation *tree, const char *base, struct ka__allocation **before,
                  struct ka__allocation **rest) {
  while (tree) {
    if (tree->base < base) {
      *before = tree;
      before = &tree->right;
      tree = tree->right;
    } else {
      *rest = tree;
      rest = &tree->left;
      tree = tree->left;
    }
  }
  *before = NULL;
  *rest = NULL;
}

static struct ka__allocation *merge(struct ka__allocation *left, struct ka__allocation *right) {
  struct ka__allocation *tree, **at = &tree;
  while (left && right) {
    if (priority(left) > priority(right)) {
      *at = left;
      at = &left->right;
      left = left->right;
    } else {
      *at = right;
      at = &right->left;
      right = right->left;
    }
  }
  *at = left ? left : right;
  return tree;
}

static void insert(struct ka__allocation *a) {
  struct ka__allocation **at = &root;
  uint64_t mine = priority(a);
  while (*at && priority(*at) >= mine)
    at = a->base < (*at)->base ? &(*at)->left : &(*at)->right;
  split(*at, a->base, &a->left, &a->right);
  *at = a;
}

static struct ka__allocation *take_out(const char *base) {
  struct ka__allocation **at = &root;
  while (*at && (*at)->base != base)
    at = base < (*at)->base ? &(*at)->left : &(*at)->right;
  struct ka__allocation *a = *at;
  if (a)
    *at = merge(a->left, a->right);
  return a;
}

/* The allocation that begins at the pointer or is the nearest before it. */
static struct ka__allocation *nearest(const char *pointer) {
  struct ka__allocation *tree = root, *best = NULL;
  while (tree) {
    if (tree->base <= pointer) {
      best = tree;
      tree = tree->right;
    } else {
      tree = tree->left;
    }
  }
  return best;
}

static void append_leftover(struct ka__allocation *a) {
  a->right = NULL;
  *leftovers_end = a;
  leftovers_end = &a->right;
}

/* Takes the first leftover out of the list. */
static struct ka__allocation *first_leftover(void) {
  struct ka__allocation *a = leftovers;
  leftovers = a->right;
  if (!leftovers)
    leftovers_end = &leftovers;
  return a;
}

static bool in_use(struct ka__allocation *a, struct ka__use *use) {
  while (ka__uses_pending(&a->uses, use)) {
    if (ka__exiting())
      return true; /* nobody can be asked any more */
    ka__queue_poll(use->queue);
    struct ka__use still;
    if (ka__uses_pending(&a->uses, &still) && still.queue == use->queue)
      return true;
  }
  return false;
}

static void give_back(struct ka__allocation *a) {
  if (a->kind == KA_MEMORY_HOST)
    free(a->base);
  else
    a->device->backend->table->free(a->device, a->base);
  ka__uses_release(&a->uses);
  free(a);
}

static struct ka__allocation *make(struct ka__device *device, ka_memory_kind kind, void *base,
                                   size_t bytes) {
  struct ka__allocation *a = calloc(1, sizeof *a);
  if (a) {
    a->device = device;
    a->kind = kind;
    a->base = base;
    a->bytes = bytes;
  }
  return a;
}

bool ka__registry_add(struct ka__device *device, ka_memory_kind kind, void *base, size_t bytes) {
  struct ka__allocation *a = make(device, kind, base, bytes);
  if (!a)
    return false;
  ka__registry_lock();
  insert(a);
  ka__registry_unlock();
  return true;
}

bool ka__registry_find(const void *pointer, struct ka__place *place) {
  const char *p = pointer;
  ka__registry_lock();
  const struct ka__allocation *a = nearest(p);
  bool found = a && (p == a->base || (size_t)(p - a->base) < a->bytes);
  if (found)
    *place = (struct ka__place){a->device, a->kind, a->base, a->bytes};
  ka__registry_unlock();
  return found;
}

void ka__registry_lock(void) { pthread_mutex_lock(&lock); }

void ka__registry_unlock(void) { pthread_mutex_unlock(&lock); }

ka_status ka__registry_hold(const void *pointer, struct ka__queue *queue, uint64_t ticket,
                            struct ka__place *place) {
  const char *p = pointer;
  struct ka__allocation *a = nearest(p);
  if (!a || (size_t)(p - a->base) > a->bytes)
    return KA_ERROR_INVALID_POINTER;
  *place = (struct ka__place){a->device, a->kind, a->base, a->bytes};
  return ka__uses_add(&a->uses, queue, ticket) ? KA_OK : KA_ERROR_OUT_OF_MEMORY;
}

bool ka__registry_free(void *base) {
  struct ka__use use;
  ka__registry_lock();
  struct ka__allocation *a = take_out(base);
  bool keep = a && in_use(a, &use);
  if (keep) {
    a->device->freed_bytes += a->bytes;
    append_leftover(a);
  }
  ka__registry_unlock();
  if (!a)
    return false;
  if (!keep)
    give_back(a);
  /* Two or more for each that is added keep the list short; the others move to its end, so that
   * one that waits for a long kernel does not hide those behind it. */
  ka__registry_reap(8);
  return true;
}

bool ka__registry_discard(struct ka__device *device, void *base, size_t bytes,
                          struct ka__queue *queue, uint64_t ticket) {
  struct ka__allocation *a = make(device, KA_MEMORY_HOST, base, bytes);
  if (!a)
    return false;
  ka__registry_lock();
  ka__uses_add(&a->uses, queue, ticket);
  device->freed_bytes += bytes;
  append_leftover(a);
  ka__registry_unlock();
  return true;
}

void ka__registry_reap(size_t limit) {
  struct ka__allocation *unused = NULL, *last = NULL;
  ka__registry_lock();
  for (; limit > 0 && leftovers && leftovers != last; limit--) {
    struct ka__allocation *a = first_leftover();
    struct ka__use use;
    if (in_use(a, &use)) {
      append_leftover(a);
      if (!last)
        last = a;
    } else {
      a->device->freed_bytes -= a->bytes;
      a->right = unused;
      unused = a;
    }
  }
  ka__registry_unlock();
  while (unused) {
    struct ka__allocation *a = unused;
    unused = a->right;
    give_back(a);
  }
}

void ka__registry_reclaim(struct ka__device *device, uint64_t bytes) {
  for (;;) {
    struct ka__use use = {0};
    ka__registry_lock();
    if (device->freed_bytes > bytes)
      for (struct ka__allocation *a = leftovers; a && !use.queue; a = a->right)
        if (a->device == device)
          ka__uses_pending(&a->uses, &use);
    uint64_t before = device->freed_bytes;
    ka__registry_unlock();
    if (before <= bytes)
      return;
    if (use.queue && ka__queue_wait(use.queue, use.ticket) != KA_OK)
      return;
    ka__registry_reap(SIZE_MAX);
    ka__registry_lock();
    bool progress = device->freed_bytes < before;
    ka__registry_unlock();
    /* None if a use belongs to an operation that another thread has yet to put in its queue. */
    if (!progress)
      return;
  }
}
