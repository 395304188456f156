/* Tasks in a program that knows nothing of them: a library that is opened late uses them. */
#include "test/runtime/support/test.h"

#include <dlfcn.h>

TEST(a_library_that_is_opened_late_uses_tasks) {
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(TASK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      test_fail(__FILE__, __LINE__, "%s", dlerror());
    int (*run_tasks)(int) = (int (*)(int))dlsym(library, "run_tasks");
    CHECK(run_tasks);
    CHECK_INT(run_tasks(10), 45);
    CHECK_INT(dlclose(library), 0);
  }
}
