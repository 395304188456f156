/* ka_priority. */
#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/status.h"

static ka_status set(ka_backend *backend, ka_priority_level level) {
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  return ka__queue_set_priority(queue, level);
}

ka_status ka_priority(ka_backend *backend, ka_priority_level level) {
  if (!backend)
    return ka__null_backend("ka_priority");
  if (level != KA_PRIORITY_NORMAL && level != KA_PRIORITY_HIGH && level != KA_PRIORITY_LOW)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_priority: %d is no priority; there are KA_PRIORITY_HIGH, "
                    "KA_PRIORITY_NORMAL and KA_PRIORITY_LOW",
                    (int)level);
  if (!ka__enter())
    return ka__refused("ka_priority");
  ka_status status = set(backend, level);
  ka__leave();
  return status;
}
