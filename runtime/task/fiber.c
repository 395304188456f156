/* Stacks and switches. Sanitizers are told of each switch, since they keep account of stacks. */
#include "runtime/task/fiber.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Boost.Context's interface to its assembler, which Boost declares for C++ only. A jump gives the
 * context that was left to the one that goes on. */
struct transfer {
  void *context, *data;
};
extern void *make_fcontext(void *stack_top, size_t bytes, void (*function)(struct transfer));
extern struct transfer jump_fcontext(void *to, void *data);

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define WITH_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define WITH_TSAN 1
#endif

/* So many that a function with large arrays does not step over them. */
enum { GUARD_PAGES = 16 };

bool ka__stack_make(struct ka__stack *stack, size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), guard = GUARD_PAGES * page;
  if (bytes > SIZE_MAX - guard - page)
    return false;
  bytes = (bytes + page - 1) / page * page;
  /* Costs memory only where it is touched. */
  char *mapping = mmap(NULL, bytes + guard, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED)
    return false;
  /* Each guard page made by mprotect is one more mapping, of which a process may have some 65000.
   * Newer kernels know guards that are none; where neither can be had any more the stack does
   * without. */
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
  if (madvise(mapping, guard, MADV_GUARD_INSTALL) != 0)
    (void)mprotect(mapping, guard, PROT_NONE);
  *stack = (struct ka__stack){mapping, bytes + guard, mapping + guard, bytes};
  return true;
}

void ka__stack_release(struct ka__stack *stack) {
  if (stack->mapping)
    munmap(stack->mapping, stack->mapping_bytes);
  *stack = (struct ka__stack){0};
}

/* The switch from `previous` to `self` is done. */
static void arrive(struct ka__fiber *self, struct transfer transfer) {
  struct ka__fiber *previous = transfer.data;
  previous->context = transfer.context;
#ifdef WITH_ASAN
  __sanitizer_finish_switch_fiber(self->fake_stack, NULL, NULL);
#else
  (void)self;
#endif
}

/* How a fiber tells its first function which fiber it is: the thread's, between jump and arrival.
 */
static _Thread_local struct ka__fiber *beginning;

static void begin(struct transfer transfer) {
  struct ka__fiber *self = beginning;
  arrive(self, transfer);
  self->function(self->argument);
}

void ka__fiber_of_thread(struct ka__fiber *fiber) {
  *fiber = (struct ka__fiber){0};
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *lowest;
    size_t bytes;
    if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
      fiber->stack.lowest = lowest;
      fiber->stack.bytes = bytes;
    }
    pthread_attr_destroy(&attributes);
  }
#ifdef WITH_TSAN
  fiber->shadow = __tsan_get_current_fiber();
#endif
}

void ka__fiber_init(struct ka__fiber *fiber, void (*function)(void *), void *argument) {
  fiber->context =
      make_fcontext(fiber->stack.lowest + fiber->stack.bytes, fiber->stack.bytes, begin);
  fiber->function = function;
  fiber->argument = argument;
  fiber->fake_stack = NULL;
#ifdef WITH_TSAN
  fiber->shadow = __tsan_create_fiber(0);
#endif
}

void ka__fiber_switch(struct ka__fiber *from, struct ka__fiber *to, bool ends) {
#ifdef WITH_ASAN
  __sanitizer_start_switch_fiber(ends ? NULL : &from->fake_stack, to->stack.lowest,
                                 to->stack.bytes);
#else
  (void)ends;
#endif
#ifdef WITH_TSAN
  __tsan_switch_to_fiber(to->shadow, 0);
#endif
  beginning = to;
  arrive(from, jump_fcontext(to->context, from));
}

void ka__fiber_fini(struct ka__fiber *fiber) {
#ifdef WITH_TSAN
  if (fiber->shadow)
    __tsan_destroy_fiber(fiber->shadow);
  fiber->shadow = NULL;
#endif
#ifdef WITH_ASAN
  /* What functions left behind that never returned. */
  ASAN_UNPOISON_MEMORY_REGION(fiber->stack.lowest, fiber->stack.bytes);
#endif
  fiber->context = NULL;
}
