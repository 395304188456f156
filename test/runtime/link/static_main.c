/* Launches two static kernels of one name, in turn. */
#include <ka/ka.h>

#include <stdio.h>

ka_status launch_one(ka_backend *backend, int *p);
ka_status launch_two(ka_backend *backend, int *p);

int main(void) {
  ka_backend *backend = ka_default_backend();
  int *p = ka_alloc_zeroed(backend, 4 * sizeof *p);
  KA_CHECK(launch_one(backend, &p[0]));
  KA_CHECK(launch_two(backend, &p[1]));
  KA_CHECK(launch_one(backend, &p[2]));
  KA_CHECK(launch_two(backend, &p[3]));
  KA_CHECK(ka_synchronize(backend));
  printf("%d %d %d %d\n", p[0], p[1], p[2], p[3]);
  return 0;
}
