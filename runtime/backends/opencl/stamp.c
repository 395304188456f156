/* When things happened, by the device's clock. */
#include "runtime/backends/opencl/opencl.h"

/* The end of the last operation under way or, if there is none, now: by the same clock if the
 * driver reads it for us, else as the end of an operation that does nothing. */
void ka__cl_stamp(struct ka__queue *queue, uint64_t ticket, struct ka__stamp *stamp) {
  const struct ka__cl_device *device = queue->device->driver;
  cl_event event;
  bool timed = ka__cl_keeps_time(queue, ticket);
  ka__cl_poll(queue);
  if (ka__cl_get_event(queue, ticket, &event) != KA_OK)
    return;
  cl_ulong now = 0, host;
  if (!event && ka__cl.clGetDeviceAndHostTimer(device->id, &now, &host) == CL_SUCCESS && now != 0) {
    stamp->nanoseconds = now;
    return;
  }
  if (event && !timed)
    ka__cl.clReleaseEvent(event);
  if (!event || !timed) {
    cl_command_queue commands;
    event = NULL;
    if (ka__cl_command_queue(queue, &commands) == KA_OK &&
        ka__cl.clEnqueueBarrierWithWaitList(commands, 0, NULL, &event) == CL_SUCCESS)
      ka__cl.clFlush(commands);
  }
  stamp->driver = event;
}

ka_status ka__cl_stamp_time(struct ka__device *device, const struct ka__stamp *stamp,
                            uint64_t *nanoseconds) {
  cl_ulong end;
  /* An operation that does nothing comes a moment after the event. */
  cl_event event = stamp->driver;
  ka__cl.clWaitForEvents(1, &event);
  cl_int error =
      ka__cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  if (error != CL_SUCCESS)
    return ka__cl_fail(error, "clGetEventProfilingInfo", "the time of an event on device '%s'",
                       device->properties.name);
  *nanoseconds = end;
  return KA_OK;
}

void ka__cl_stamp_release(struct ka__stamp *stamp) {
  ka__cl.clReleaseEvent(stamp->driver);
  stamp->driver = NULL;
}
