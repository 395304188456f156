/* One kernel to be launched by ka and by hand with OpenCL. */
#include "work.h"

#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ka_backend *work_backend;
struct peer work_peer;

bool work_open(void) {
  if (work_backend)
    return true;
  ka_backend *backend = ka_default_backend();
  ka_device_properties properties;
  if (!backend || ka_device_info(backend, ka_get_device(backend), &properties)) {
    fprintf(stderr, "ka-bench: no device: %s\n", ka_error_message());
    return false;
  }
  if (!peer_open(&work_peer, properties.name, BENCHMARK_SOURCE_DIR "/peer_kernels.cl",
                 "-I " BENCHMARK_SOURCE_DIR))
    return false;
  work_backend = backend;
  return true;
}

static ka_ndrange range_of(const struct work *w) {
  ka_ndrange range = w->size[1] ? ka_range(w->size[0], w->size[1]) : ka_range(w->size[0]);
  if (!w->group[0])
    return range;
  return w->size[1] ? ka_with_group(range, w->group[0], w->group[1])
                    : ka_with_group(range, w->group[0]);
}

static double now(const struct work *w) {
  return w->own_time ? measure_thread_time() : measure_now();
}

double work_run_ka(void *state) {
  struct work *w = state;
  ka_ndrange range = range_of(w);
  double start = now(w);
  for (int i = 0; i < w->launches; ++i) {
    w->turn = w->changes ? i : 0;
    w->launch(w, range);
  }
  KA_CHECK(ka_synchronize(work_backend));
  return 1e6 * (now(w) - start);
}

double work_run_peer(void *state) {
  struct work *w = state;
  cl_uint dimensions = w->size[1] ? 2 : 1;
  size_t size[2] = {w->size[0], w->size[1]};
  /* OpenCL wants whole groups. */
  for (cl_uint d = 0; d < dimensions && w->group[0]; ++d)
    size[d] = (size[d] + w->group[d] - 1) / w->group[d] * w->group[d];
  static cl_event events[WORK_MOST_LAUNCHES];
  double start = now(w);
  for (int i = 0; i < w->launches; ++i) {
    w->turn = w->changes ? i : 0;
    w->set_arguments(w, w->kernel);
    peer_check(clEnqueueNDRangeKernel(work_peer.queue, w->kernel, dimensions, NULL, size,
                                      w->group[0] ? w->group : NULL, 0, NULL,
                                      w->watches ? &events[i] : NULL),
               "clEnqueueNDRangeKernel");
  }
  peer_check(clFinish(work_peer.queue), "clFinish");
  for (int i = 0; i < w->launches && w->watches; ++i) {
    cl_int outcome;
    peer_check(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof outcome,
                              &outcome, NULL),
               "clGetEventInfo");
    peer_check(outcome, "a kernel");
    peer_check(clReleaseEvent(events[i]), "clReleaseEvent");
  }
  return 1e6 * (now(w) - start);
}

void work_set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  peer_check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

void work_set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  peer_check(clSetKernelArgSVMPointer(kernel, index, pointer), "clSetKernelArgSVMPointer");
}

bool work_prepare(struct work *w) {
  w->kernel = peer_kernel(&work_peer, w->name);
  for (int b = 0; b < WORK_BUFFERS; ++b) {
    if (!w->bytes[b])
      continue;
    w->buffer[0][b] = ka_alloc(work_backend, w->bytes[b]);
    w->buffer[1][b] = peer_alloc(&work_peer, w->bytes[b]);
    if (!w->buffer[0][b]) {
      fprintf(stderr, "ka-bench: %s\n", ka_error_message());
      return false;
    }
    memset(w->buffer[0][b], 0, w->bytes[b]);
    memset(w->buffer[1][b], 0, w->bytes[b]);
  }
  return true;
}

void work_release(struct work *w) {
  for (int b = 0; b < WORK_BUFFERS; ++b) {
    if (!w->bytes[b])
      continue;
    ka_free(w->buffer[0][b]);
    peer_free(&work_peer, w->buffer[1][b]);
  }
  clReleaseKernel(w->kernel);
}

static bool run_once(struct work *w) { return work_run_ka(w) >= 0 && work_run_peer(w) >= 0; }

static bool same(const struct work *w, bool agree) {
  if (!agree)
    fprintf(stderr, "ka-bench: ka and OpenCL by hand computed different things: %s\n", w->name);
  return agree;
}

bool work_agree_exactly(struct work *w, int output) {
  return run_once(w) &&
         same(w, memcmp(w->buffer[0][output], w->buffer[1][output], w->bytes[output]) == 0);
}

bool work_agree_floats(struct work *w, int output, float tolerance) {
  bool agree = run_once(w);
  const float *a = (const float *)w->buffer[0][output], *b = (const float *)w->buffer[1][output];
  for (size_t i = 0; i < w->bytes[output] / sizeof(float); ++i)
    agree = agree && fabsf(a[i] - b[i]) <= tolerance;
  return same(w, agree);
}

bool work_agree_bytes(struct work *w, int output, int tolerance) {
  bool agree = run_once(w);
  const unsigned char *a = w->buffer[0][output], *b = w->buffer[1][output];
  for (size_t i = 0; i < w->bytes[output]; ++i)
    agree = agree && abs(a[i] - b[i]) <= tolerance;
  return same(w, agree);
}

static bool is_expected(const void *buffer, const void *expected, size_t bytes, float tolerance) {
  if (tolerance == 0)
    return memcmp(buffer, expected, bytes) == 0;
  const float *a = buffer, *b = expected;
  for (size_t i = 0; i < bytes / sizeof(float); ++i)
    if (!(fabsf(a[i] - b[i]) <= tolerance * (1 + fabsf(b[i]))))
      return false;
  return true;
}

bool work_agree_with(struct work *w, int output, const void *expected, float tolerance) {
  static const char *const sides[] = {"ka", "OpenCL by hand"};
  bool agree = run_once(w);
  for (int side = 0; side < 2; ++side)
    if (!is_expected(w->buffer[side][output], expected, w->bytes[output], tolerance)) {
      fprintf(stderr, "ka-bench: %s computed something else than plain C: %s\n", sides[side],
              w->name);
      agree = false;
    }
  return agree;
}
