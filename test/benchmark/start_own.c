/* Prints how many milliseconds of a start are libka's own: from its first call to the first result,
 * less the time inside OpenCL.
 *
 * It is linked with the static libka, and each function of OpenCL that libka uses is exchanged for
 * one that measures it. These forward what they get without knowing its types, which are integers
 * and pointers only: ten arguments in the places where the ABIs of x86-64 and AArch64 put such. */
#include "measure.h"
#include "runtime/backends/opencl/opencl.h"
#include "start_saxpy.h"

#include <stdio.h>

/* What compilers take for a cast between all functions. */
typedef void no_function(void);
typedef uintptr_t any_function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static struct ka__cl_functions real;
static double driver_seconds;

#define MEASURED(name)                                                                             \
  static uintptr_t measured_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d,             \
                                   uintptr_t e, uintptr_t f, uintptr_t g, uintptr_t h,             \
                                   uintptr_t i, uintptr_t j) {                                     \
    double start = measure_now();                                                                  \
    uintptr_t result = ((any_function *)(no_function *)real.name)(a, b, c, d, e, f, g, h, i, j);   \
    driver_seconds += measure_now() - start;                                                       \
    return result;                                                                                 \
  }
KA__CL_FUNCTIONS(MEASURED)
#undef MEASURED

int main(void) {
  double start = measure_now();
  if (ka__cl_load() != KA_OK) {
    fprintf(stderr, "start_own: %s\n", ka_error_message());
    return 1;
  }
  real = ka__cl;
#define EXCHANGE(name) ka__cl.name = (__typeof__(ka__cl.name))(no_function *)measured_##name;
  KA__CL_FUNCTIONS(EXCHANGE)
#undef EXCHANGE
  if (!start_saxpy())
    return 1;
  double all = measure_now() - start;
  printf("%.4f\n", 1e3 * (all - driver_seconds));
  return 0;
}
