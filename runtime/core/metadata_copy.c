/* Counted copies of metadata. */
#include "runtime/core/metadata_copy.h"

#include <ka/abi.h>
#include <stdlib.h>
#include <string.h>

struct ka__metadata_copy *ka__metadata_copy_create(const void *metadata) {
  size_t bytes = ((const struct ka_metadata_header *)metadata)->bytes;
  struct ka__metadata_copy *copy = malloc(sizeof *copy + bytes);
  if (copy) {
    atomic_init(&copy->holders, 1);
    memcpy(copy->metadata, metadata, bytes);
  }
  return copy;
}

void ka__metadata_copy_hold(struct ka__metadata_copy *copy) {
  atomic_fetch_add_explicit(&copy->holders, 1, memory_order_relaxed);
}

void ka__metadata_copy_release(struct ka__metadata_copy *copy) {
  if (copy && atomic_fetch_sub_explicit(&copy->holders, 1, memory_order_acq_rel) == 1)
    free(copy);
}
