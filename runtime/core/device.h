/* Devices of a backend. */
#ifndef KA_RUNTIME_CORE_DEVICE_H
#define KA_RUNTIME_CORE_DEVICE_H

#include "runtime/backends/backend.h"

/* What each call says, as KA_ERROR_INVALID_ARGUMENT, that is given NULL for a backend: with why the
 * thread's last attempt to open one failed. */
ka_status ka__null_backend(const char *call);

/* Makes the device ready for use on the first call; cheap afterwards. */
ka_status ka__device_start(struct ka__device *device);

#endif
