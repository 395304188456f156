/* All memory of ka: which allocation a pointer lies in, which operations still use it, and when it
 * goes back to its device or into the pool. */
#ifndef KA_RUNTIME_CORE_REGISTRY_H
#define KA_RUNTIME_CORE_REGISTRY_H

#include "runtime/core/uses.h"

/* Where a pointer lies. */
struct ka__place {
  struct ka__device *device;
  ka_memory_kind kind;
  char *base;
  size_t bytes;
  bool is_behind; /* the pointer is behind the last byte, where memory of others may begin */
};

/* Whether work on the device can use what is there. */
static inline bool ka__place_reaches(const struct ka__place *place,
                                     const struct ka__device *device) {
  const ka_device_properties *owner = &place->device->properties;
  bool is_of_host = place->kind == KA_MEMORY_UNIFIED || (owner->is_cpu && owner->host_pointers);
  return place->device == device || (is_of_host && device->properties.host_pointers);
}

/* Memory for the program: from the pool or the device. When the device has none, all that was freed
 * is given back to it, which may wait for launches. NULL, with a status and a text, if that does
 * not help. */
void *ka__registry_alloc(struct ka__device *device, ka_memory_kind kind, size_t bytes,
                         ka_status *status);

/* The live allocation that holds the pointer. */
bool ka__registry_find(const void *pointer, struct ka__place *place);

/* The allocation that held the pointer and was freed, if its memory has not gone back to the device
 * yet: an operation uses it, or it is in the pool or in quarantine. */
bool ka__registry_find_freed(const void *pointer, struct ka__place *place);

/* Marks the allocation that the pointer lies in, or ends, as used by an operation that is about to
 * be put in a queue; called by the queue's thread, with a ticket that has not been submitted. KA_OK
 * and the place of a pointer in (or at the end of) a live allocation, KA_ERROR_INVALID_POINTER for
 * any other pointer, KA_ERROR_OUT_OF_MEMORY; all without a text. Where one allocation ends and
 * another begins both are marked, and the place is the one that begins. */
ka_status ka__registry_hold(const void *pointer, struct ka__queue *queue, uint64_t ticket,
                            struct ka__place *place);

/* Does the same, faster, for most pointers that the queue has held before: those into memory of its
 * device. False: ka__registry_hold is to be asked. A record of an allocation says itself whether a
 * pointer leads there, so one that is remembered need not be up to date. */
bool ka__registry_hold_again(const void *pointer, struct ka__queue *queue, uint64_t ticket);

/* Ends an allocation for the program; its memory goes back when no operation uses it any more.
 * False: no live allocation begins there. */
bool ka__registry_free(void *base);

/* The same for memory of malloc that the operation with this ticket uses: it is freed afterwards.
 * False: out of host memory; the memory stays the caller's. */
bool ka__registry_discard(struct ka__device *device, void *base, size_t bytes,
                          const struct ka__queue *queue, uint64_t ticket);

/* Gives back what freed memory has become unused, looking at no more than `limit` pieces. */
void ka__registry_reap(size_t limit);

/* ka_free does not wait for the memory's last use, so a program that allocates, launches and frees
 * in a loop could run far ahead of the device and fill the machine. Who allocates waits when freed
 * memory in use is more than this part of the device's memory. */
#define KA__FREED_PART 16

/* Waits until the device's freed but still used memory is no more than `bytes`. */
void ka__registry_reclaim(struct ka__device *device, uint64_t bytes);

#endif
