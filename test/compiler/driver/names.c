// Kernels with names that mean something to others: each is found and runs. It writes the number of its launch.
// RUN: %kacc -std=gnu23 -Wall -Werror %s -o %t
// RUN: %t
#include <ka/ka.h>
#include <stdio.h>

#define NAMES(X)                                                                                                       \
  X(kernel) X(half) X(global) X(local) X(float4) X(image2d_t) X(sampler_t) X(get_global_id) X(barrier) X(native_sin)   \
  X(größe) X(Жук) X($dollar) X(memset_) X(k__ka_padde) X(__ka_kernel) X(_start_) X(this) X(class) X(new) X(vload4)     \
  X(as_int) X(wait_group_events) X(entry) X(ka_mine)
#define DEFINE(name) [[ka::kernel]] void name(int *name##_) { name##_[ka_global_id(0)]++; }
NAMES(DEFINE)
[[ka::kernel]] void renamed(int *image2d_t) __asm__("also weird.name");
void renamed(int *image2d_t) { *image2d_t += 1; }
[[ka::kernel]] void \u00e9t\u00e9(int *p) { *p += 1; }

int main(void) {
  ka_backend *be = ka_default_backend();
  if (!be) {
    printf("no backend: %s\n", ka_error_message());
    return 0;
  }
  int *p = ka_alloc_zeroed(be, sizeof *p), launches = 0;
#define LAUNCH(name)                                                                                                   \
  KA_CHECK(ka_launch(be, ka_range(1), name(p)));                                                                       \
  launches++;
  NAMES(LAUNCH)
  LAUNCH(renamed)
  LAUNCH(été)
  KA_CHECK(ka_synchronize(be));
  if (*p != launches)
    fprintf(stderr, "%d launches, %d done\n", launches, *p);
  return *p != launches;
}
