/* What the calling thread works with: its active device and its queue there. */
#ifndef KA_RUNTIME_CORE_CURRENT_H
#define KA_RUNTIME_CORE_CURRENT_H

#include "runtime/backends/backend.h"

/* The calling thread's active device, started. */
ka_status ka__device_of_thread(ka_backend *backend, struct ka__device **device);

/* The calling thread's queue on its active device; NULL and a status if it cannot be had. */
struct ka__queue *ka__queue_of_thread(ka_backend *backend, ka_status *status);

#endif
