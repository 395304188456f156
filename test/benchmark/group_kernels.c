/* The groups "kernels" and "launch": ka beside OpenCL by hand, same device, same group sizes, same
 * kind of memory. The time is from before the launch to after the wait for its end. */
#include "groups.h"
#include "kernels.h"
#include "measure.h"
#include "opencl_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ka_backend *backend;
static struct peer peer;

static bool open_both(void) {
  if (backend)
    return true;
  backend = ka_default_backend();
  ka_device_properties properties;
  if (!backend || ka_device_info(backend, ka_get_device(backend), &properties)) {
    fprintf(stderr, "ka-bench: no device: %s\n", ka_error_message());
    return false;
  }
  return peer_open(&peer, properties.name, BENCHMARK_SOURCE_DIR "/peer_kernels.cl");
}

/* One kernel on both sides: 0 is ka's memory, 1 the peer's. */
struct work {
  const char *name;
  size_t bytes[3]; /* of each buffer */
  unsigned char *buffer[2][3];
  size_t n;                 /* problem size, as the kernel understands it */
  size_t size[2], group[2]; /* of the range; size[1] 0: one dimension */
  int launches;             /* between two waits */
  void (*launch)(struct work *work, ka_ndrange range);
  void (*set_arguments)(struct work *work, cl_kernel kernel);
  cl_kernel kernel;
};

static ka_ndrange range_of(const struct work *w) {
  return w->size[1] ? ka_with_group(ka_range(w->size[0], w->size[1]), w->group[0], w->group[1])
                    : ka_with_group(ka_range(w->size[0]), w->group[0]);
}

static double run_ka(void *state) {
  struct work *w = state;
  ka_ndrange range = range_of(w);
  double start = measure_now();
  for (int i = 0; i < w->launches; ++i)
    w->launch(w, range);
  KA_CHECK(ka_synchronize(backend));
  return 1e6 * (measure_now() - start);
}

static double run_peer(void *state) {
  struct work *w = state;
  double start = measure_now();
  for (int i = 0; i < w->launches; ++i) {
    w->set_arguments(w, w->kernel);
    peer_check(clEnqueueNDRangeKernel(peer.queue, w->kernel, w->size[1] ? 2 : 1, NULL, w->size,
                                      w->group, 0, NULL, NULL),
               "clEnqueueNDRangeKernel");
  }
  peer_check(clFinish(peer.queue), "clFinish");
  return 1e6 * (measure_now() - start);
}

static void set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  peer_check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}
static void set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  peer_check(clSetKernelArgSVMPointer(kernel, index, pointer), "clSetKernelArgSVMPointer");
}

/* Allocates the buffers on both sides and fills them alike. */
static bool prepare(struct work *w) {
  w->kernel = peer_kernel(&peer, w->name);
  for (int b = 0; b < 3; ++b) {
    if (!w->bytes[b])
      continue;
    w->buffer[0][b] = ka_alloc(backend, w->bytes[b]);
    w->buffer[1][b] = peer_alloc(&peer, w->bytes[b]);
    if (!w->buffer[0][b]) {
      fprintf(stderr, "ka-bench: %s\n", ka_error_message());
      return false;
    }
    memset(w->buffer[0][b], 0, w->bytes[b]);
    memset(w->buffer[1][b], 0, w->bytes[b]);
  }
  return true;
}

static void release(struct work *w) {
  for (int b = 0; b < 3; ++b) {
    ka_free(w->buffer[0][b]);
    peer_free(&peer, w->buffer[1][b]);
  }
  clReleaseKernel(w->kernel);
}

/* Starts from the same numbers, runs both once, and compares what they wrote. */
static bool agree(struct work *w, int output, float tolerance) {
  if (run_ka(w) < 0 || run_peer(w) < 0)
    return false;
  const unsigned char *a = w->buffer[0][output], *b = w->buffer[1][output];
  bool same = true;
  if (tolerance == 0)
    same = memcmp(a, b, w->bytes[output]) == 0;
  else if (tolerance == 1)
    for (size_t i = 0; i < w->bytes[output]; ++i)
      same = same && abs(a[i] - b[i]) <= 1;
  else
    for (size_t i = 0; i < w->bytes[output] / sizeof(float); ++i)
      same = same && fabsf(((const float *)a)[i] - ((const float *)b)[i]) <= tolerance;
  if (!same)
    fprintf(stderr, "ka-bench: ka and OpenCL by hand computed different things: %s\n", w->name);
  return same;
}

static bool compare(struct work *w, const char *group, const char *name, double bound) {
  return measure_compare(
      &(struct comparison){group, name, "us", "OpenCL C by hand", bound, run_ka, run_peer, w});
}

static void launch_saxpy(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(backend, range,
                     saxpy(0.5f, (const float *)w->buffer[0][0], (float *)w->buffer[0][1])));
}
static void set_saxpy(struct work *w, cl_kernel kernel) {
  set(kernel, 0, sizeof(float), &(float){0.5f});
  set_pointer(kernel, 1, w->buffer[1][0]);
  set_pointer(kernel, 2, w->buffer[1][1]);
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
  if (!prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = (float)i / (float)n;
  bool good = agree(&w, 1, 1e-6f) && compare(&w, "kernels", "saxpy", 1.10);
  release(&w);
  return good;
}

static void launch_matmul(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(backend, range,
                     matmul(w->n, (const float *)w->buffer[0][0], (const float *)w->buffer[0][1],
                            (float *)w->buffer[0][2])));
}
static void set_matmul(struct work *w, cl_kernel kernel) {
  set(kernel, 0, sizeof(cl_ulong), &(cl_ulong){w->n});
  for (cl_uint b = 0; b < 3; ++b)
    set_pointer(kernel, b + 1, w->buffer[1][b]);
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
  if (!prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n * n; ++i) {
      ((float *)w.buffer[side][0])[i] = (float)(i % 17) - 8;
      ((float *)w.buffer[side][1])[i] = (float)(i % 13) - 6;
    }
  bool good = agree(&w, 2, 0) && compare(&w, "kernels", "matmul", 1.10);
  release(&w);
  return good;
}

static void launch_histogram(struct work *w, ka_ndrange range) {
  KA_CHECK(
      ka_launch(backend, range, histogram(w->buffer[0][0], w->n, (unsigned *)w->buffer[0][1])));
}
static void set_histogram(struct work *w, cl_kernel kernel) {
  set_pointer(kernel, 0, w->buffer[1][0]);
  set(kernel, 1, sizeof(cl_ulong), &(cl_ulong){w->n});
  set_pointer(kernel, 2, w->buffer[1][1]);
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
  if (!prepare(&w))
    return false;
  unsigned seed = 1;
  for (size_t i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    w.buffer[0][0][i] = w.buffer[1][0][i] = (unsigned char)(seed >> 24);
  }
  bool good = agree(&w, 1, 0) && compare(&w, "kernels", "histogram", 1.10);
  release(&w);
  return good;
}

/* Both tables of weights are in the third buffer, one behind the other. */
enum { NEARNESS_WEIGHTS = DIAMETER * DIAMETER, LIKENESS_WEIGHTS = 3 * 255 + 1 };

static void launch_bilateral(struct work *w, ka_ndrange range) {
  const float *weights = (const float *)w->buffer[0][2];
  KA_CHECK(ka_launch(backend, range,
                     bilateral(w->buffer[0][0], w->buffer[0][1], (int)w->n, (int)w->n, weights,
                               weights + NEARNESS_WEIGHTS)));
}
static void set_bilateral(struct work *w, cl_kernel kernel) {
  const float *weights = (const float *)w->buffer[1][2];
  set_pointer(kernel, 0, w->buffer[1][0]);
  set_pointer(kernel, 1, w->buffer[1][1]);
  set(kernel, 2, sizeof(cl_int), &(cl_int){(int)w->n});
  set(kernel, 3, sizeof(cl_int), &(cl_int){(int)w->n});
  set_pointer(kernel, 4, weights);
  set_pointer(kernel, 5, weights + NEARNESS_WEIGHTS);
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
  if (!prepare(&w))
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
  bool good = agree(&w, 1, 1) && compare(&w, "kernels", "bilateral", 1.10);
  release(&w);
  return good;
}

static void launch_exponential(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(backend, range,
                     exponential((const float *)w->buffer[0][0], (float *)w->buffer[0][1])));
}
static void set_exponential(struct work *w, cl_kernel kernel) {
  set_pointer(kernel, 0, w->buffer[1][0]);
  set_pointer(kernel, 1, w->buffer[1][1]);
}

/* Nothing is promised: PoCL inlines its exp into OpenCL C but not into SPIR-V. */
static bool bench_exponential(void) {
  size_t n = measure_effort()->quick ? 4096 : 1 << 20;
  struct work w = {.name = "exponential",
                   .bytes = {n * 4, n * 4},
                   .n = n,
                   .size = {n},
                   .group = {256},
                   .launches = 1,
                   .launch = launch_exponential,
                   .set_arguments = set_exponential};
  if (!prepare(&w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < n; ++i)
      ((float *)w.buffer[side][0])[i] = -8 * (float)i / (float)n;
  bool good = agree(&w, 1, 1e-6f) && compare(&w, "kernels", "exponential", 0);
  release(&w);
  return good;
}

bool group_kernels(void) {
  return open_both() && bench_saxpy() && bench_matmul() && bench_histogram() && bench_bilateral() &&
         bench_exponential();
}

static void launch_touch(struct work *w, ka_ndrange range) {
  KA_CHECK(ka_launch(backend, range, touch((int *)w->buffer[0][0])));
}
static void set_touch(struct work *w, cl_kernel kernel) { set_pointer(kernel, 0, w->buffer[1][0]); }

bool group_launch(void) {
  if (!open_both())
    return false;
  struct work w = {.name = "touch",
                   .bytes = {64 * sizeof(int)},
                   .n = 64,
                   .size = {64},
                   .group = {64},
                   .launches = 1,
                   .launch = launch_touch,
                   .set_arguments = set_touch};
  if (!prepare(&w))
    return false;
  bool good = agree(&w, 0, 0) && compare(&w, "launch", "one, waited for", 0);
  w.launches = measure_effort()->quick ? 10 : 1000;
  good = good && compare(&w, "launch", "batch of 1000", 0);
  release(&w);
  return good;
}
