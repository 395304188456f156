/* ka_launch and ka_launch_tuple: from kernel, range and tuple to the backend. A launch takes no
 * memory once as many threads as ever have launched its kernel. Allocations are found and marked
 * without a lock; a short one guards the backend's kernel objects. */
#include "runtime/core/check.h"
#include "runtime/core/copy_source.h"
#include "runtime/core/current.h"
#include "runtime/core/device.h"
#include "runtime/core/kernel.h"
#include "runtime/core/mailbox.h"
#include "runtime/core/process.h"
#include "runtime/core/queue.h"
#include "runtime/core/range.h"
#include "runtime/core/registry.h"
#include "runtime/core/spill.h"
#include "runtime/core/status.h"
#include "runtime/core/tuple.h"

#include <stdlib.h>
#include <string.h>

/* A pointer in the tuple that the launch cannot use. */
struct offender {
  uint64_t offset; /* in the tuple */
  const void *pointer;
  int other_device;         /* where it was allocated, or -1: nowhere */
  char why[KA__CHECK_TEXT]; /* how the sentence goes on that begins with the pointer, or "" */
};

/* Checks one pointer and keeps what it points into alive until the launch has completed. What is
 * `perhaps` a pointer, in a union, may be anything if it leads into no memory of ka. */
static ka_status hold_pointer(struct ka__queue *queue, uint64_t ticket, const void *pointer,
                              bool perhaps, struct offender *offender) {
  struct ka__place place;
  ka_status status = ka__registry_hold(pointer, queue, ticket, &place);
  bool wrong_device = status == KA_OK && !ka__place_reaches(&place, queue->device);
  bool host_memory =
      status == KA_ERROR_INVALID_POINTER && !perhaps && !queue->device->properties.host_pointers;
  if (wrong_device || host_memory) {
    offender->other_device = wrong_device ? place.device->number : -1;
    if (host_memory)
      ka__check_freed(pointer, offender->why);
    return KA_ERROR_INVALID_POINTER;
  }
  if (ka__checking() && status == KA_ERROR_INVALID_POINTER) {
    if (perhaps ? ka__check_freed(pointer, offender->why)
                : ka__check_pointer(pointer, offender->why))
      return status;
    ka__copy_source_release(queue, NULL, SIZE_MAX); /* a kernel may write anywhere there */
  }
  return status == KA_ERROR_INVALID_POINTER ? KA_OK : status;
}

/* "parameter.path" of what lies at an offset of the tuple. */
struct pointer_name {
  const char *parameter, *dot, *path;
};

static struct pointer_name name_at(const struct ka__kernel_view *view, uint64_t offset) {
  for (uint32_t p = 0; p < view->record->param_count; p++) {
    const struct ka_metadata_param *param = &view->params[p];
    if (offset < param->offset || offset - param->offset >= param->size)
      continue;
    const char *name = view->strings + param->name;
    for (uint32_t i = 0; i < param->pointer_count; i++) {
      const struct ka_metadata_pointer *inner = &view->pointers[param->first_pointer + i];
      if (param->offset + inner->offset == offset)
        return (struct pointer_name){name, ".", view->strings + inner->path};
    }
    return (struct pointer_name){name, "", ""};
  }
  return (struct pointer_name){"?", "", ""};
}

static ka_status cannot_use(const struct ka__kernel_view *view, const struct ka__queue *queue,
                            ka_status status, const struct offender *offender) {
  if (status == KA_ERROR_OUT_OF_MEMORY)
    return ka__fail(status, "kernel '%s': no host memory to keep account of the launch",
                    view->name);
  struct pointer_name name = name_at(view, offender->offset);
  const char *device = queue->device->properties.name;
  if (*offender->why)
    return ka__fail(status, "kernel '%s', parameter '%s%s%s': %p %s", view->name, name.parameter,
                    name.dot, name.path, offender->pointer, offender->why);
  if (offender->other_device >= 0)
    return ka__fail(
        status,
        "kernel '%s', parameter '%s%s%s': %p was allocated on device %d, but the launch "
        "is on device %d '%s'; allocate it there (ka_set_device) or copy it (ka_copy)",
        view->name, name.parameter, name.dot, name.path, offender->pointer, offender->other_device,
        queue->device->number, device);
  return ka__fail(status,
                  "kernel '%s', parameter '%s%s%s': %p is host memory, which device '%s' cannot "
                  "use; allocate it with ka_alloc, or copy it there with ka_copy",
                  view->name, name.parameter, name.dot, name.path, offender->pointer, device);
}

static ka_status hold(const struct ka__kernel_state *state, struct ka__queue *queue,
                      uint64_t ticket, const char *tuple) {
  struct offender offender;
  offender.why[0] = 0; /* not all of it, since every launch comes by */
  offender.other_device = -1;
  for (uint32_t i = 0; i < state->pointer_count; i++) {
    const struct ka__tuple_pointer *member = &state->pointers[i];
    const void *pointer;
    memcpy(&pointer, tuple + member->offset, sizeof pointer);
    if (!pointer || ka__registry_hold_again(pointer, queue, ticket))
      continue;
    ka_status status = hold_pointer(queue, ticket, pointer, member->perhaps, &offender);
    if (status != KA_OK) {
      offender.offset = member->offset;
      offender.pointer = pointer;
      return cannot_use(&state->view, queue, status, &offender);
    }
  }
  return KA_OK;
}

/* Group memory, static and by ka_scratch, must fit the device. */
static ka_status check_local_memory(const struct ka__kernel_state *state, const char *tuple,
                                    const struct ka__grid *grid,
                                    const ka_device_properties *device) {
  const struct ka__kernel_view *kernel = &state->view;
  uint64_t total = kernel->record->local_bytes;
  /* The group has no more items than the device allows: that has been checked. */
  uint64_t exchange =
      (uint64_t)kernel->record->item_local_bytes * grid->group[0] * grid->group[1] * grid->group[2];
  if (__builtin_add_overflow(total, exchange, &total))
    total = UINT64_MAX;
  const char *last = NULL;
  for (uint32_t p = 0; state->takes_scratch && p < kernel->record->param_count; p++) {
    if (kernel->params[p].kind != KA_METADATA_LOCAL)
      continue;
    size_t bytes;
    memcpy(&bytes, tuple + kernel->params[p].offset, sizeof bytes);
    last = kernel->strings + kernel->params[p].name;
    if (__builtin_add_overflow(total, bytes, &total))
      total = UINT64_MAX;
  }
  if (total <= device->local_bytes)
    return KA_OK;
  return ka__fail(KA_ERROR_UNSUPPORTED,
                  "kernel '%s'%s%s%s needs %llu bytes of group memory%s, and device '%s' has %llu",
                  kernel->name, last ? " with what ka_scratch() asks for parameter '" : "",
                  last ? last : "", last ? "'" : "", (unsigned long long)total,
                  exchange ? ", also to exchange values between the items of a group (take smaller "
                             "groups)"
                           : "",
                  device->name, (unsigned long long)device->local_bytes);
}

/* What some variant of a kernel is told of the range; the launch points to it. */
struct told_range {
  uint64_t extents[3];
  struct ka_group_range groups;
};

/* Chooses the entry point for the range, and says how many items it runs in which groups. */
static struct ka__function *choose_entry(struct ka__built_kernel *built, const ka_ndrange *range,
                                         const struct ka__grid *grid, struct ka__launch *launch,
                                         struct told_range *told) {
  if (ka__range_by_groups(built, range, grid, launch, &told->groups))
    return &built->group;
  launch->dimensions = grid->dimensions;
  for (int d = 0; d < 3; d++) {
    launch->offset[d] = range->offset[d];
    launch->items[d] = grid->items[d];
    launch->group[d] = grid->group[d];
    if (range->offset[d] && launch->dimensions < (uint32_t)d + 1)
      launch->dimensions = (uint32_t)d + 1;
    told->extents[d] = range->size[d];
  }
  if (!grid->padded || !built->padded.entry)
    return &built->plain;
  launch->extents = told->extents;
  return &built->padded;
}

/* The tuple has the size that the metadata says. */
static ka_status launch(ka_backend *backend, struct ka__kernel_state *state, ka_ndrange range,
                        const void *tuple) {
  const struct ka__kernel_view *view = &state->view;
  bool empty;
  ka_status status = ka__range_check(view, &range, &empty);
  if (status != KA_OK || empty)
    return status;

  struct ka__queue *queue = ka__queue_of_thread(backend, &status);
  if (!queue)
    return status;
  struct ka__device *device = queue->device;
  struct ka__built_kernel *built;
  status = ka__kernel_build(state, device, &built);
  if (status != KA_OK)
    return status;
  struct ka__grid grid;
  status = ka__range_divide(view, &range, &device->properties, built->max_group_size, &grid);
  if (status != KA_OK)
    return status;
  status = check_local_memory(state, tuple, &grid, &device->properties);
  if (status != KA_OK)
    return status;

  uint64_t ticket;
  status = ka__queue_ticket(queue, &ticket);
  if (status != KA_OK)
    return ka__fail(status, "kernel '%s': the queue is full, and waiting for it failed: %s",
                    view->name, ka_error_message());
  struct ka__launch launch = {.ticket = ticket, .tuple = tuple};
  struct told_range told;
  struct ka__function *function = choose_entry(built, &range, &grid, &launch, &told);
  if (view->record->flags & KA_METADATA_SPILLS)
    status = ka__spill(queue, view, &launch);
  if (status == KA_OK && view->record->flags & KA_METADATA_MAILBOX)
    status = ka__mailbox_prepare(queue, state, &launch);
  if (status == KA_OK)
    status = hold(state, queue, launch.ticket, tuple);
  if (status == KA_OK)
    status = backend->table->launch(queue, function, &launch);
  ka__queue_submitted(queue, launch.ticket);
  ka__spill_release(&launch);
  if (status == KA_OK && !atomic_load_explicit(&built->launched, memory_order_relaxed)) {
    atomic_store_explicit(&built->launched, true, memory_order_relaxed);
    ka__exit_watch();
  }
  return status;
}

static ka_status check_bytes(const struct ka__kernel_view *view, const void *tuple, size_t bytes,
                             const char *remedy) {
  if (bytes == view->record->tuple_bytes && (tuple || !bytes))
    return KA_OK;
  return ka__fail(KA_ERROR_ARGUMENT_MISMATCH,
                  "kernel '%s' (%s:%u) takes %llu bytes of arguments, but the launch passes %zu%s; "
                  "%s",
                  view->name, view->file, view->record->line,
                  (unsigned long long)view->record->tuple_bytes, bytes, tuple ? "" : " at NULL",
                  remedy);
}

ka_status ka__launch(ka_backend *backend, ka_ndrange range, struct ka__kernel *kernel,
                     const void *tuple, size_t tuple_bytes) {
  if (!backend)
    return ka__null_backend("ka_launch");
  if (!kernel)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "ka_launch: there is no kernel; compile the file with kacc");
  if (!ka__enter())
    return ka__refused("ka_launch");
  struct ka__kernel_state *state;
  ka_status status = ka__kernel_resolve(kernel, &state);
  if (status == KA_OK)
    status = check_bytes(&state->view, tuple, tuple_bytes,
                         "its declaration there differs from its definition");
  if (status == KA_OK)
    status = launch(backend, state, range, tuple);
  ka__leave();
  return status;
}

/* Typed arguments, compared with the parameters and packed. */
static ka_status launch_arguments(ka_kernel *kernel, ka_ndrange range, ka_arguments arguments) {
  /* On the stack, but for tuples that might be too large for a small one. */
  enum { ON_STACK = 4096 };
  struct ka__kernel_state *state = ka__kernel_of_handle(kernel, "ka_launch_tuple");
  if (!state)
    return KA_ERROR_INVALID_ARGUMENT;
  const struct ka__kernel_view *view = &state->view;
  ka_status status = ka__tuple_check(view, arguments);
  if (status != KA_OK)
    return status;
  size_t bytes = view->record->tuple_bytes;
  char *elsewhere = bytes > ON_STACK ? malloc(bytes) : NULL;
  if (bytes > ON_STACK && !elsewhere)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY,
                    "kernel '%s': no host memory for %zu bytes of arguments", view->name, bytes);
  _Alignas(max_align_t) char here[ON_STACK];
  char *tuple = elsewhere ? elsewhere : here;
  ka__tuple_pack(view, arguments, tuple);
  status = launch(kernel->backend, state, range, tuple);
  free(elsewhere);
  return status;
}

ka_status ka__launch_arguments(ka_kernel *kernel, ka_ndrange range, ka_arguments arguments) {
  if (!ka__enter())
    return ka__refused("ka_launch_tuple");
  ka_status status = launch_arguments(kernel, range, arguments);
  ka__leave();
  return status;
}

ka_status ka__launch_packed(ka_kernel *kernel, ka_ndrange range, const void *tuple,
                            size_t tuple_bytes) {
  if (!ka__enter())
    return ka__refused("ka_launch_tuple");
  struct ka__kernel_state *state = ka__kernel_of_handle(kernel, "ka_launch_tuple");
  ka_status status = state
                         ? check_bytes(&state->view, tuple, tuple_bytes,
                                       "ka_kernel_parameter_info() says where each parameter lies")
                         : KA_ERROR_INVALID_ARGUMENT;
  if (status == KA_OK)
    status = launch(kernel->backend, state, range, tuple);
  ka__leave();
  return status;
}
