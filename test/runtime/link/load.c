/* Loads a library with a kernel, launches it, unloads it, maybe while the kernel runs; several
 * times. */
#include <ka/ka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argc;
  bool wait = strcmp(argv[2], "a_library_comes_and_goes") == 0;
  long rounds = wait ? 10 : 3000000;
  ka_backend *backend = ka_default_backend();
  int *p = ka_alloc_zeroed(backend, 100 * sizeof *p);
  for (int time = 1; time <= 5; time++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      puts(dlerror());
      return EXIT_FAILURE;
    }
    ka_status (*launch)(ka_backend *, int *, int, int, long) =
        (ka_status(*)(ka_backend *, int *, int, int, long))dlsym(library, "library_launch");
    KA_CHECK(launch(backend, p, 7, 2, rounds));
    if (wait)
      KA_CHECK(ka_synchronize(backend));
    dlclose(library);
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD)) {
      puts("the library is still there");
      return EXIT_FAILURE;
    }
    KA_CHECK(ka_synchronize(backend));
    for (int i = 0; i < 100; i++)
      if (p[i] != (i < 7 ? 2 * time * rounds : 0)) {
        printf("time %d: p[%d] is %d\n", time, i, p[i]);
        return EXIT_FAILURE;
      }
  }
  puts("right");
  return EXIT_SUCCESS;
}
