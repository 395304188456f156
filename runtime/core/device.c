/* Devices: numbers, the active one of each thread, properties. */
#include "runtime/core/device.h"

#include "runtime/core/signals.h"
#include "runtime/core/status.h"
#include "runtime/core/thread.h"

void ka__device_init(struct ka__device *device, ka_backend *backend, int number) {
  device->backend = backend;
  device->number = number;
  pthread_mutex_init(&device->lock, NULL);
}

static ka_status start(struct ka__device *device) {
  if (!device->backend->table->device_start)
    return KA_OK;
  sigset_t signals;
  ka__signals_block_all(&signals);
  ka_status status = device->backend->table->device_start(device);
  ka__signals_restore(&signals);
  return status;
}

ka_status ka__device_start(struct ka__device *device) {
  if (atomic_load_explicit(&device->started, memory_order_acquire))
    return KA_OK;
  ka_status status = KA_OK;
  pthread_mutex_lock(&device->lock);
  if (!atomic_load_explicit(&device->started, memory_order_relaxed)) {
    status = start(device);
    if (status == KA_OK)
      atomic_store_explicit(&device->started, true, memory_order_release);
  }
  pthread_mutex_unlock(&device->lock);
  return status;
}

int ka_num_devices(ka_backend *backend) {
  if (!backend) {
    ka__null_backend("ka_num_devices");
    return 0;
  }
  return backend->device_count;
}

static ka_status check_number(const char *call, const ka_backend *backend, int device) {
  if (!backend)
    return ka__null_backend(call);
  if (device < 0 || device >= backend->device_count)
    return ka__fail(KA_ERROR_NO_DEVICE, "%s: %s has no device %d; it has %d, numbered from 0", call,
                    backend->table->name, device, backend->device_count);
  return KA_OK;
}

ka_status ka_set_device(ka_backend *backend, int device) {
  ka_status status = check_number("ka_set_device", backend, device);
  if (status != KA_OK)
    return status;
  struct ka__thread *thread = ka__thread_self();
  if (!thread)
    return KA_ERROR_OUT_OF_MEMORY;
  thread->backends[backend->index].device = device;
  return KA_OK;
}

int ka_get_device(ka_backend *backend) {
  if (!backend) {
    ka__null_backend("ka_get_device");
    return 0;
  }
  const struct ka__thread *thread = ka__thread_self();
  int chosen = thread ? thread->backends[backend->index].device : -1;
  return chosen >= 0 ? chosen : atomic_load(&backend->default_device);
}

ka_status ka_device_info(ka_backend *backend, int device, ka_device_properties *info) {
  ka_status status = check_number("ka_device_info", backend, device);
  if (status != KA_OK)
    return status;
  if (!info)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_device_info: the place for the result is NULL");
  *info = backend->devices[device].properties;
  return KA_OK;
}
