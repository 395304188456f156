/* A device without a driver, for tests of memory. Its operations run late, in a thread of each
 * queue, and look at the memory that they were given; its memory can run out, or be addresses only.
 * It takes the place of libka's list of backends: link support/fake_device.c and ka_static. */
#ifndef KA_TEST_RUNTIME_SUPPORT_FAKE_DEVICE_H
#define KA_TEST_RUNTIME_SUPPORT_FAKE_DEVICE_H

#include <ka/ka.h>
#include <stdatomic.h>

#define FAKE_MEMORY ((uint64_t)1 << 28)

extern struct fake_device {
  _Atomic int allocs, frees;      /* calls that succeeded */
  _Atomic uint64_t bytes;         /* that the core has now */
  _Atomic uint64_t most_bytes;    /* it gives; FAKE_MEMORY at first */
  _Atomic uintptr_t next_address; /* if not 0: memory is no memory, but the addresses from here on,
                                     without gaps */
  _Atomic bool held;              /* operations wait until this is false, */
  _Atomic uint64_t held_tag;      /* if this is not 0: those with this tag */
  _Atomic bool immediate;         /* a launch runs its operation before it returns */
  _Atomic int wrong;              /* operations that did not find what they expected */
  _Atomic uint64_t last_bytes;    /* what the core asked for last */
} fake_device;

/* The arguments of its kernel: three pointers, two of them in a structure. Where one is not NULL,
 * the word `back` bytes before it must be `expected` as long as the operation runs. */
struct fake_arguments {
  const void *p;
  struct {
    const void *q, *r;
  } in;
  uint64_t back[3], expected[3], tag;
};

ka_status fake_launch(ka_backend *backend, const struct fake_arguments *arguments);

#endif
