/* Checked metadata that outlives its bundle: what is said of a launch may be said when its library
 * has been closed. Copies are counted. */
#ifndef KA_RUNTIME_CORE_METADATA_COPY_H
#define KA_RUNTIME_CORE_METADATA_COPY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct ka__metadata_copy {
  _Atomic size_t holders;
  uint64_t metadata[];
};

/* NULL: no memory. The caller holds it. */
struct ka__metadata_copy *ka__metadata_copy_create(const void *metadata);

void ka__metadata_copy_hold(struct ka__metadata_copy *copy);

/* The last holder's frees it. NULL is allowed. */
void ka__metadata_copy_release(struct ka__metadata_copy *copy);

#endif
