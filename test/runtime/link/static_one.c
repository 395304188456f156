/* A static kernel whose name another file uses too. */
#include <ka/ka.h>

[[ka::kernel]] static void mark(int *p) { p[ka_global_id(0)] = 1; }

ka_status launch_one(ka_backend *backend, int *p);

ka_status launch_one(ka_backend *backend, int *p) {
  return ka_launch(backend, ka_range(1), mark(p));
}
