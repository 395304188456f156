/* What PoCL is asked to do that OpenCL has no words for. */
#include "runtime/backends/opencl/opencl.h"

#include <stdlib.h>
#include <string.h>

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

const char *ka__cl_platform_options(const char *platform) {
  if (strcmp(platform, "Portable Computing Language") != 0)
    return "";
  setenv(ALWAYS_INLINE, "1", /*overwrite=*/0);
  const char *value = getenv(ALWAYS_INLINE);
  /* PoCL's cache of kernels does not know the variable, but takes all options into account. This
   * one has no other effect: it is for the preprocessor. */
  return value && atoi(value) ? "-D" ALWAYS_INLINE : "";
}
