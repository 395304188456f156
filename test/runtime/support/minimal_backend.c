/* The least that a backend must have, and kernels for it. */
#include "test/runtime/support/minimal_backend.h"

#include "test/runtime/support/empty_backend.h"
#include "test/runtime/support/test.h"

#include <sched.h>
#include <stdlib.h>

struct minimal minimal;

static ka_status open_backend(ka_backend *backend) {
  static struct ka__device devices[2];
  for (int d = 0; d < 2; d++) {
    ka__device_init(&devices[d], backend, d);
    devices[d].properties = (ka_device_properties){
        .name = "minimal",
        .compute_units = 1,
        .max_dimensions = 3,
        .max_group_size = 1024,
        .max_group_extent = {1024, 1024, 64},
        .local_bytes = 1024,
        .memory_bytes = MINIMAL_MEMORY,
        .max_alloc_bytes = MINIMAL_MEMORY / 4,
        .unified = !minimal.has_no_unified_memory,
        .host_pointers = true,
        .is_cpu = minimal.is_cpu,
    };
  }
  backend->devices = devices;
  backend->device_count = 2;
  return KA_OK;
}

static void free_memory(struct ka__device *device, void *pointer) {
  minimal.frees++;
  empty_free(device, pointer);
}

static ka_status create_queue(struct ka__queue *queue) {
  minimal.queues++;
  return empty_queue_create(queue);
}

static ka_status copy(struct ka__queue *queue, uint64_t ticket, void *destination,
                      const void *source, size_t bytes) {
  minimal.copies++;
  return empty_copy(queue, ticket, destination, source, bytes);
}

static ka_status launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *launch_) {
  minimal.launches++;
  minimal.last = *launch_;
  if (launch_->range)
    minimal.last_range = *launch_->range;
  strncpy(minimal.last_entry, function->entry, sizeof minimal.last_entry - 1);
  if (strncmp(function->entry, "broken", 6) == 0)
    ka__queue_failed(queue, launch_->ticket, KA_ERROR_KERNEL_FAILED,
                     "kernel '%s' broke at launch %d", function->kernel->name, minimal.launches);
  if (strcmp(function->entry, "late") == 0)
    minimal.late = launch_->ticket;
  if (launch_->prints)
    minimal.print(launch_->mailbox->prints);
  uint32_t none = 0;
  if (minimal.message.failed &&
      (minimal.stores_over ||
       __atomic_compare_exchange_n(&launch_->mailbox->failed, &none, minimal.message.failed, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))) {
    *launch_->mailbox = minimal.message;
    if (minimal.message.launch == 0)
      launch_->mailbox->launch = launch_->ticket;
  }
  return KA_OK;
}

static void stay_inside(void) {
  atomic_store(&minimal.is_held, true);
  while (!ka__exiting())
    sched_yield();
  for (int i = 0; i < 1000; i++)
    sched_yield();
  atomic_store(&minimal.is_through, true);
}

static ka_status synchronize(struct ka__queue *queue) {
  minimal.synchronisations++;
  if (atomic_exchange(&minimal.hold, false))
    stay_inside();
  if (minimal.late)
    ka__queue_failed(queue, minimal.late, KA_ERROR_KERNEL_FAILED, "the kernel broke later");
  minimal.late = 0;
  return KA_OK;
}

static ka_status create_function(struct ka__function *function) {
  function->max_group_size = 512;
  return KA_OK;
}

static const struct ka__backend_table table = {
    .name = "minimal",
    .image = "none",
    .open = open_backend,
    .alloc = empty_alloc,
    .free = free_memory,
    .queue_create = create_queue,
    .copy = copy,
    .launch = launch,
    .synchronize = synchronize,
    .program_create = empty_program_create,
    .program_release = empty_program_release,
    .function_create = create_function,
    .function_release = empty_function_release,
};

/* Takes the place of libka's own list. */
const struct ka__backend_table *const ka__backend_tables[] = {&table, NULL};

/* ---- A module for it ---- */

struct tuple {
  void *p;
  double d;
};

static const struct param_spec params[] = {
    {.name = "p", .kind = KA_METADATA_POINTER, .offset = 0, .size = 8},
    {.name = "d", .kind = KA_METADATA_SCALAR, .offset = 8, .size = 8},
};
static const struct site_spec sites[] = {{KA_METADATA_ABORT, "abort()", "talks.c", "talks", 5}};
const struct kernel_spec minimal_specs[MINIMAL_KERNELS] = {
    {.name = "plain", .tuple_bytes = 16, .param_count = 2, .params = params},
    {.name = "padded",
     .flags = KA_METADATA_PADDED,
     .tuple_bytes = 16,
     .param_count = 2,
     .params = params},
    {.name = "broken", .tuple_bytes = 16, .param_count = 2, .params = params},
    {.name = "late", .tuple_bytes = 16, .param_count = 2, .params = params},
    {.name = "doubles", .flags = KA_METADATA_FP64, .tuple_bytes = 0},
    {.name = "halves", .flags = KA_METADATA_FP16, .tuple_bytes = 0},
    {.name = "sub_groups", .flags = KA_METADATA_SUB_GROUP, .tuple_bytes = 0},
    {.name = "atomics", .flags = KA_METADATA_INT64_ATOMICS, .tuple_bytes = 0},
    {.name = "talks",
     .flags = KA_METADATA_MAILBOX,
     .tuple_bytes = 16,
     .param_count = 2,
     .params = params,
     .site_count = 1,
     .sites = sites},
    {.name = "prints", .flags = KA_METADATA_MAILBOX | KA_METADATA_PRINTS, .tuple_bytes = 0},
    {.name = "local", .local_bytes = 1025, .tuple_bytes = 0},
    {.name = "grouped",
     .flags = KA_METADATA_PADDED | KA_METADATA_GROUP,
     .tuple_bytes = 16,
     .param_count = 2,
     .params = params},
    {.name = "any_group",
     .flags = KA_METADATA_PADDED | KA_METADATA_GROUP | KA_METADATA_ANY_GROUP,
     .tuple_bytes = 16,
     .param_count = 2,
     .params = params},
};
struct written_module minimal_module;

void minimal_make_module(void) {
  struct blob metadata = write_metadata(minimal_specs, MINIMAL_KERNELS);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "none", .start = "image", .bytes = 5},
  };
  module_create_from(&minimal_module, minimal_specs, MINIMAL_KERNELS, write_bundle(images, 2));
  free(metadata.start);
}

ka_status minimal_launch(ka_backend *be, ka_ndrange range, int kernel, void *p) {
  if (!minimal_module.kernels)
    minimal_make_module();
  struct tuple tuple = {p, 1};
  return ka__launch(be, range, &minimal_module.kernels[kernel], &tuple, sizeof tuple);
}
