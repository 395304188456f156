/* KA_CHECK=1: slow checks of memory that is not a live allocation of ka. */
#ifndef KA_RUNTIME_CORE_CHECK_H
#define KA_RUNTIME_CORE_CHECK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Belongs to ka__check_begin. */
extern _Atomic bool ka__check_on;

/* Whether the slow checks are wanted: all that they cost where they are not. */
static inline bool ka__checking(void) {
  return __builtin_expect(atomic_load_explicit(&ka__check_on, memory_order_relaxed), 0);
}

/* Reads the variable, the first time. Before there is memory of ka: when a backend is opened. */
void ka__check_begin(void);

/* Room for what the functions below say: how the sentence goes on that begins with the pointer. */
enum { KA__CHECK_TEXT = 200 };

/* Whether the pointer leads into an allocation that was freed, whose address is not used again yet.
 * Fast enough for every error. */
bool ka__check_freed(const void *pointer, char why[KA__CHECK_TEXT]);

/* Whether something is wrong with a pointer to memory of the host that a kernel is given, or with
 * memory of the host that is to be read, or written. */
bool ka__check_pointer(const void *pointer, char why[KA__CHECK_TEXT]);
bool ka__check_range(const void *pointer, size_t bytes, bool write, char why[KA__CHECK_TEXT]);

#endif
