/* Launches before main. */
#include "library.h"

#include <stdio.h>

static int *p;

__attribute__((constructor)) static void launch_early(void) {
  ka_backend *backend = ka_default_backend();
  p = ka_alloc_zeroed(backend, sizeof *p);
  KA_CHECK(ka_launch(backend, ka_range(1), count_up(p, 5, 1)));
}

int main(void) {
  KA_CHECK(ka_synchronize(ka_default_backend()));
  printf("%d\n", *p);
  return 0;
}
