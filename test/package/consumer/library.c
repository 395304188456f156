/* A library that holds the kernel. */
#include <ka/ka.h>

#include "square.h"

[[ka::kernel]] void square(int *x) {
  size_t i = ka_global_id(0);
  x[i] = (int)(i * i);
}
