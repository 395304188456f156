/* Builds SPIR-V images. */
#include "runtime/backends/opencl/opencl.h"

#include <stdlib.h>

/* Why the words of the image are not framed as SPIR-V's are, or NULL. A driver may trust its input
 * more than is good (PoCL 6 reads it in a process of its own), and says little of use about it. */
static const char *check_spirv(const uint32_t *words, size_t bytes) {
  enum { MAGIC = 0x07230203, HEADER_WORDS = 5 };
  size_t count = bytes / sizeof *words;
  if (bytes % sizeof *words != 0 || count < HEADER_WORDS || words[0] != MAGIC)
    return "it does not begin with a header of SPIR-V";
  for (size_t at = HEADER_WORDS; at < count;) {
    size_t length = words[at] >> 16;
    if (length == 0 || length > count - at)
      return "an instruction reaches beyond its end";
    at += length;
  }
  return NULL;
}

/* The driver's build log, "" if there is none; NULL only for lack of memory. */
static char *build_log(cl_program program, cl_device_id device) {
  enum { MOST = 1 << 26 }; /* no log is as long: the driver's answer is nonsense */
  size_t bytes = 0;
  cl_int error =
      ka__cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
  if (error != CL_SUCCESS || bytes > MOST)
    bytes = 0;
  char *log = calloc(1, bytes + 1);
  if (log && bytes &&
      ka__cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) !=
          CL_SUCCESS)
    log[0] = 0;
  return log;
}

ka_status ka__cl_program_create(struct ka__device *device, const void *image, size_t bytes,
                                const char *source, void **out) {
  const struct ka__cl_device *driver = device->driver;
  const char *why = check_spirv(image, bytes);
  if (why)
    return ka__fail(KA_ERROR_INVALID_BUNDLE,
                    "the SPIR-V image of %s is damaged: %s; compile that file again", source, why);
  why = ka__cl_build_obstacle(driver);
  if (why)
    return ka__fail(KA_ERROR_BUILD_FAILED, "%s", why);
  cl_int error = CL_SUCCESS;
  cl_program program = ka__cl.clCreateProgramWithIL(driver->context, image, bytes, &error);
  if (!program)
    return ka__cl_fail(error, "clCreateProgramWithIL", "the SPIR-V image of %s", source);
  error = ka__cl.clBuildProgram(program, 1, &driver->id, driver->options, NULL, NULL);
  if (error != CL_SUCCESS) {
    char *log = build_log(program, driver->id);
    ka__cl.clReleaseProgram(program);
    ka_status status = ka__cl_fail(error, "clBuildProgram", "the SPIR-V image of %s", source);
    if (log && *log)
      ka__fail(status, "%s; the driver's log:\n%s", ka_error_message(), log);
    free(log);
    return status;
  }
  *out = program;
  return KA_OK;
}

void ka__cl_program_release(struct ka__device *device, void *program) {
  (void)device;
  ka__cl.clReleaseProgram(program);
}
