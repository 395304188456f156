// What the plugin makes causes no warnings, in any dialect.
// RUN: %ka-cc -std=c99 -Weverything -Werror -Wno-declaration-after-statement -c %s -o %t.o
// RUN: %ka-cc -std=c11 -Weverything -Werror -Wno-declaration-after-statement -c %s -o %t.o
// RUN: %ka-cc -std=c17 -Wall -Wextra -Wpedantic -Werror -c %s -o %t.o
// RUN: %ka-cc -std=c23 -Weverything -Werror -Wno-pre-c23-compat -Wno-pre-c11-compat -c %s -o %t.o
// RUN: %ka-cc -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -c %s -o %t.o
#include <ka/ka.h>
#ifdef __cplusplus
#define restrict __restrict
#endif
__attribute__((ka_kernel)) static void k(float a, const float *restrict x, float *restrict y) {
  ka_local float tile[16];
  size_t i = ka_global_id(0);
  tile[ka_local_id(0) & 15] = x[i];
  ka_barrier();
  y[i] += a * tile[0];
}
ka_status run(ka_backend *be, const float *x, float *y);
ka_status run(ka_backend *be, const float *x, float *y) {
  ka_status s = ka_launch(be, ka_range(10), k(2, x, y));
  return s ? s : ka_launch(be, ka_with_group(ka_range(10, 20), 4, 2), k(2, x, y));
}
