/* ka_synchronize. */
#include "runtime/core/check.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/current.h"
#include "runtime/core/dependency.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "runtime/core/status.h"

static ka_status synchronize(ka_backend *backend) {
  ka_status status = KA_OK;
  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  status = ka__queue_finish(queue);
  if (ka__checking() && status == KA_OK)
    ka__copy_source_check(queue, UINT64_MAX);
  ka__dependencies_settle();
  ka__registry_reap(SIZE_MAX);
  return status != KA_OK ? status : ka__queue_take_error(queue);
}

ka_status ka_synchronize(ka_backend *backend) {
  if (!backend)
    return ka__null_backend("ka_synchronize");
  if (!ka__enter())
    return ka__refused("ka_synchronize");
  ka_status status = synchronize(backend);
  ka__leave();
  return status;
}
