/* Memory of a queue that its device and the host see, for what kernels tell the host. */
#ifndef KA_RUNTIME_CORE_SHARED_MEMORY_H
#define KA_RUNTIME_CORE_SHARED_MEMORY_H

#include "runtime/backends/backend.h"

/* Makes such memory and the host's own record of it, both zeroed, and returns the record; they stay
 * as long as the queue, which is for ever. NULL and a status, with a text that names the kernel and
 * what it needs the memory for, if they cannot be had. */
void *ka__shared_memory_create(struct ka__queue *queue, const char *kernel, const char *purpose,
                               size_t record_bytes, size_t shared_bytes, void **shared,
                               ka_status *status);

#endif
