#include <ka/ka.h>
[[ka::kernel]] static void from_header(float *x) { x[ka_global_id(0)] = 1; }
static inline ka_status launch_it(ka_backend *be, float *x) {
  return ka_launch(be, ka_range(3), from_header(x));
}
