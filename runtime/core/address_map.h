/* Which allocation an address lies in: a tree over the address that is read without a lock. */
#ifndef KA_RUNTIME_CORE_ADDRESS_MAP_H
#define KA_RUNTIME_CORE_ADDRESS_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* The map tells addresses apart in steps of so many bytes. */
#define KA__MAP_STEP 64

/* What set() was given for a range with this address, or NULL. From any thread, at any time. */
void *ka__map_find(uintptr_t address);

/* Stores a value, not NULL, for all addresses from `first`, a multiple of KA__MAP_STEP, to `last`;
 * the rest of the last step is covered too. Nothing may be stored there. Callers of set() and
 * clear() hold one lock. False: no host memory, or beyond the addresses of programs; nothing is
 * stored then. */
bool ka__map_set(uintptr_t first, uintptr_t last, void *value);

void ka__map_clear(uintptr_t first, uintptr_t last);

#endif
