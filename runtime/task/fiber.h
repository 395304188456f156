/* Stacks that a thread can switch between. The switch itself is Boost.Context's. */
#ifndef KA_RUNTIME_TASK_FIBER_H
#define KA_RUNTIME_TASK_FIBER_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of memory to run on, with pages below it that may not be touched. */
struct ka__stack {
  void *mapping; /* NULL: a thread's own stack */
  size_t mapping_bytes;
  char *lowest; /* usable from here */
  size_t bytes;
};

/* `bytes` is rounded up to whole pages. False if there is no memory. */
bool ka__stack_make(struct ka__stack *stack, size_t bytes);
void ka__stack_release(struct ka__stack *stack);

struct ka__fiber {
  void *context; /* where it goes on, while another runs */
  struct ka__stack stack;
  void (*function)(void *argument); /* never returns */
  void *argument;
  void *fake_stack; /* AddressSanitizer's */
  void *shadow;     /* ThreadSanitizer's */
};

/* The stack that the calling thread runs on. */
void ka__fiber_of_thread(struct ka__fiber *fiber);

/* A fiber that begins with `function` on fiber->stack, at the first switch to it. */
void ka__fiber_init(struct ka__fiber *fiber, void (*function)(void *), void *argument);

/* Goes on with `to`, until something switches to `from`. Both belong to the calling thread. `ends`:
 * nothing ever will. */
void ka__fiber_switch(struct ka__fiber *from, struct ka__fiber *to, bool ends);

/* The fiber is not running and will not run again. Its stack stays. */
void ka__fiber_fini(struct ka__fiber *fiber);

#endif
