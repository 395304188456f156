/* Memory of every kind that a program has, to copy from, to fill and to give to kernels. */
#ifndef KA_TEST_RUNTIME_SUPPORT_KINDS_H
#define KA_TEST_RUNTIME_SUPPORT_KINDS_H

#include <ka/ka.h>

enum kind { UNIFIED, DEVICE_ONLY, HEAP, STATIC, STACK, MAPPED_FILE, CONSTANT, KINDS };

extern const char *const kind_names[KINDS];

/* Each piece has this many bytes: too many for a copy to be done at once by the calling thread. */
enum { KIND_BYTES = 150001 };

/* What is in the constant piece. */
extern const unsigned char kind_constant[KIND_BYTES];

/* One piece of each kind, with undefined contents. `stack` is KIND_BYTES of the caller's. */
struct pieces {
  unsigned char *at[KINDS];
  int file; /* what MAPPED_FILE maps, shared */
};
void kinds_create(ka_backend *backend, unsigned char *stack, struct pieces *pieces);

/* More than 4 GiB of addresses with a tail of TAIL bytes beyond 4 GiB. All before the tail is one
 * WINDOW of memory, again and again, so that it costs little. NULL, with the reason in `*why`, if
 * it cannot be had. */
enum { LARGE_WINDOW = 16 << 20, LARGE_TAIL = 4099 };
#define LARGE_BYTES (((size_t)1 << 32) + LARGE_TAIL)
unsigned char *large_create(const char **why);

#endif
