/* Devices of a backend. */
#ifndef KA_RUNTIME_CORE_DEVICE_H
#define KA_RUNTIME_CORE_DEVICE_H

#include "runtime/backends/backend.h"

/* Makes the device ready for use on the first call; cheap afterwards. */
ka_status ka__device_start(struct ka__device *device);

#endif
