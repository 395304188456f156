/* A backend that has only what a backend must have: it runs everything at once, in the calling
 * thread, and knows no fill, poll or wait. It takes libka's own list of backends' place. */
#ifndef KA_TEST_RUNTIME_SUPPORT_MINIMAL_BACKEND_H
#define KA_TEST_RUNTIME_SUPPORT_MINIMAL_BACKEND_H

#include "runtime/backends/backend.h"
#include "test/runtime/support/module_writer.h"

/* What it has been asked for, and what it is to do. */
extern struct minimal {
  int queues, synchronisations, frees, copies, launches;
  uint64_t late; /* the ticket of a launch that fails when it is waited for, or 0 */
  struct ka__launch last;
  struct ka_group_range last_range; /* what its `range` pointed to */
  char last_entry[64];
  struct ka_mailbox message;                /* what launches put into their mailbox, if `failed`, */
  bool stores_over;                         /* whatever there is */
  void (*print)(struct ka__print_buffer *); /* what launches do to their print buffer */
  bool has_no_unified_memory, is_cpu;
  /* Where a thread of the test waits inside libka until the program ends, and then takes its time.
   */
  _Atomic bool hold, is_held, is_through;
} minimal;

/* Of each of its two devices. */
#define MINIMAL_MEMORY ((uint64_t)1 << 30)

/* Kernels for it, in one module. */
enum {
  PLAIN,
  PADDED,
  BROKEN,
  LATE,
  DOUBLES,
  HALVES,
  SUB_GROUPS,
  ATOMICS,
  TALKS,
  PRINTS,
  LOCAL,
  GROUPED,
  ANY_GROUP,
  MINIMAL_KERNELS
};

extern struct written_module minimal_module;
extern const struct kernel_spec minimal_specs[MINIMAL_KERNELS];

void minimal_make_module(void);
/* Makes the module first if there is none. */
ka_status minimal_launch(ka_backend *be, ka_ndrange range, int kernel, void *p);

#endif
