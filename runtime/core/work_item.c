/* The functions of ka/kernel.h on the host: functions that kernels share with the host may refer
 * to them, but they have a meaning inside kernels only. */
#include <ka/ka.h>

#include <stdio.h>
#include <stdlib.h>

_Noreturn static void called_on_host(const char *name) {
  fprintf(stderr, "ka: %s was called on the host; it can be called from kernels only\n", name);
  abort();
}

#define WITH_DIM(name)                                                                             \
  KA_API size_t name(unsigned dim) {                                                               \
    (void)dim;                                                                                     \
    called_on_host(#name);                                                                         \
  }
#define WITHOUT(type, name)                                                                        \
  KA_API type name(void) { called_on_host(#name); }

WITH_DIM(ka_global_id)
WITH_DIM(ka_local_id)
WITH_DIM(ka_group_id)
WITH_DIM(ka_global_size)
WITH_DIM(ka_local_size)
WITH_DIM(ka_num_groups)
WITH_DIM(ka_global_offset)
WITHOUT(size_t, ka_global_linear_id)
WITHOUT(size_t, ka_local_linear_id)
WITHOUT(size_t, ka_group_linear_id)
WITHOUT(void, ka_barrier)

KA_API void ka_trap(const char *text) {
  (void)text;
  called_on_host("ka_trap");
}

WITHOUT(size_t, ka_sub_group_size)
WITHOUT(size_t, ka_sub_group_max_size)
WITHOUT(size_t, ka_sub_group_count)
WITHOUT(size_t, ka_sub_group_id)
WITHOUT(size_t, ka_sub_group_lane)
WITHOUT(void, ka_sub_group_barrier)

#define VOTE(type, name)                                                                           \
  KA_API type name(bool condition) {                                                               \
    (void)condition;                                                                               \
    called_on_host(#name);                                                                         \
  }
VOTE(bool, ka_sub_group_any)
VOTE(bool, ka_sub_group_all)
VOTE(uint64_t, ka_sub_group_ballot)
VOTE(bool, ka_group_any)
VOTE(bool, ka_group_all)

KA_API void ka__sub_group_shuffle(void *value, size_t bytes, unsigned mode, unsigned lane,
                                  unsigned width) {
  (void)value, (void)bytes, (void)mode, (void)lane, (void)width;
  called_on_host("ka_sub_group_shuffle");
}

KA_API uint64_t ka__sub_group_match(const void *value, unsigned type) {
  (void)value, (void)type;
  called_on_host("ka_sub_group_match_any");
}

KA_API void ka__combine(void *value, unsigned type, unsigned operation, unsigned form) {
  (void)value, (void)type, (void)operation, (void)form;
  called_on_host("a reduction or scan");
}
