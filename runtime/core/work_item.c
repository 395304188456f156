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
