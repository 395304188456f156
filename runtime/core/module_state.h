/* What the parts that work on a module share: module.c, which reads it, and build.c. */
#ifndef KA_RUNTIME_CORE_MODULE_STATE_H
#define KA_RUNTIME_CORE_MODULE_STATE_H

#include "runtime/core/module.h"

struct ka__program;

struct ka__module_state {
  struct ka__module *module;
  pthread_mutex_t lock;
  pthread_cond_t idle; /* signalled when `busy` ends */
  bool busy;           /* a thread reads or builds, without the lock */
  bool is_read;        /* the rest is filled in */
  struct ka__program *programs;
  struct ka__kernel_state *kernels;
  uint32_t kernel_count;
  struct ka__tuple_pointer *pointers; /* of all kernels */
  struct ka__metadata_copy *copy;     /* if a kernel of it may use a mailbox */
};

/* Waits for the right to work on the module: to read or build, for which the lock is not held. */
void ka__module_begin_work(struct ka__module_state *state);
void ka__module_end_work(struct ka__module_state *state);

/* That the bundle is damaged, and how. */
ka_status ka__module_damaged(const struct ka__kernel *kernel, const char *why);

/* At the end of the module's life; launches may be in flight. First all kernels, then programs. */
void ka__kernel_release_built(struct ka__kernel_state *kernel);
void ka__module_release_programs(struct ka__module_state *state);

#endif
