/* The group "kernels": ka beside OpenCL by hand, same device, same group sizes, same kind of
 * memory. The time is from before the launch to after the wait for its end. */
#include "groups.h"
#include "kernels.h"
#include "measure.h"
#include "work.h"

#include <math.h>

static bool compare(struct work *w, const char *name, double bound) {
  return measure_compare(&(struct comparison){"kernels", name, "us", "OpenCL C by hand", bound,
                                              work_run_ka, work_run_peer, w});
}

static void launch_saxpy(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     saxpy(0.5f, (const float *)w->buffer[0][0], (float *)w->buffer[0][1])));
}
static void set_saxpy(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(float), &(float){0.5f});
  work_set_pointer(kernel, 1, w->buffer[1][0]);
  work_set_pointer(kernel, 2, w->buffer[1][1]);
}

static bool bench_saxpy(void) {
  size_t n = measure_effort()->quick ? 4096 : 262144;
  struct work w = {.name = "saxpy",
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = launch_saxpy,
                   .set_arguments = set_saxpy};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = (float)i / (float)n;
  bool good = work_agree_floats(&w, 1, 1e-6f) && compare(&w, "saxpy", 1.10);
  work_release(&w);
  return good;
}

static void launch_matmul(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     matmul(w->n, (const float *)w->buffer[0][0], (const float *)w->buffer[0][1],
                            (float *)w->buffer[0][2])));
}
static void set_matmul(struct work *w, cl_kernel kernel) {
  work_set(kernel, 0, sizeof(cl_ulong), &(cl_ulong){w->n});
  for (cl_uint b = 0; b < 3; ++b)
    work_set_pointer(kernel, b + 1, w->buffer[1][b]);
}

static bool bench_matmul(void) {
  size_t n = measure_effort()->quick ? 64 : 512, bytes = n * n * sizeof(float);
  struct work w = {.name = "matmul",
                   .bytes = {bytes, bytes, bytes},
                   .n = n,
                   .size = {n, n},
                   .group = {TILE, TILE},
                   .launches = 1,
                   .launch = launch_matmul,
                   .set_arguments = set_matmul};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n * n; ++i) {
      ((float *)w.buffer[side][0])[i] = (float)(i % 17) - 8;
      ((float *)w.buffer[side][1])[i] = (float)(i % 13) - 6;
    }
  bool good = work_agree_exactly(&w, 2) && compare(&w, "matmul", 1.10);
  work_release(&w);
  return good;
}

static void launch_histogram(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     histogram(w->buffer[0][0], w->n, (unsigned *)w->buffer[0][1])));
}
static void set_histogram(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set(kernel, 1, sizeof(cl_ulong), &(cl_ulong){w->n});
  work_set_pointer(kernel, 2, w->buffer[1][1]);
}

static bool bench_histogram(void) {
  size_t n = measure_effort()->quick ? 1 << 14 : 1 << 22;
  struct work w = {.name = "histogram",
                   .bytes = {n, BINS * sizeof(unsigned)},
                   .n = n,
                   .size = {n / VALUES_PER_ITEM},
                   .group = {GROUP},
                   .launches = 1,
                   .launch = launch_histogram,
                   .set_arguments = set_histogram};
  if (!work_prepare(&w))
    return false;
  unsigned seed = 1;
  for (size_t i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    w.buffer[0][0][i] = w.buffer[1][0][i] = (unsigned char)(seed >> 24);
  }
  bool good = work_agree_exactly(&w, 1) && compare(&w, "histogram", 1.10);
  work_release(&w);
  return good;
}

/* Both tables of weights are in the third buffer, one behind the other. */
enum { NEARNESS_WEIGHTS = DIAMETER * DIAMETER, LIKENESS_WEIGHTS = 3 * 255 + 1 };

static void launch_bilateral(struct work *w, ka_ndrange range) {
  const float *weights = (const float *)w->buffer[0][2];
  KA_CHECK(ka_launch(work_backend, range,
                     bilateral(w->buffer[0][0], w->buffer[0][1], (int)w->n, (int)w->n, weights,
                               weights + NEARNESS_WEIGHTS)));
}
static void set_bilateral(struct work *w, cl_kernel kernel) {
  const float *weights = (const float *)w->buffer[1][2];
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
  work_set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set_pointer(kernel, 4, weights);
  work_set_pointer(kernel, 5, weights + NEARNESS_WEIGHTS);
}

static bool bench_bilateral(void) {
  size_t n = measure_effort()->quick ? 32 : 256;
  struct work w = {
      .name = "bilateral",
      .bytes = {3 * n * n, 3 * n * n, (NEARNESS_WEIGHTS + LIKENESS_WEIGHTS) * sizeof(float)},
      .n = n,
      .size = {n, n},
      .group = {16, 16},
      .launches = 1,
      .launch = launch_bilateral,
      .set_arguments = set_bilateral};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side) {
    for (size_t i = 0; i < 3 * n * n; ++i)
      w.buffer[side][0][i] = (unsigned char)(i * i >> 8);
    float *weights = (float *)w.buffer[side][2];
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
      for (int dx = -RADIUS; dx <= RADIUS; ++dx)
        *weights++ = expf(-(float)(dx * dx + dy * dy) / 18);
    for (int difference = 0; difference < LIKENESS_WEIGHTS; ++difference)
      *weights++ = expf(-(float)(difference * difference) / 3200);
  }
  bool good = work_agree_bytes(&w, 1, 1) && compare(&w, "bilateral", 1.10);
  work_release(&w);
  return good;
}

static void launch_bilateral_exp(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(work_backend, range,
                     bilateral_exp(w->buffer[0][0], w->buffer[0][1], (int)w->n, (int)w->n,
                                   -1.0f / 18, -1.0f / 3200)));
}
static void set_bilateral_exp(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
  work_set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  work_set(kernel, 4, sizeof(float), &(float){-1.0f / 18});
  work_set(kernel, 5, sizeof(float), &(float){-1.0f / 3200});
}

static bool bench_bilateral_exp(void) {
  size_t n = measure_effort()->quick ? 32 : 256;
  struct work w = {.name = "bilateral_exp",
                   .bytes = {3 * n * n, 3 * n * n},
                   .n = n,
                   .size = {n, n},
                   .group = {16, 16},
                   .launches = 1,
                   .launch = launch_bilateral_exp,
                   .set_arguments = set_bilateral_exp};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < 3 * n * n; ++i)
      w.buffer[side][0][i] = (unsigned char)(i * i >> 8);
  bool good = work_agree_bytes(&w, 1, 1) && compare(&w, "bilateral, expf within", 1.10);
  work_release(&w);
  return good;
}

#define LAUNCH_FOR_EACH_ELEMENT(name)                                                              \
  static void launch_##name(struct work *w, ka_ndrange range) {                                    \
    KA_CHECK(ka_launch(work_backend, range,                                                        \
                       name((const float *)w->buffer[0][0], (float *)w->buffer[0][1])));           \
  }
LAUNCH_FOR_EACH_ELEMENT(exponential)
LAUNCH_FOR_EACH_ELEMENT(square_root)
LAUNCH_FOR_EACH_ELEMENT(multiply_add)
LAUNCH_FOR_EACH_ELEMENT(sine)
LAUNCH_FOR_EACH_ELEMENT(logarithm)

static void set_for_each_element(struct work *w, cl_kernel kernel) {
  work_set_pointer(kernel, 0, w->buffer[1][0]);
  work_set_pointer(kernel, 1, w->buffer[1][1]);
}

/* One function of <math.h>, for arguments spread evenly from `low` to `high`. */
static bool bench_function(const char *kernel, const char *name,
                           void (*launch)(struct work *work, ka_ndrange range), float low,
                           float high) {
  size_t n = measure_effort()->quick ? 4096 : 1 << 20;
  struct work w = {.name = kernel,
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = launch,
                   .set_arguments = set_for_each_element};
  if (!work_prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = low + (high - low) * (float)i / (float)n;
  bool good = work_agree_floats(&w, 1, 1e-6f) && compare(&w, name, 1.10);
  work_release(&w);
  return good;
}

bool group_kernels(void) {
  return work_open() && bench_saxpy() && bench_matmul() && bench_histogram() && bench_bilateral() &&
         bench_bilateral_exp() &&
         bench_function("exponential", "expf", launch_exponential, -8, 0) &&
         bench_function("square_root", "sqrtf", launch_square_root, 0, 2) &&
         bench_function("multiply_add", "fmaf", launch_multiply_add, -1, 1) &&
         bench_function("sine", "sinf", launch_sine, -8, 8) &&
         bench_function("logarithm", "logf", launch_logarithm, 0.5f, 8);
}
