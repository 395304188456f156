/* A backend without a driver: memory is the host's, launches do nothing, everything is over at
 * once. Tests make backends of their own of these functions and those that they look at. What uses
 * one takes the place of libka's list of backends: define ka__backend_tables and link ka_static. */
#ifndef KA_TEST_RUNTIME_SUPPORT_EMPTY_BACKEND_H
#define KA_TEST_RUNTIME_SUPPORT_EMPTY_BACKEND_H

#include "runtime/backends/backend.h"

/* All of it, with one device; takes images for SPIR-V. */
extern const struct ka__backend_table empty_backend;

ka_status empty_alloc(struct ka__device *device, size_t bytes, void **pointer);
void empty_free(struct ka__device *device, void *pointer);
ka_status empty_queue_create(struct ka__queue *queue);
ka_status empty_copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                     const void *source, size_t bytes);
ka_status empty_program_create(struct ka__device *device, const void *image, size_t bytes,
                               const char *source, void **program);
void empty_program_release(struct ka__device *device, void *program);
/* The largest group is that of the device. */
ka_status empty_function_create(struct ka__function *function);
void empty_function_release(struct ka__function *function);

#endif
