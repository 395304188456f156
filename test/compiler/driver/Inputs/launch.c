#include <ka/ka.h>
#include <stdio.h>
[[ka::kernel]] void scale(float a, float *x);
int main(void) {
  ka_backend *be = ka_default_backend();
  float *x = ka_alloc(be, 7 * sizeof *x);
  for (int i = 0; i < 7; ++i)
    x[i] = (float)i;
  KA_CHECK(ka_launch(be, ka_range(7), scale(7, x)));
  KA_CHECK(ka_synchronize(be));
  printf("%g\n", (double)x[6]);
  return 0;
}
