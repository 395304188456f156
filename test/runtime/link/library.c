/* A file with a kernel, for programs and as a shared library. */
#include "library.h"

[[ka::kernel]] void count_up(int *p, int by, long rounds) {
  volatile int *slowly = &p[ka_global_id(0)];
  for (long i = 0; i < rounds; i++)
    *slowly += by;
}

ka_status library_launch(ka_backend *backend, int *p, int n, int by, long rounds);

ka_status library_launch(ka_backend *backend, int *p, int n, int by, long rounds) {
  return ka_launch(backend, ka_range(n), count_up(p, by, rounds));
}

ka_kernel *library_kernel(ka_backend *backend);

ka_kernel *library_kernel(ka_backend *backend) { return ka_kernel_of(backend, count_up); }
