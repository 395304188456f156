/* The functions of a backend that does nothing. */
#include "test/runtime/support/empty_backend.h"

#include <stdlib.h>
#include <string.h>

static ka_status open_backend(ka_backend *backend) {
  static struct ka__device device;
  ka__device_init(&device, backend, 0);
  device.properties = (ka_device_properties){
      .name = "empty",
      .compute_units = 1,
      .max_dimensions = 3,
      .max_group_size = 4096,
      .max_group_extent = {4096, 4096, 4096},
      .local_bytes = 1 << 16,
      .memory_bytes = (uint64_t)1 << 33,
      .max_alloc_bytes = (uint64_t)1 << 32,
      .is_cpu = true,
      .unified = true,
      .host_pointers = true,
      .fp64 = true,
  };
  backend->devices = &device;
  backend->device_count = 1;
  return KA_OK;
}

ka_status empty_alloc(struct ka__device *device, size_t bytes, void **pointer) {
  (void)device;
  return posix_memalign(pointer, 64, bytes ? bytes : 1) == 0
             ? KA_OK
             : ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY, "no memory");
}

void empty_free(struct ka__device *device, void *pointer) {
  (void)device;
  free(pointer);
}

ka_status empty_queue_create(struct ka__queue *queue) {
  (void)queue;
  return KA_OK;
}

ka_status empty_copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                     const void *source, size_t bytes) {
  (void)queue, (void)ticket;
  memcpy(destination, source, bytes);
  return KA_OK;
}

static ka_status launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *what) {
  (void)queue, (void)function, (void)what;
  return KA_OK;
}

static uint64_t poll_queue(struct ka__queue *queue) {
  (void)queue;
  return UINT64_MAX;
}

static ka_status synchronize(struct ka__queue *queue) {
  (void)queue;
  return KA_OK;
}

ka_status empty_program_create(struct ka__device *device, const void *image, size_t bytes,
                               const char *source, void **program) {
  (void)device, (void)image, (void)bytes, (void)source;
  *program = NULL;
  return KA_OK;
}

void empty_program_release(struct ka__device *device, void *program) {
  (void)device, (void)program;
}

ka_status empty_function_create(struct ka__function *function) {
  function->max_group_size = function->device->properties.max_group_size;
  return KA_OK;
}

void empty_function_release(struct ka__function *function) { (void)function; }

const struct ka__backend_table empty_backend = {
    .name = "empty",
    .image = "spirv",
    .open = open_backend,
    .alloc = empty_alloc,
    .free = empty_free,
    .queue_create = empty_queue_create,
    .copy = empty_copy,
    .launch = launch,
    .poll = poll_queue,
    .synchronize = synchronize,
    .program_create = empty_program_create,
    .program_release = empty_program_release,
    .function_create = empty_function_create,
    .function_release = empty_function_release,
};
