/* A file that no compiler of ka's sees, in C and in C++: it gets a kernel from elsewhere. */
#include <ka/ka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
    ka_kernel *
    library_kernel(ka_backend *backend);

struct tuple {
  int *p;
  int by;
  long rounds;
};

int main(void) {
  ka_backend *backend = ka_default_backend();
  int *p = (int *)ka_alloc_zeroed(backend, 100 * sizeof *p);
  ka_kernel *kernel = library_kernel(backend);
  struct tuple tuple = {p, 2, 3L};
  KA_CHECK(ka_launch_tuple(kernel, ka_range(7), ka_tuple(p, 2, 3L)));
  KA_CHECK(ka_launch_tuple(kernel, ka_range(7), &tuple, sizeof tuple));
  KA_CHECK(ka_synchronize(backend));
  /* An array is a pointer, here as in a call, and the kernel may write there. */
  int array[7] = {0};
  volatile int *watched = p;
  KA_CHECK(ka_launch_tuple(kernel, ka_range(7), ka_tuple(array, 2, 3L)));
  KA_CHECK(ka_launch_tuple(kernel, ka_range(7), ka_tuple(watched, 0, 1L)));
  KA_CHECK(ka_synchronize(backend));
  for (int i = 0; i < 100; i++)
    if (p[i] != (i < 7 ? 12 : 0) || (i < 7 && array[i] != 6)) {
      printf("p[%d] is %d\n", i, p[i]);
      return EXIT_FAILURE;
    }
  /* int for long, pointer to the wrong type, pointers to const. */
  const int *c = p;
  const struct tuple *constant = &tuple;
  if (ka_launch_tuple(kernel, ka_range(7), ka_tuple(constant, 2, 3L)) !=
          KA_ERROR_ARGUMENT_MISMATCH ||
      !strstr(ka_error_message(), "not const")) {
    printf("constant structure taken, or refused for another reason: %s\n", ka_error_message());
    return EXIT_FAILURE;
  }
  if (ka_launch_tuple(kernel, ka_range(7), ka_tuple(p, 2, 3)) != KA_ERROR_ARGUMENT_MISMATCH ||
      !strstr(ka_error_message(), "parameter 'rounds'") ||
      ka_launch_tuple(kernel, ka_range(7), ka_tuple(&tuple.rounds, 2, 3L)) !=
          KA_ERROR_ARGUMENT_MISMATCH ||
      ka_launch_tuple(kernel, ka_range(7), ka_tuple(c, 2, 3L)) != KA_ERROR_ARGUMENT_MISMATCH ||
      ka_launch_tuple(kernel, ka_range(7), ka_tuple(&tuple, 2, 3L)) != KA_ERROR_ARGUMENT_MISMATCH ||
      !strstr(ka_error_message(), "parameter 'p'")) {
    printf("taken, or refused for another reason: %s\n", ka_error_message());
    return EXIT_FAILURE;
  }
  puts("right");
  return EXIT_SUCCESS;
}
