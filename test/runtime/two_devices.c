/* Two devices at once: kernels on both, memory of one used on the other. PoCL shows two, which
 * share the host's memory; behind a loader that pretends it they share nothing. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <pthread.h>
#include <stdlib.h>

static ka_backend *be;

static void open_both(void) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  be = test_backend();
  CHECK_INT(ka_num_devices(be), 2);
}

static struct faulty_opencl *cl;

/* Devices that give unified memory, but use only their own. */
static void open_apart(void) {
  cl = faulty_opencl_load();
  cl->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  open_both();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 1, &p));
  CHECK(p.unified && !p.host_pointers);
}

static void synchronize_both(void) {
  for (int d = 0; d < 2; d++) {
    CHECK_OK(ka_set_device(be, d));
    CHECK_OK(ka_synchronize(be));
  }
}

/* ---- Kernels on both ---- */

static void run_on_both(void) {
  float *x[2], *y[2];
  for (int d = 0; d < 2; d++) {
    CHECK_OK(ka_set_device(be, d));
    x[d] = ka_alloc(be, 100 * sizeof(float)), y[d] = ka_alloc(be, 100 * sizeof(float));
    for (int i = 0; i < 100; i++)
      x[d][i] = (float)i, y[d][i] = (float)d;
  }
  for (int round = 0; round < 10; round++)
    for (int d = 0; d < 2; d++) {
      CHECK_OK(ka_set_device(be, d));
      CHECK_OK(LAUNCH(be, ka_range(100), saxpy, (float)(d + 1), x[d], y[d]));
    }
  synchronize_both();
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < 100; i++)
      CHECK_INT(y[d][i], d + 10 * (d + 1) * i);
  for (int d = 0; d < 2; d++) { /* whichever device is active */
    CHECK_OK(ka_free(x[d]));
    CHECK_OK(ka_free(y[d]));
  }
}

TEST(kernels_are_loaded_for_each) {
  open_both();
  run_on_both();
}

TEST(kernels_are_loaded_for_each_where_memory_is_apart) {
  open_apart();
  run_on_both();
  CHECK_INT(cl->svm_allocs, 4);
  CHECK_INT(cl->svm_frees, 4);
}

static void *run_on_second(void *none) {
  CHECK_INT(ka_get_device(be), 0);
  CHECK_OK(ka_set_device(be, 1));
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  for (int i = 0; i < 100; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 100));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 100);
  CHECK_OK(ka_free(p));
  return none;
}

TEST(each_thread_has_its_own) {
  open_both();
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, run_on_second, NULL), 0);
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  for (int i = 0; i < 100; i++) {
    CHECK_INT(ka_get_device(be), 0);
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 100));
  }
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 100);
  CHECK_INT(pthread_join(thread, NULL), 0);
}

TEST(waiting_is_for_the_active_one) {
  open_both();
  uint64_t rounds = test_slow_rounds(be, 300);
  int *p = ka_alloc_zeroed(be, 4 * sizeof *p);
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1)); /* is built */
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(ka_set_device(be, 0));
  double start = test_now();
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p + 2, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[2], 1);
  double second = test_now() - start;
  CHECK_OK(ka_set_device(be, 0));
  CHECK_OK(ka_synchronize(be));
  double both = test_now() - start;
  CHECK_INT(p[0], 2);
  if (second > 0.7 * both)
    test_fail(__FILE__, __LINE__, "the wait took %.3f s of %.3f s", second, both);
}

/* ---- At the same time ---- */

struct meeting {
  int device;
  int *mine, *other, *met;
};

static void *meet(void *argument) {
  const struct meeting *m = argument;
  CHECK_OK(ka_set_device(be, m->device));
  CHECK_OK(LAUNCH(be, ka_range(1), meet, m->mine, m->other, 2000000000, m->met));
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

/* Each of two kernels, launched by two threads, ends when it sees that the other runs. */
static void check_meeting(int device) {
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (p.compute_units < 2)
    test_skip("the device runs one group at a time");
  int *memory = ka_alloc_zeroed(be, 256 * sizeof *memory);
  for (int d = 0; d < 2; d++) { /* built before */
    CHECK_OK(ka_set_device(be, d ? device : 0));
    CHECK_OK(LAUNCH(be, ka_range(1), meet, memory, memory, 1, memory + 32));
    CHECK_OK(ka_synchronize(be));
  }
  memory[0] = 0;
  struct meeting meetings[2] = {{0, memory, memory + 64, memory + 128},
                                {device, memory + 64, memory, memory + 192}};
  pthread_t threads[2];
  for (int t = 0; t < 2; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, meet, &meetings[t]), 0);
  for (int t = 0; t < 2; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  CHECK_INT(memory[128], 1);
  CHECK_INT(memory[192], 1);
}

TEST(kernels_of_two_threads_run_at_once_on_one_device) {
  open_both();
  check_meeting(0);
}

TEST(kernels_of_two_threads_run_at_once_on_two_devices) {
  open_both();
  check_meeting(1);
}

TEST(kernels_of_one_thread_run_at_once_on_two_devices) {
  open_both();
  int *memory = ka_alloc_zeroed(be, 256 * sizeof *memory);
  CHECK_OK(LAUNCH(be, ka_range(1), meet, memory, memory + 64, 2000000000, memory + 128));
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(LAUNCH(be, ka_range(1), meet, memory + 64, memory, 2000000000, memory + 192));
  synchronize_both();
  CHECK_INT(memory[128], 1);
  CHECK_INT(memory[192], 1);
}

/* ---- Memory of one on the other, where both share the host's ---- */

TEST(shared_memory_may_be_used_on_the_other) {
  open_both();
  enum { N = 100 };
  float *x = ka_alloc(be, N * sizeof *x), *y = ka_alloc_device(be, N * sizeof *y);
  for (int i = 0; i < N; i++)
    x[i] = (float)i;
  struct args_add_pair pair = {{ka_alloc(be, N * sizeof(int)), {ka_alloc(be, N * sizeof(int))}, N}};
  for (int i = 0; i < N; i++)
    pair.pair.p[i] = i, pair.pair.in.q[i] = 2 * i;
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(ka_fill(be, y, &(float){7}, sizeof(float), N));
  CHECK_OK(LAUNCH(be, ka_range(N), saxpy, 2.0f, x, y));
  CHECK_OK(ka__launch(be, ka_range(N), test_kernel(K_add_pair), &pair, sizeof pair));
  float *back = ka_alloc(be, N * sizeof *back); /* of the second */
  CHECK_OK(ka_copy(be, back, y, N * sizeof *back));
  CHECK_OK(ka_copy(be, x, back, N * sizeof *back));
  CHECK_OK(ka_free(y));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < N; i++) {
    CHECK_INT(back[i], 7 + 2 * i);
    CHECK_INT(x[i], 7 + 2 * i);
    CHECK_INT(pair.pair.p[i], 3 * i);
  }
  CHECK_OK(ka_free(x));
  CHECK_OK(ka_free(back));
}

/* The second device's use keeps memory of the first alive. */
TEST(shared_memory_in_use_on_the_other_is_kept) {
  open_both();
  uint64_t rounds = test_slow_rounds(be, 100);
  enum { BYTES = 1 << 20 };
  int *p = ka_alloc_zeroed(be, BYTES), result[2] = {0};
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  CHECK_OK(ka_copy(be, result, p, sizeof result));
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_set_device(be, 0));
  for (int i = 0; i < 20; i++) {
    char *other = ka_alloc(be, BYTES);
    CHECK(other);
    memset(other, 0x55, BYTES);
    CHECK_OK(ka_free(other));
  }
  synchronize_both();
  CHECK_INT(result[0], 1);
}

/* ---- and where they do not ---- */

TEST(memory_apart_is_refused_on_the_other) {
  open_apart();
  int *p = ka_alloc_zeroed(be, 100 * sizeof *p), *device = ka_alloc_device(be, 100 * sizeof *p);
  int host[100] = {0};
  CHECK_OK(ka_set_device(be, 1));
  int *q = ka_alloc_zeroed(be, 100 * sizeof *q);
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'slow', parameter 'p'", "allocated on device 0", "on device 1",
                "ka_set_device");
  struct args_add_pair pair = {{q, {p}, 1}};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &pair, sizeof pair),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'pair.in.q'", "allocated on device 0", "on device 1");
  int *const of_first[] = {p, device};
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(ka_copy(be, of_first[i], q, 40), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("ka_copy: the destination", "allocated on device 0", "device is 1");
    CHECK_STATUS(ka_copy(be, q, of_first[i] + 1, 40), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("ka_copy: the source", "allocated on device 0", "device is 1");
    CHECK_STATUS(ka_copy(be, host, of_first[i], 40), KA_ERROR_INVALID_POINTER);
    CHECK_STATUS(ka_fill(be, of_first[i], &(int){1}, sizeof(int), 10), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("ka_fill: the destination", "allocated on device 0", "device is 1");
  }
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 0);
  /* The way that the messages name. */
  p[3] = 33;
  CHECK_OK(ka_set_device(be, 0));
  CHECK_OK(ka_copy(be, host, p, 40));
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(ka_copy(be, q, host, 40));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(q[3], 33);
}

TEST(memory_apart_is_freed_wherever) {
  open_apart();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(ka_set_device(be, 1));
  int *q = ka_alloc_zeroed(be, 2 * sizeof *q);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, q, 1000000));
  CHECK_OK(ka_free(p));
  CHECK_INT(cl->svm_frees, 1);
  CHECK_OK(ka_set_device(be, 0));
  CHECK_OK(ka_free(q));
  synchronize_both();
  CHECK_INT(cl->svm_frees, 2);
  CHECK_STATUS(ka_free(p), KA_ERROR_INVALID_POINTER);
}
