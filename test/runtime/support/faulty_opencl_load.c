/* Puts the OpenCL loader that fails on demand in front of the real one. */
#include "test/runtime/support/faulty_opencl.h"

#include "test/runtime/support/test.h"

#include <dlfcn.h>
#include <stdlib.h>

void *faulty_opencl_find(const char *name) {
  setenv("KA_OPENCL_LIBRARY", FAULTY_OPENCL, 1);
  void *library = dlopen(FAULTY_OPENCL, RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  void *found = dlsym(library, name);
  CHECK(found);
  return found;
}

struct faulty_opencl *faulty_opencl_load(void) { return faulty_opencl_find("faulty_opencl"); }
