/* Memory, copies and fills. */
#include "runtime/backends/opencl/opencl.h"

#include <stdlib.h>
#include <string.h>

/* OpenCL's largest type, long16, has this alignment. */
enum { ALIGNMENT = 128 };

static ka_status allocate(struct ka__device *device, cl_svm_mem_flags grain, size_t bytes,
                          void **pointer) {
  const struct ka__cl_device *driver = device->driver;
  if (bytes == 0)
    bytes = 1;
  if (driver->host_memory) {
    if (posix_memalign(pointer, ALIGNMENT, bytes) == 0)
      return KA_OK;
    return ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY, "there is not so much memory");
  }
  *pointer = ka__cl.clSVMAlloc(driver->context, CL_MEM_READ_WRITE | grain, bytes, ALIGNMENT);
  return *pointer ? KA_OK : ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY, "clSVMAlloc failed");
}

ka_status ka__cl_alloc(struct ka__device *device, size_t bytes, void **pointer) {
  return allocate(device, CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, pointer);
}

/* Of coarse grain, which the driver may keep where only the device sees it; the host would have to
 * map it, and never does. */
ka_status ka__cl_alloc_device(struct ka__device *device, size_t bytes, void **pointer) {
  return allocate(device, 0, bytes, pointer);
}

void ka__cl_free(struct ka__device *device, void *pointer) {
  const struct ka__cl_device *driver = device->driver;
  if (driver->host_memory)
    free(pointer);
  else if (!ka__exiting())
    ka__cl.clSVMFree(driver->context, pointer);
}

/* ---- Copies and fills that are done at once ---- */

/* Where the device uses the host's memory, a short copy or fill takes less time than handing it to
 * the driver's thread (45 us). In a queue that has nothing to do the calling thread does it itself,
 * which is in order, too. */
static const size_t AT_ONCE_BYTES = (size_t)128 << 10;

static bool do_at_once(struct ka__queue *queue, size_t bytes) {
  const struct ka__cl_device *driver = queue->device->driver;
  return driver->host_memory && bytes <= AT_ONCE_BYTES && ka__cl_poll(queue) == UINT64_MAX;
}

/* ---- Copies ---- */

ka_status ka__cl_copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *source, size_t bytes) {
  if (do_at_once(queue, bytes)) {
    memcpy(destination, source, bytes);
    return KA_OK;
  }
  cl_command_queue commands;
  ka_status status = ka__cl_command_queue(queue, &commands);
  if (status != KA_OK)
    return status;
  cl_event event;
  cl_int error =
      ka__cl.clEnqueueSVMMemcpy(commands, CL_FALSE, destination, source, bytes, 0, NULL, &event);
  if (error != CL_SUCCESS)
    return ka__cl_fail(error, "clEnqueueSVMMemcpy",
                       "copy of %zu bytes from %p to %p on device '%s'", bytes, source, destination,
                       queue->device->properties.name);
  ka__cl_submitted(queue, ticket, event, &ka__cl_transfer);
  return KA_OK;
}

/* ---- Fills by a host function that the device runs ---- */

struct fill {
  char *destination;
  size_t value_bytes, bytes;
  char value[KA__CL_FILL_VALUE_MAX];
};

static void CL_CALLBACK run_fill(void *argument) {
  const struct fill *fill = argument;
  ka__cl_host_fill(fill->destination, fill->value, fill->value_bytes, fill->bytes);
}

static cl_int enqueue_native_fill(cl_command_queue commands, void *destination, const void *value,
                                  size_t value_bytes, size_t count, cl_event *event) {
  struct fill fill = {destination, value_bytes, value_bytes * count, {0}};
  memcpy(fill.value, value, value_bytes);
  return ka__cl.clEnqueueNativeKernel(commands, run_fill, &fill, sizeof fill, 0, NULL, NULL, 0,
                                      NULL, event);
}

/* ---- */

ka_status ka__cl_fill(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *value, size_t value_bytes, size_t count) {
  const struct ka__cl_device *driver = queue->device->driver;
  size_t bytes = value_bytes * count;
  if (value_bytes <= KA__CL_FILL_VALUE_MAX && do_at_once(queue, bytes)) {
    ka__cl_host_fill(destination, value, value_bytes, bytes);
    return KA_OK;
  }
  cl_command_queue commands;
  ka_status status = ka__cl_command_queue(queue, &commands);
  if (status != KA_OK)
    return status;
  cl_event event;
  cl_int error;
  const char *call;
  /* PoCL 6 crashes in clEnqueueSVMMemFill on memory that is not from clSVMAlloc, so where the
   * device uses the host's memory a host function does it; that also knows no rule for sizes. */
  if (driver->native_kernels && value_bytes <= KA__CL_FILL_VALUE_MAX) {
    call = "clEnqueueNativeKernel";
    error = enqueue_native_fill(commands, destination, value, value_bytes, count, &event);
  } else {
    if (ka__cl_all_equal(value, value_bytes))
      value_bytes = 1;
    bool fits = value_bytes <= 128 && (value_bytes & (value_bytes - 1)) == 0 &&
                (uintptr_t)destination % value_bytes == 0;
    if (!fits || driver->host_memory)
      return KA_ERROR_UNSUPPORTED;
    call = "clEnqueueSVMMemFill";
    error = ka__cl.clEnqueueSVMMemFill(commands, destination, value, value_bytes, bytes, 0, NULL,
                                       &event);
  }
  if (error != CL_SUCCESS)
    return ka__cl_fail(error, call, "fill of %zu bytes at %p on device '%s'", bytes, destination,
                       queue->device->properties.name);
  ka__cl_submitted(queue, ticket, event, &ka__cl_transfer);
  return KA_OK;
}
