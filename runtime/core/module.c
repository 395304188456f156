/* Registration of translation units, and what is read of their bundles. Registration does next to
 * nothing: a program that starts and launches no kernel pays for none. */
#include "runtime/core/module_state.h"

#include "runtime/core/bundle.h"
#include "runtime/core/cooperation.h"
#include "runtime/core/kernel.h"
#include "runtime/core/metadata_copy.h"
#include "runtime/core/process.h"
#include "runtime/core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    ka__kernel_release_built(kernel);
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
  ka__module_release_programs(state);
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

void ka__module_begin_work(struct ka__module_state *state) {
  pthread_mutex_lock(&state->lock);
  while (state->busy)
    pthread_cond_wait(&state->idle, &state->lock);
  state->busy = true;
  pthread_mutex_unlock(&state->lock);
}

void ka__module_end_work(struct ka__module_state *state) {
  pthread_mutex_lock(&state->lock);
  state->busy = false;
  pthread_cond_broadcast(&state->idle);
  pthread_mutex_unlock(&state->lock);
}

ka_status ka__module_damaged(const struct ka__kernel *kernel, const char *why) {
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
    return ka__module_damaged(kernel, why);
  if (strcmp(image.content, KA__CONTENT_METADATA) != 0)
    return ka__module_damaged(kernel, "its first image is not the metadata");
  if (!ka__metadata_check(image.start, image.bytes, &why))
    return ka__module_damaged(kernel, why);
  if (ka__metadata_kernel_count(image.start) != module->kernel_count)
    return ka__module_damaged(kernel, "its metadata has another number of kernels than the file");
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
  ka__module_begin_work(r->state);
  ka_status status = r->state->is_read ? KA_OK : read_bundle(r->state, r->kernel);
  if (status == KA_OK && r->kernel->index >= r->state->kernel_count)
    status = ka__module_damaged(r->kernel, "the kernel is not in its metadata");
  if (status == KA_OK) {
    r->found = &r->state->kernels[r->kernel->index];
    r->found->descriptor = r->kernel;
    __atomic_store_n(&r->kernel->state, r->found, __ATOMIC_RELEASE);
  }
  ka__module_end_work(r->state);
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
