/* Registration of translation units, and the way from a kernel's descriptor to a kernel built for
 * a device. Registration does next to nothing: a program that starts and launches no kernel pays
 * for none. */
#include "runtime/core/module.h"

#include "runtime/core/bundle.h"
#include "runtime/core/cooperation.h"
#include "runtime/core/kernel.h"
#include "runtime/core/metadata_copy.h"
#include "runtime/core/process.h"
#include "runtime/core/signals.h"
#include "runtime/core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The module's image built for a device. */
struct program {
  struct ka__device *device;
  void *driver;
  struct program *next;
};

struct ka__module_state {
  struct ka__module *module;
  pthread_mutex_t lock;
  pthread_cond_t idle; /* signalled when `busy` ends */
  bool busy;           /* a thread reads or builds, without the lock */
  bool is_read;        /* the rest is filled in */
  struct program *programs;
  struct ka__kernel_state *kernels;
  uint32_t kernel_count;
  struct ka__tuple_pointer *pointers; /* of all kernels */
  struct ka__metadata_copy *copy;     /* if a kernel of it may use a mailbox */
};

static struct ka__module_state *module_state(struct ka__module *module) {
  return __atomic_load_n(&module->state, __ATOMIC_ACQUIRE);
}

/* Idempotent. A kernel may be launched by a constructor that runs before its module's own. */
static struct ka__module_state *get_or_make_state(struct ka__module *module) {
  struct ka__module_state *state = module_state(module);
  if (state)
    return state;
  state = calloc(1, sizeof *state);
  if (!state)
    return NULL;
  state->module = module;
  pthread_mutex_init(&state->lock, NULL);
  pthread_cond_init(&state->idle, NULL);
  void *expected = NULL;
  if (!__atomic_compare_exchange_n(&module->state, &expected, state, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    pthread_cond_destroy(&state->idle);
    pthread_mutex_destroy(&state->lock);
    free(state);
    return expected;
  }
  return state;
}

void ka__module_register(struct ka__module *module) { get_or_make_state(module); }

static void release_kernels(struct ka__module_state *state) {
  for (uint32_t k = 0; k < state->kernel_count; k++) {
    struct ka__kernel_state *kernel = &state->kernels[k];
    if (kernel->descriptor)
      kernel->descriptor->state = NULL;
    ka__kernel_close_handles(kernel);
    struct ka__built_kernel *built = atomic_load(&kernel->built);
    while (built) {
      struct ka__built_kernel *next = built->next;
      const struct ka__backend_table *table = built->device->backend->table;
      table->function_release(&built->plain);
      if (built->padded.entry) {
        table->function_release(&built->padded);
        free((char *)built->padded.entry);
      }
      free(built);
      built = next;
    }
  }
  free(state->kernels);
  free(state->pointers);
  ka__metadata_copy_release(state->copy);
}

void ka__module_unregister(struct ka__module *module) {
  struct ka__module_state *state = module_state(module);
  if (!state)
    return;
  /* At exit the program's destructors run after the drivers' exit functions: what was built stays.
   */
  bool inside = ka__enter();
  if (!inside && (ka__forked() || state->programs))
    return;
  /* Does not wait for launches in flight. Destructors of a library that is closed run under the
   * dynamic linker's lock, and a driver may need that lock before it can start a kernel (PoCL does:
   * it opens what it compiled as a library, in a thread of its own), so waiting could be for ever.
   * Nothing of the module is needed by then: backends keep what launches in flight need. */
  release_kernels(state);
  while (state->programs) {
    struct program *program = state->programs;
    state->programs = program->next;
    program->device->backend->table->program_release(program->device, program->driver);
    free(program);
  }
  pthread_cond_destroy(&state->idle);
  pthread_mutex_destroy(&state->lock);
  free(state);
  module->state = NULL;
  if (inside)
    ka__leave();
}

void ka__kernel_called(const struct ka__kernel *kernel) {
  fprintf(stderr,
          "ka: kernel '%s' was called as a plain function; kernels run by "
          "ka_launch(backend, range, %s(...))\n",
          kernel->name, kernel->name);
  abort();
}

/* Waits for the right to work on the module, and takes the lock meanwhile. */
static void begin_work(struct ka__module_state *state) {
  pthread_mutex_lock(&state->lock);
  while (state->busy)
    pthread_cond_wait(&state->idle, &state->lock);
  state->busy = true;
  pthread_mutex_unlock(&state->lock);
}

static void end_work(struct ka__module_state *state) {
  pthread_mutex_lock(&state->lock);
  state->busy = false;
  pthread_cond_broadcast(&state->idle);
  pthread_mutex_unlock(&state->lock);
}

static ka_status damaged(const struct ka__kernel *kernel, const char *why) {
  return ka__fail(KA_ERROR_INVALID_BUNDLE,
                  "kernel '%s': the bundle of %s is damaged: %s; compile that file again",
                  kernel->name, kernel->module->source, why);
}

/* Writes the kernel's pointers one after the other and returns how many; with NULL it only counts.
 */
static uint32_t list_pointers(const struct ka__kernel_view *view, struct ka__tuple_pointer *to) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < view->record->param_count; p++) {
    const struct ka_metadata_param *param = &view->params[p];
    if (param->kind == KA_METADATA_POINTER) {
      if (to)
        to[count] = (struct ka__tuple_pointer){.offset = param->offset,
                                               .in_memory = param->flags & KA_METADATA_SPILLED};
      count++;
    }
    for (uint32_t i = 0; i < param->pointer_count; i++) {
      const struct ka_metadata_pointer *inner = &view->pointers[param->first_pointer + i];
      if (to)
        to[count] = (struct ka__tuple_pointer){.offset = (uint64_t)param->offset + inner->offset,
                                               .perhaps = inner->flags & KA_METADATA_IN_UNION,
                                               .in_memory = true};
      count++;
    }
  }
  return count;
}

static bool takes_scratch(const struct ka__kernel_view *view) {
  for (uint32_t p = 0; p < view->record->param_count; p++)
    if (view->params[p].kind == KA_METADATA_LOCAL)
      return true;
  return false;
}

/* While working. */
static ka_status read_bundle(struct ka__module_state *state, const struct ka__kernel *kernel) {
  const struct ka__module *module = state->module;
  if (module->abi_version != KA__ABI_VERSION)
    return ka__fail(KA_ERROR_INVALID_BUNDLE,
                    "kernel '%s': %s was compiled by a kacc with version %u of the interface to "
                    "libka, and this libka has version %u; compile that file again",
                    kernel->name, module->source, module->abi_version, KA__ABI_VERSION);
  struct ka__bundle bundle = {module->bundle, module->bundle_bytes, 0};
  struct ka__image image;
  const char *why = "it is empty";
  if (!module->bundle || ka__bundle_next(&bundle, &image, &why) != KA__BUNDLE_IMAGE)
    return damaged(kernel, why);
  if (strcmp(image.content, KA__CONTENT_METADATA) != 0)
    return damaged(kernel, "its first image is not the metadata");
  if (!ka__metadata_check(image.start, image.bytes, &why))
    return damaged(kernel, why);
  if (ka__metadata_kernel_count(image.start) != module->kernel_count)
    return damaged(kernel, "its metadata has another number of kernels than the file");
  struct ka__kernel_state *kernels = calloc(module->kernel_count + 1u, sizeof *kernels);
  if (!kernels)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", kernel->name);
  size_t pointer_count = 0;
  bool uses_mailbox = false;
  for (uint32_t k = 0; k < module->kernel_count; k++) {
    kernels[k].module = state;
    ka__metadata_kernel(image.start, k, &kernels[k].view);
    kernels[k].takes_scratch = takes_scratch(&kernels[k].view);
    kernels[k].pointer_count = list_pointers(&kernels[k].view, NULL);
    pointer_count += kernels[k].pointer_count;
    uses_mailbox |= kernels[k].view.record->flags & KA_METADATA_MAILBOX;
  }
  struct ka__tuple_pointer *pointers = calloc(pointer_count + 1, sizeof *pointers);
  struct ka__metadata_copy *copy = uses_mailbox ? ka__metadata_copy_create(image.start) : NULL;
  if (!pointers || (uses_mailbox && !copy)) {
    free(kernels);
    free(pointers);
    ka__metadata_copy_release(copy);
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", kernel->name);
  }
  state->pointers = pointers;
  state->copy = copy;
  for (uint32_t k = 0; k < module->kernel_count; k++) {
    kernels[k].copy = copy;
    kernels[k].index = k;
    kernels[k].pointers = pointers;
    pointers += list_pointers(&kernels[k].view, pointers);
  }
  state->kernels = kernels;
  state->kernel_count = module->kernel_count;
  state->is_read = true;
  return KA_OK;
}

struct resolving {
  struct ka__kernel *kernel;
  struct ka__module_state *state;
  struct ka__kernel_state *found;
};

/* May have to wait while another kernel of the module is built. */
static ka_status resolve(void *argument) {
  struct resolving *r = argument;
  begin_work(r->state);
  ka_status status = r->state->is_read ? KA_OK : read_bundle(r->state, r->kernel);
  if (status == KA_OK && r->kernel->index >= r->state->kernel_count)
    status = damaged(r->kernel, "the kernel is not in its metadata");
  if (status == KA_OK) {
    r->found = &r->state->kernels[r->kernel->index];
    r->found->descriptor = r->kernel;
    __atomic_store_n(&r->kernel->state, r->found, __ATOMIC_RELEASE);
  }
  end_work(r->state);
  return status;
}

ka_status ka__kernel_resolve(struct ka__kernel *kernel, struct ka__kernel_state **out) {
  *out = __atomic_load_n(&kernel->state, __ATOMIC_ACQUIRE);
  if (*out)
    return KA_OK;
  if (!kernel->module || !kernel->name)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "this is not a kernel compiled by kacc");
  struct resolving r = {kernel, get_or_make_state(kernel->module), NULL};
  if (!r.state)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", kernel->name);
  ka_status status = ka__run_aside(resolve, &r);
  *out = r.found;
  return status;
}

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
      return damaged(kernel->descriptor, why);
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
  for (const struct program *p = state->programs; p; p = p->next)
    if (p->device == device) {
      *driver = p->driver;
      return KA_OK;
    }
  const struct ka__backend_table *table = device->backend->table;
  struct ka__image image;
  ka_status status = find_image(kernel, table, &image);
  if (status != KA_OK)
    return status;
  struct program *program = calloc(1, sizeof *program);
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
  if (!(kernel->view.record->flags & KA_METADATA_PADDED))
    return KA_OK;
  size_t length = strlen(kernel->view.symbol);
  char *entry = malloc(length + sizeof KA__PADDED_SUFFIX);
  if (!entry) {
    table->function_release(&built->plain);
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory", kernel->view.name);
  }
  memcpy(entry, kernel->view.symbol, length);
  memcpy(entry + length, KA__PADDED_SUFFIX, sizeof KA__PADDED_SUFFIX);
  built->padded = model;
  built->padded.entry = entry;
  status = table->function_create(&built->padded);
  if (status != KA_OK) {
    free(entry);
    table->function_release(&built->plain);
    return about(&kernel->view, built->device, status);
  }
  if (built->padded.max_group_size < built->max_group_size)
    built->max_group_size = built->padded.max_group_size;
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
  begin_work(b->kernel->module);
  ka_status status = find_built(b->kernel, b->device) ? KA_OK : add_built(b->kernel, b->device);
  end_work(b->kernel->module);
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
