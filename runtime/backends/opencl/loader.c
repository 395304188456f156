/* Opens the OpenCL ICD loader at run time. */
#include "runtime/backends/opencl/opencl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

struct ka__cl_functions ka__cl;

/* Never closed: drivers keep threads and exit functions. */
static void *library;

ka_status ka__cl_load(void) {
  if (library)
    return KA_OK;
  /* Drivers need the C library that the program was started with; one that is linked in is not. */
  if (getauxval(AT_BASE) == 0)
    return ka__fail(KA_ERROR_NO_BACKEND,
                    "this program is linked statically and cannot load an OpenCL driver; link it "
                    "without -static (libka.a by itself is fine)");
  const char *name = getenv("KA_OPENCL_LIBRARY");
  if (!name || !*name)
    name = "libOpenCL.so.1";
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return ka__fail(KA_ERROR_NO_BACKEND, "the OpenCL loader cannot be opened (%s); %s",
                    why ? why : name, KA__CL_INSTALL);
  }
#define LOAD(function)                                                                             \
  ka__cl.function = (__typeof__(&function))dlsym(handle, #function);                               \
  if (!ka__cl.function) {                                                                          \
    dlclose(handle);                                                                               \
    return ka__fail(KA_ERROR_NO_BACKEND,                                                           \
                    "the OpenCL loader %s lacks %s; it is older than OpenCL 2.1, so %s", name,     \
                    #function, KA__CL_INSTALL);                                                    \
  }
  KA__CL_FUNCTIONS(LOAD)
#undef LOAD
  library = handle;
  return KA_OK;
}
