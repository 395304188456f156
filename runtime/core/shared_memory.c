/* Kernels can store anywhere in memory of their device, so what the host relies on is not there but
 * in its record. */
#include "runtime/core/shared_memory.h"

#include "runtime/core/status.h"

#include <stdlib.h>
#include <string.h>

/* Where kernels can use the host's memory, calloc gives it: large pieces are fresh from the system,
 * need not be cleared, and take no room where nobody stores: of a print buffer mostly all. */
static ka_status take_zeroed(struct ka__device *device, size_t bytes, void **memory) {
  if (device->properties.host_pointers) {
    *memory = calloc(1, bytes);
    return *memory ? KA_OK : ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory");
  }
  ka_status status = device->backend->table->alloc(device, bytes, memory);
  if (status == KA_OK)
    memset(*memory, 0, bytes);
  return status;
}

void *ka__shared_memory_create(struct ka__queue *queue, const char *kernel, const char *purpose,
                               size_t record_bytes, size_t shared_bytes, void **shared,
                               ka_status *status) {
  struct ka__device *device = queue->device;
  if (!device->properties.unified) {
    *status =
        ka__fail(KA_ERROR_UNSUPPORTED,
                 "kernel '%s' has something to tell the host while it runs (assert, ka_trap, "
                 "printf), and device '%s' shares no memory with the host; leave that out (for "
                 "assert: compile with -DNDEBUG)",
                 kernel, device->properties.name);
    return NULL;
  }
  void *record = calloc(1, record_bytes);
  if (!record) {
    *status =
        ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory for %s", kernel, purpose);
    return NULL;
  }
  *status = take_zeroed(device, shared_bytes, shared);
  if (*status != KA_OK) {
    free(record);
    *status =
        ka__fail(*status, "kernel '%s': memory for %s: %s", kernel, purpose, ka_error_message());
    return NULL;
  }
  return record;
}
