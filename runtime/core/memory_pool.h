/* Freed memory that waits to be used again: each device has a pool. */
#ifndef KA_RUNTIME_CORE_MEMORY_POOL_H
#define KA_RUNTIME_CORE_MEMORY_POOL_H

#include <ka/ka.h>
#include <stdatomic.h>

struct ka__allocation;
struct ka__device;

enum {
  KA__MEMORY_POOL_CLASSES = 256,
  KA__MEMORY_POOL_KINDS = 2, /* unified memory, memory of the device */
};

/* Of a block that is not for the pool. */
#define KA__MEMORY_POOL_NO_CLASS UINT32_MAX

/* All bits zero is an empty pool. */
struct ka__memory_pool {
  _Atomic uint64_t tops[KA__MEMORY_POOL_KINDS * KA__MEMORY_POOL_CLASSES];
  _Atomic bool
      used[KA__MEMORY_POOL_KINDS * KA__MEMORY_POOL_CLASSES]; /* since the trimmer came by */
  _Atomic uint32_t hand;                                     /* where the trimmer is */
  _Atomic uint64_t bytes;
  struct ka__allocation *oldest, *newest; /* in quarantine */
};

/* What becomes of freed memory. */
enum ka__memory_pool_mode {
  KA__MEMORY_POOL_REUSE = 1,  /* it is kept and used again */
  KA__MEMORY_POOL_NONE,       /* it goes back to the device at once */
  KA__MEMORY_POOL_QUARANTINE, /* it is kept as long as there is room, and never used again, so that
                          pointers to it can be told from all others */
};

/* For all devices, before the first allocation. Without it: NONE if the variable KA_POOL is 0, or
 * is not set and AddressSanitizer or Valgrind watch over the memory of the program; else REUSE. */
void ka__memory_pool_choose(enum ka__memory_pool_mode mode);

/* How many bytes to ask the device for when the program wants so many, and the class that such a
 * block is for. */
size_t ka__memory_pool_capacity(const struct ka__device *device, size_t bytes,
                                uint32_t *size_class);

/* A block for so many bytes that was put into the pool, or NULL. */
struct ka__allocation *ka__memory_pool_take(struct ka__device *device, ka_memory_kind kind,
                                            size_t bytes);

/* Takes charge of a dead allocation whose uses are over. False: it is not for the pool. The pool
 * may hold too much then: the caller gives back what ka__memory_pool_evict hands out. */
bool ka__memory_pool_put(struct ka__allocation *a);

/* While the pool holds more than `most` bytes: a block that is to go back to the device. Else
 * NULL. */
struct ka__allocation *ka__memory_pool_evict(struct ka__device *device, uint64_t most);

/* How much the pool may hold. */
uint64_t ka__memory_pool_limit(const struct ka__device *device);

#endif
