/* The group "compile": kacc -O2 -c beside clang -O2 -c of the same file.
 *
 * Without kernels both do the same work, and the difference is the plugin. With kernels clang
 * compiles them as plain functions, and the difference is the device code.
 */
#include "child.h"
#include "groups.h"
#include "measure.h"

#include <stdbool.h>
#include <stddef.h>

static double compile(const char *compiler, const char *path) {
  /* As for kacc, so that clang can read the file; -fblocks because kacc says so. */
  const char *arguments[] = {compiler,     "-O2",
                             "-c",         path,
                             "-o",         "/dev/null",
                             "-D__KA__=1", "-DEXAMPLE_PHOTO=\"\"",
                             "-fblocks",   "-Wno-unknown-attributes",
                             "-I",         BENCHMARK_TOP_DIR "/include",
                             NULL};
  return child_run_ms(arguments);
}

static double compile_kacc(void *path) { return compile(BENCHMARK_KACC, path); }
static double compile_clang(void *path) { return compile(BENCHMARK_CLANG, path); }

static bool compare(const char *name, const char *path, double bound) {
  return measure_compare(&(struct comparison){"compile", name, "ms", "clang -O2 -c", bound,
                                              compile_kacc, compile_clang, (void *)path});
}

bool group_compile(void) {
  return compare("measure.c, no kernels", BENCHMARK_SOURCE_DIR "/measure.c", 1.3) &&
         compare("image.c, no kernels", BENCHMARK_TOP_DIR "/docs/examples/photo/image.c", 1.3) &&
         compare("saxpy.c", BENCHMARK_TOP_DIR "/docs/examples/saxpy/saxpy.c", 2.0) &&
         compare("matmul.c", BENCHMARK_TOP_DIR "/docs/examples/matmul/matmul.c", 2.0) &&
         compare("histogram.c", BENCHMARK_TOP_DIR "/docs/examples/histogram/histogram.c", 2.0) &&
         compare("bilateral.c", BENCHMARK_TOP_DIR "/docs/examples/bilateral/bilateral.c", 2.0) &&
         compare("edges.c", BENCHMARK_TOP_DIR "/docs/examples/edges/edges.c", 2.0) &&
         compare("heat.c", BENCHMARK_TOP_DIR "/docs/examples/heat/heat.c", 2.0) &&
         compare("atomic_types.c, conformance",
                 BENCHMARK_TOP_DIR "/test/conformance/atomic_types.c", 2.0);
}
