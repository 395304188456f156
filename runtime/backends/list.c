/* The backends that this libka has. */
#include "runtime/backends/opencl/opencl.h"

const struct ka__backend_table *const ka__backend_tables[] = {&ka__opencl_backend, NULL};
