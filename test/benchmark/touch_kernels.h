/* The kernels of the group "launch", launched by ka. */
#ifndef KA_BENCHMARK_TOUCH_KERNELS_H
#define KA_BENCHMARK_TOUCH_KERNELS_H

#include "touch_arguments.h"

#include <ka/ka.h>

#define TOUCH_GLOBAL

[[ka::kernel]] void touch_4(TOUCH_PARAMETERS_4);
[[ka::kernel]] void touch_40(TOUCH_PARAMETERS_40);
[[ka::kernel]] void touch_200(TOUCH_PARAMETERS_200);

/* Launch the kernel of that many arguments, with pointers to ten arrays in turn. Another turn means
 * other arguments, all of them. */
void launch_touch_4(ka_backend *backend, ka_ndrange range, int *const cells[10], int turn);
void launch_touch_40(ka_backend *backend, ka_ndrange range, int *const cells[10], int turn);
void launch_touch_200(ka_backend *backend, ka_ndrange range, int *const cells[10], int turn);

#endif
