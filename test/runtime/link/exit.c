/* Launches in main, and again while the program ends. */
#include "library.h"

#include <stdio.h>
#include <stdlib.h>

static ka_backend *backend;
static int *p;

static void launch_at_exit(void) {
  KA_CHECK(ka_launch(backend, ka_range(10), count_up(p, 1, 100)));
}

int main(void) {
  backend = ka_default_backend();
  p = ka_alloc_zeroed(backend, 10 * sizeof *p);
  KA_CHECK(ka_launch(backend, ka_range(10), count_up(p, 3, 2)));
  KA_CHECK(ka_synchronize(backend));
  atexit(launch_at_exit);
  puts(p[9] == 6 ? "right" : "wrong");
  return EXIT_SUCCESS;
}
