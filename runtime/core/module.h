/* Modules: what libka keeps for each translation unit with kernels, read and built on first use. */
#ifndef KA_RUNTIME_CORE_MODULE_H
#define KA_RUNTIME_CORE_MODULE_H

#include "runtime/backends/backend.h"

struct ka__module_state;

/* A kernel built for a device. */
struct ka__built_kernel {
  struct ka__device *device;
  struct ka__function plain;
  struct ka__function padded; /* entry NULL: the kernel has no padded variant */
  struct ka__function group;  /* entry NULL: it has no group variant, or the device no use for it */
  size_t max_group_size;      /* of plain and padded */
  _Atomic bool launched;      /* at least once */
  struct ka__built_kernel *next;
};

struct ka__kernel_state {
  struct ka__module_state *module;
  struct ka__kernel *descriptor; /* set once it points here; by the module's lock */
  struct ka__kernel_view view;
  uint32_t index;                 /* in the module's metadata */
  struct ka__metadata_copy *copy; /* of that metadata, or NULL; the module's */
  /* All of its pointers, also those inside aggregates: a launch looks at nothing else. */
  const struct ka__tuple_pointer *pointers;
  uint32_t pointer_count;
  bool takes_scratch;                       /* has parameters of group memory */
  _Atomic(struct ka__built_kernel *) built; /* one for each device that was asked for */
  _Atomic(struct ka_kernel *) handles;      /* one for each backend that was asked for; kernel.c */
};

/* The state of a kernel. The first call for a module reads and checks its bundle. */
ka_status ka__kernel_resolve(struct ka__kernel *kernel, struct ka__kernel_state **state);

/* The kernel built for the device. The first call builds it, which can take long; other threads
 * that need something of this module built meanwhile wait. */
ka_status ka__kernel_build(struct ka__kernel_state *kernel, struct ka__device *device,
                           struct ka__built_kernel **built);

#endif
