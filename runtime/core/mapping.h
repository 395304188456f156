/* Which addresses of the process lead to memory. */
#ifndef KA_RUNTIME_CORE_MAPPING_H
#define KA_RUNTIME_CORE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes from the pointer on, up to `bytes`, are mapped so that they can be read, or also
 * written. Where the system does not tell, all of them. Reads a file: for errors and slow checks,
 * not for a launch. */
size_t ka__mapped(const void *pointer, size_t bytes, bool write);

#endif
