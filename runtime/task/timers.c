/* A pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986): adding takes one comparison, removing
 * the earliest a logarithmic number, and nothing is ever allocated. */
#include "runtime/task/timers.h"

#include <stddef.h>
#include <time.h>

uint64_t ka__now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Both are roots; the earlier one becomes the other's parent. */
static struct ka__timer *meld(struct ka__timer *a, struct ka__timer *b) {
  if (!a || !b)
    return a ? a : b;
  if (b->when < a->when) {
    struct ka__timer *earlier = b;
    b = a;
    a = earlier;
  }
  b->sibling = a->child;
  if (b->sibling)
    b->sibling->reference = &b->sibling;
  a->child = b;
  b->reference = &a->child;
  a->sibling = NULL;
  return a;
}

/* Makes one heap of a list of siblings: pairs from the left, then all from the right. */
static struct ka__timer *meld_list(struct ka__timer *list) {
  struct ka__timer *pairs = NULL;
  while (list) {
    struct ka__timer *a = list, *b = a->sibling;
    list = b ? b->sibling : NULL;
    a->sibling = NULL;
    if (b)
      b->sibling = NULL;
    a = meld(a, b);
    a->sibling = pairs;
    pairs = a;
  }
  struct ka__timer *root = NULL;
  while (pairs) {
    struct ka__timer *next = pairs->sibling;
    pairs->sibling = NULL;
    root = meld(root, pairs);
    pairs = next;
  }
  return root;
}

static void set_root(struct ka__timers *timers, struct ka__timer *root) {
  timers->first = root;
  if (root)
    root->reference = &timers->first;
}

void ka__timers_add(struct ka__timers *timers, struct ka__timer *timer) {
  timer->child = timer->sibling = NULL;
  set_root(timers, meld(timers->first, timer));
}

void ka__timers_remove(struct ka__timers *timers, struct ka__timer *timer) {
  bool is_root = timers->first == timer;
  if (!is_root) {
    *timer->reference = timer->sibling;
    if (timer->sibling)
      timer->sibling->reference = timer->reference;
  }
  struct ka__timer *rest = meld_list(timer->child);
  set_root(timers, is_root ? rest : meld(timers->first, rest));
  timer->child = timer->sibling = NULL;
  timer->reference = NULL;
}
