/* What PoCL is asked to do that OpenCL has no words for. */
#include "runtime/backends/opencl/opencl.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PoCL compiles its library of built-in functions for the processor at hand and says so in each
 * function. Functions that come from SPIR-V say nothing, and between two such functions LLVM does
 * not inline. So from SPIR-V each sqrt and exp is a call, and a loop with a call is not vectorised.
 * With this variable, PoCL (6 and 7) inlines whatever a kernel reaches; it reads it whenever it
 * compiles a kernel.
 *
 * Setting a variable is no small thing for a library: it is done once, under the lock of the
 * backends, only where there is PoCL, and a value that the user has set stays. A getenv of another
 * thread at this moment is safe with glibc 2.41 and later. */
#define ALWAYS_INLINE "POCL_LLVM_ALWAYS_INLINE"

/* PoCL links what it compiles with ld, which it looks for in PATH; where that fails it ends the
 * program. Without PATH it gets the system's own, which is also where exec then looks. */
static void provide_path(void) {
  char path[256];
  if (confstr(_CS_PATH, path, sizeof path) <= sizeof path)
    setenv("PATH", path, /*overwrite=*/0);
}

static bool is_pocl(const char *platform) {
  return strcmp(platform, "Portable Computing Language") == 0;
}

bool ka__cl_platform_runs_programs(const char *platform) { return is_pocl(platform); }

/* A call of clFlush beside a running kernel takes PoCL 95 ns, a tenth of a launch in a batch. */
bool ka__cl_platform_starts_at_once(const char *platform) { return is_pocl(platform); }

const char *ka__cl_platform_options(const char *platform) {
  if (!is_pocl(platform))
    return "";
  provide_path();
  setenv(ALWAYS_INLINE, "1", /*overwrite=*/0);
  const char *value = getenv(ALWAYS_INLINE);
  /* PoCL's cache of kernels does not know the variable, but takes all options into account. This
   * one has no other effect: it is for the preprocessor. */
  return value && atoi(value) ? "-D" ALWAYS_INLINE : "";
}

const char *ka__cl_build_obstacle(const struct ka__cl_device *device) {
  struct sigaction action;
  if (device->runs_programs && sigaction(SIGCHLD, NULL, &action) == 0 &&
      ((action.sa_flags & SA_NOCLDWAIT) || action.sa_handler == SIG_IGN))
    return "the program ignores SIGCHLD, so that PoCL cannot wait for the programs that it runs to "
           "build a kernel; call signal(SIGCHLD, SIG_DFL), or install a handler, before kernels "
           "are first launched";
  return NULL;
}
