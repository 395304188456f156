/* Handles of kernels, and what can be asked of them. */
#include "runtime/core/kernel.h"

#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/status.h"

#include <stdlib.h>
#include <string.h>

/* Handles whose modules are gone. */
static _Atomic(struct ka_kernel *) closed;

static struct ka_kernel *find_handle(struct ka_kernel *list, const ka_backend *backend) {
  while (list && list->backend != backend)
    list = list->next;
  return list;
}

static struct ka_kernel *make_handle(struct ka__kernel_state *state, ka_backend *backend) {
  size_t bytes = strlen(state->view.name) + 1;
  struct ka_kernel *handle = malloc(sizeof *handle + bytes);
  if (!handle) {
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory for its handle",
             state->view.name);
    return NULL;
  }
  handle->backend = backend;
  atomic_init(&handle->state, state);
  memcpy(handle->name, state->view.name, bytes);
  return handle;
}

/* Threads may ask at once: the first to put its own in the list gives it to all. */
static ka_kernel *get_handle(struct ka__kernel_state *state, ka_backend *backend) {
  struct ka_kernel *first = atomic_load(&state->handles), *fresh = NULL;
  for (;;) {
    struct ka_kernel *found = find_handle(first, backend);
    if (found) {
      free(fresh);
      return found;
    }
    if (!fresh)
      fresh = make_handle(state, backend);
    if (!fresh)
      return NULL;
    fresh->next = first;
    if (atomic_compare_exchange_strong(&state->handles, &first, fresh))
      return fresh;
  }
}

ka_kernel *ka__kernel_of(ka_backend *backend, struct ka__kernel *kernel) {
  if (!backend) {
    ka__null_backend("ka_kernel_of");
    return NULL;
  }
  if (!kernel) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT,
             "ka_kernel_of: there is no kernel; compile the file with kacc");
    return NULL;
  }
  if (!ka__enter()) {
    ka__refused("ka_kernel_of");
    return NULL;
  }
  struct ka__kernel_state *state;
  ka_status status = ka__kernel_resolve(kernel, &state);
  ka__leave();
  return status == KA_OK ? get_handle(state, backend) : NULL;
}

void ka__kernel_close_handles(struct ka__kernel_state *state) {
  struct ka_kernel *handle = atomic_exchange(&state->handles, NULL);
  while (handle) {
    struct ka_kernel *next = handle->next;
    atomic_store(&handle->state, NULL);
    handle->next = atomic_load(&closed);
    while (!atomic_compare_exchange_weak(&closed, &handle->next, handle))
      ;
    handle = next;
  }
}

struct ka__kernel_state *ka__kernel_of_handle(ka_kernel *handle, const char *call) {
  if (!handle) {
    ka__fail(
        KA_ERROR_INVALID_ARGUMENT,
        "%s: the kernel is NULL; when ka_kernel_of() returns NULL, ka_error_message() says why",
        call);
    return NULL;
  }
  struct ka__kernel_state *state = atomic_load_explicit(&handle->state, memory_order_acquire);
  if (!state)
    ka__fail(KA_ERROR_INVALID_ARGUMENT,
             "%s: the library that defines kernel '%s' has been closed; open it and get the "
             "kernel's handle again",
             call, handle->name);
  return state;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static ka_status kernel_info(ka_kernel *kernel, ka_kernel_properties *info) {
  struct ka__kernel_state *state = ka__kernel_of_handle(kernel, "ka_kernel_info");
  if (!state)
    return KA_ERROR_INVALID_ARGUMENT;
  if (!info)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_kernel_info: the place for the answer is NULL");
  struct ka__device *device;
  ka_status status = ka__device_of_thread(kernel->backend, &device);
  if (status != KA_OK)
    return status;
  struct ka__built_kernel *built;
  status = ka__kernel_build(state, device, &built);
  if (status != KA_OK)
    return status;
  const struct ka__kernel_view *view = &state->view;
  const struct ka_metadata_kernel *record = view->record;
  const struct ka__function *plain = &built->plain, *padded = &built->padded;
  size_t most = built->max_group_size;
  *info = (ka_kernel_properties){
      .name = view->name,
      .file = view->file,
      .line = record->line,
      .parameter_count = record->param_count,
      .tuple_bytes = record->tuple_bytes,
      .static_group = {record->group_size[0], record->group_size[1], record->group_size[2]},
      .max_group_size =
          most < device->properties.max_group_size ? most : device->properties.max_group_size,
      .preferred_multiple = plain->preferred_multiple ? plain->preferred_multiple : 1,
      .local_bytes = larger(record->local_bytes, larger(plain->local_bytes, padded->local_bytes)),
      .private_bytes = larger(plain->private_bytes, padded->private_bytes),
      .barriers = record->flags & KA_METADATA_BARRIER,
      .sub_group_size = record->sub_group_size,
      .item_local_bytes = record->item_local_bytes,
  };
  return KA_OK;
}

ka_status ka_kernel_info(ka_kernel *kernel, ka_kernel_properties *info) {
  if (!ka__enter())
    return ka__refused("ka_kernel_info");
  ka_status status = kernel_info(kernel, info);
  ka__leave();
  return status;
}

_Static_assert((int)KA_PARAMETER_SCALAR == KA_METADATA_SCALAR &&
                   (int)KA_PARAMETER_POINTER == KA_METADATA_POINTER &&
                   (int)KA_PARAMETER_AGGREGATE == KA_METADATA_AGGREGATE &&
                   (int)KA_PARAMETER_LOCAL == KA_METADATA_LOCAL,
               "the public kinds are those of the metadata");

ka_status ka_kernel_parameter_info(ka_kernel *kernel, uint32_t number,
                                   ka_kernel_parameter *parameter) {
  struct ka__kernel_state *state = ka__kernel_of_handle(kernel, "ka_kernel_parameter_info");
  if (!state)
    return KA_ERROR_INVALID_ARGUMENT;
  const struct ka__kernel_view *view = &state->view;
  if (!parameter)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_kernel_parameter_info: the place for the answer is NULL");
  if (number >= view->record->param_count)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_kernel_parameter_info: kernel '%s' has no parameter number %u; it has %u, "
                    "and numbers start at 0",
                    view->name, number, view->record->param_count);
  const struct ka_metadata_param *param = &view->params[number];
  *parameter = (ka_kernel_parameter){
      .name = view->strings + param->name,
      .type = view->strings + param->type,
      .kind = (ka_parameter_kind)param->kind,
      .is_const = param->flags & KA_METADATA_CONST,
      .size = param->size,
      .offset = param->offset,
  };
  return KA_OK;
}
