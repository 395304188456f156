/* The kernels of the group "launch", written for ka, and their launches. */
#include "touch_kernels.h"

#define TOUCH_ID ka_global_id(0)

[[ka::kernel]] void touch_4(TOUCH_PARAMETERS_4) { TOUCH_BODY_4; }
[[ka::kernel]] void touch_40(TOUCH_PARAMETERS_40) { TOUCH_BODY_40; }
[[ka::kernel]] void touch_200(TOUCH_PARAMETERS_200) { TOUCH_BODY_200; }

#define ARGUMENTS(n) cells[(n + turn) % 10], n + turn, 1 + (float)turn, 2 + (double)turn

void launch_touch_4(ka_backend *backend, ka_ndrange range, int *const cells[10], int turn) {
  KA_CHECK(ka_launch(backend, range, touch_4(ARGUMENTS(10))));
}

void launch_touch_40(ka_backend *backend, ka_ndrange range, int *const cells[10], int turn) {
  KA_CHECK(ka_launch(backend, range, touch_40(TOUCH_TEN(ARGUMENTS, 1))));
}

void launch_touch_200(ka_backend *backend, ka_ndrange range, int *const cells[10], int turn) {
  KA_CHECK(ka_launch(backend, range, touch_200(TOUCH_FIFTY(ARGUMENTS))));
}
