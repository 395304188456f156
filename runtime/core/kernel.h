/* Handles of kernels: a kernel and a backend as one value for programs. */
#ifndef KA_RUNTIME_CORE_KERNEL_H
#define KA_RUNTIME_CORE_KERNEL_H

#include "runtime/core/module.h"

/* Never freed: what a program does with a handle of a closed library is then an error with a text,
 * and no access to memory that is gone. */
struct ka_kernel {
  ka_backend *backend;
  _Atomic(struct ka__kernel_state *) state; /* NULL: the module is gone */
  struct ka_kernel *next;                   /* in its kernel's list, later in that of closed ones */
  char name[];
};

/* The kernel of a handle that a program gave to `call`. NULL, with a text and the status
 * KA_ERROR_INVALID_ARGUMENT, if that is good for nothing. */
struct ka__kernel_state *ka__kernel_of_handle(ka_kernel *handle, const char *call);

/* The kernel's module goes: its handles are good for nothing from now on. */
void ka__kernel_close_handles(struct ka__kernel_state *state);

#endif
