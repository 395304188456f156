/* The program whose start is measured: a line when the result is right. */
#include "start_saxpy.h"

#include <unistd.h>

int main(void) {
  if (!start_saxpy())
    return 1;
  return write(STDOUT_FILENO, "ready\n", 6) == 6 ? 0 : 1;
}
