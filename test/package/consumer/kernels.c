/* A program with a kernel, built by a project that only found ka. */
#include <ka/ka.h>

#include <stdio.h>

#include "square.h"

#ifndef KERNEL_IN_LIBRARY
[[ka::kernel]] void square(int *x) {
  size_t i = ka_global_id(0);
  x[i] = (int)(i * i);
}
#endif

int main(void) {
  enum { N = 1000 };
  ka_backend *backend = ka_default_backend();
  if (!backend) {
    fprintf(stderr, "%s\n", ka_error_message());
    return 1;
  }
  int *x = ka_alloc(backend, N * sizeof *x);
  KA_CHECK(ka_launch(backend, ka_range(N), square(x)));
  KA_CHECK(ka_synchronize(backend));
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += x[i] != i * i;
  ka_free(x);
  printf("%d of %d wrong\n", wrong, N);
  return wrong != 0;
}
