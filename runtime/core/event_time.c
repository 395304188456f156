/* The time between two events. */
#include "runtime/core/event.h"
#include "runtime/core/process.h"
#include "runtime/core/status.h"

static ka_status time_of(const char *which, const ka_event *event, uint64_t *nanoseconds) {
  if (!ka_event_query(event))
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_event_elapsed: the %s event has not passed; wait for it first "
                    "(ka_event_wait)",
                    which);
  struct ka__device *device = event->before.queue->device;
  *nanoseconds = event->stamp.nanoseconds;
  if (event->stamp.driver)
    return device->backend->table->stamp_time(device, &event->stamp, nanoseconds);
  if (event->stamp.nanoseconds)
    return KA_OK;
  return ka__fail(device->backend->table->stamp ? KA_ERROR_DRIVER : KA_ERROR_UNSUPPORTED,
                  "ka_event_elapsed: device '%s' gave no time for the %s event",
                  device->properties.name, which);
}

static ka_status elapsed(const ka_event *from, const ka_event *to, int64_t *nanoseconds) {
  if (from->before.queue->device != to->before.queue->device)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_event_elapsed: the events are of devices '%s' (%d) and '%s' (%d), whose "
                    "clocks cannot be compared; record both on one device",
                    from->before.queue->device->properties.name, from->before.queue->device->number,
                    to->before.queue->device->properties.name, to->before.queue->device->number);
  uint64_t begin = 0, end = 0;
  ka_status status = time_of("first", from, &begin);
  if (status == KA_OK)
    status = time_of("second", to, &end);
  if (status == KA_OK)
    *nanoseconds = (int64_t)(end - begin);
  return status;
}

ka_status ka_event_elapsed(const ka_event *from, const ka_event *to, int64_t *nanoseconds) {
  if (!nanoseconds)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_event_elapsed: there is no place for the time");
  if (!from || !to)
    return ka__fail(KA_ERROR_UNSUPPORTED,
                    "ka_event_elapsed: the %s event is NULL, which has no time; backends that "
                    "give NULL events do not measure any",
                    from ? "second" : "first");
  if (!ka__enter())
    return ka__refused("ka_event_elapsed");
  ka_status status = elapsed(from, to, nanoseconds);
  ka__leave();
  return status;
}
