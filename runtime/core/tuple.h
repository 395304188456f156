/* Argument tuples that are put together when the program runs. */
#ifndef KA_RUNTIME_CORE_TUPLE_H
#define KA_RUNTIME_CORE_TUPLE_H

#include "runtime/core/metadata.h"

/* Whether the arguments are what the kernel takes; the text names kernel, parameter, what is wanted
 * and what was given. */
ka_status ka__tuple_check(const struct ka__kernel_view *kernel, ka_arguments arguments);

/* Writes arguments that passed the check into a tuple of the size that the metadata says. */
void ka__tuple_pack(const struct ka__kernel_view *kernel, ka_arguments arguments, char *tuple);

#endif
