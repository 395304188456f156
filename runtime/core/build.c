/* Kernels built for a device: from the image in their bundle to entry points that can be launched.
 */
#include "runtime/core/bundle.h"
#include "runtime/core/cooperation.h"
#include "runtime/core/module_state.h"
#include "runtime/core/signals.h"
#include "runtime/core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The module's image built for a device. */
struct ka__program {
  struct ka__device *device;
  void *driver;
  struct ka__program *next;
};

/* What the device lacks for this kernel, or NULL. */
static const char *lacks(const struct ka__kernel_view *kernel, const ka_device_properties *device) {
  uint32_t flags = kernel->record->flags;
  if ((flags & KA_METADATA_FP64) && !device->fp64)
    return "double arithmetic; use float";
  if ((flags & KA_METADATA_FP16) && !device->fp16)
    return "_Float16 arithmetic; use float";
  if ((flags & KA_METADATA_INT64_ATOMICS) && !device->int64_atomics)
    return "atomic operations on 64-bit objects; use 32-bit ones";
  if ((flags & KA_METADATA_SUB_GROUP) && !device->sub_groups)
    return "sub-groups; use group memory and barriers";
  return NULL;
}

/* Finds the backend's image; the message for none names those that are there. */
static ka_status find_image(const struct ka__kernel_state *kernel,
                            const struct ka__backend_table *table, struct ka__image *image) {
  const struct ka__module *module = kernel->module->module;
  struct ka__bundle bundle = {module->bundle, module->bundle_bytes, 0};
  char present[256] = "";
  const char *why;
  for (;;) {
    switch (ka__bundle_next(&bundle, image, &why)) {
    case KA__BUNDLE_DAMAGED:
      return ka__module_damaged(kernel->descriptor, why);
    case KA__BUNDLE_END:
      return ka__fail(KA_ERROR_NO_IMAGE,
                      "kernel '%s' (%s:%u) was not compiled for the backend %s, which takes %s "
                      "images; there is: %s. Compile it with --ka-targets=%s",
                      kernel->view.name, kernel->view.file, kernel->view.record->line, table->name,
                      table->image, *present ? present : "none", table->image);
    case KA__BUNDLE_IMAGE:
      if (strcmp(image->content, table->image) == 0)
        return KA_OK;
      if (strcmp(image->content, KA__CONTENT_METADATA) != 0) {
        size_t used = strlen(present);
        snprintf(present + used, sizeof present - used, "%s%s", used ? ", " : "", image->content);
      }
    }
  }
}

/* Says which kernel the text of a backend is about. */
static ka_status about(const struct ka__kernel_view *kernel, const struct ka__device *device,
                       ka_status status) {
  return ka__fail(status, "kernel '%s' (%s:%u) on device '%s': %s", kernel->name, kernel->file,
                  kernel->record->line, device->properties.name, ka_error_message());
}

/* While working. */
static ka_status get_program(struct ka__kernel_state *kernel, struct ka__device *device,
                             void **driver) {
  struct ka__module_state *state = kernel->module;
  for (const struct ka__program *p = state->programs; p; p = p->next)
    if (p->device == device) {
      *driver = p->driver;
      return KA_OK;
    }
  const struct ka__backend_table *table = device->backend->table;
  struct ka__image image;
  ka_status status = find_image(kernel, table, &image);
  if (status != KA_OK)
    return status;
  struct ka__program *program = calloc(1, sizeof *program);
  if (!program)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", kernel->view.name);
  status = table->program_create(device, image.start, image.bytes, state->module->source,
                                 &program->driver);
  if (status != KA_OK) {
    free(program);
    return about(&kernel->view, device, status);
  }
  program->device = device;
  program->next = state->programs;
  state->programs = program;
  *driver = program->driver;
  ka__exit_watch();
  return KA_OK;
}

/* A further entry point, whose name is ours; on failure its entry stays NULL. */
static ka_status make_variant(const struct ka__function *model, const char *suffix,
                              struct ka__function *variant) {
  const char *symbol = model->kernel->symbol;
  size_t length = strlen(symbol), bytes = strlen(suffix) + 1;
  char *entry = malloc(length + bytes);
  if (!entry)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", model->kernel->name);
  memcpy(entry, symbol, length);
  memcpy(entry + length, suffix, bytes);
  *variant = *model;
  variant->entry = entry;
  ka_status status = model->device->backend->table->function_create(variant);
  if (status != KA_OK) {
    free(entry);
    variant->entry = NULL;
  }
  return status;
}

static void release_functions(struct ka__built_kernel *built) {
  const struct ka__backend_table *table = built->device->backend->table;
  table->function_release(&built->plain);
  struct ka__function *variants[] = {&built->padded, &built->group};
  for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
    if (variants[v]->entry) {
      table->function_release(variants[v]);
      free((char *)variants[v]->entry);
    }
}

/* While working. */
static ka_status make_functions(struct ka__kernel_state *kernel, struct ka__built_kernel *built) {
  const struct ka__backend_table *table = built->device->backend->table;
  void *program;
  ka_status status = get_program(kernel, built->device, &program);
  if (status != KA_OK)
    return status;
  struct ka__function model = {
      .device = built->device,
      .program = program,
      .kernel = &kernel->view,
      .pointers = kernel->pointers,
      .pointer_count = kernel->pointer_count,
  };
  built->plain = model;
  built->plain.entry = kernel->view.symbol;
  status = table->function_create(&built->plain);
  if (status != KA_OK)
    return about(&kernel->view, built->device, status);
  built->max_group_size = built->plain.max_group_size;
  uint32_t flags = kernel->view.record->flags;
  if (flags & KA_METADATA_PADDED) {
    status = make_variant(&model, KA__PADDED_SUFFIX, &built->padded);
    if (built->padded.entry && built->padded.max_group_size < built->max_group_size)
      built->max_group_size = built->padded.max_group_size;
  }
  /* The group variant is for devices on which all items of a group run in one thread anyway. */
  if (status == KA_OK && (flags & KA_METADATA_GROUP) && built->device->properties.is_cpu)
    status = make_variant(&model, KA__GROUP_SUFFIX, &built->group);
  if (status != KA_OK) {
    release_functions(built);
    return about(&kernel->view, built->device, status);
  }
  return KA_OK;
}

static struct ka__built_kernel *find_built(struct ka__kernel_state *kernel,
                                           const struct ka__device *device) {
  struct ka__built_kernel *built = atomic_load_explicit(&kernel->built, memory_order_acquire);
  while (built && built->device != device)
    built = built->next;
  return built;
}

/* While working. */
static ka_status add_built(struct ka__kernel_state *kernel, struct ka__device *device) {
  struct ka__built_kernel *built = calloc(1, sizeof *built);
  if (!built)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", kernel->view.name);
  built->device = device;
  sigset_t signals;
  ka__signals_block_handled(&signals);
  ka_status status = make_functions(kernel, built);
  ka__signals_restore(&signals);
  if (status == KA_OK) {
    built->next = atomic_load_explicit(&kernel->built, memory_order_relaxed);
    atomic_store_explicit(&kernel->built, built, memory_order_release);
  } else {
    free(built);
  }
  return status;
}

struct building {
  struct ka__kernel_state *kernel;
  struct ka__device *device;
};

static ka_status build(void *argument) {
  const struct building *b = argument;
  ka__module_begin_work(b->kernel->module);
  ka_status status = find_built(b->kernel, b->device) ? KA_OK : add_built(b->kernel, b->device);
  ka__module_end_work(b->kernel->module);
  return status;
}

ka_status ka__kernel_build(struct ka__kernel_state *kernel, struct ka__device *device,
                           struct ka__built_kernel **out) {
  *out = find_built(kernel, device);
  if (*out)
    return KA_OK;
  const struct ka__kernel_view *view = &kernel->view;
  const char *missing = lacks(view, &device->properties);
  if (missing)
    return ka__fail(KA_ERROR_UNSUPPORTED, "kernel '%s' (%s:%u): device '%s' lacks %s", view->name,
                    view->file, view->record->line, device->properties.name, missing);
  struct building building = {kernel, device};
  ka_status status = ka__run_aside(build, &building);
  *out = find_built(kernel, device);
  return status;
}

void ka__kernel_release_built(struct ka__kernel_state *kernel) {
  struct ka__built_kernel *built = atomic_load(&kernel->built);
  while (built) {
    struct ka__built_kernel *next = built->next;
    release_functions(built);
    free(built);
    built = next;
  }
}

void ka__module_release_programs(struct ka__module_state *state) {
  while (state->programs) {
    struct ka__program *program = state->programs;
    state->programs = program->next;
    program->device->backend->table->program_release(program->device, program->driver);
    free(program);
  }
}
