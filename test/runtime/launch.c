/* ka_launch: arguments of every kind, and errors that name the kernel. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

TEST(runs_saxpy_on_ka_memory) {
  ka_backend *be = test_backend();
  enum { N = 100000 };
  float *x = ka_alloc(be, N * sizeof *x), *y = ka_alloc(be, N * sizeof *y);
  CHECK(x && y);
  for (int i = 0; i < N; i++) {
    x[i] = (float)i;
    y[i] = 1;
  }
  CHECK_OK(LAUNCH(be, ka_range(N), saxpy, 2.0f, x, y));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < N; i++)
    CHECK_INT(y[i], 2.0f * (float)i + 1);
  CHECK_OK(ka_free(x));
  CHECK_OK(ka_free(y));
}

TEST(leaves_what_lies_behind_the_range_alone) {
  ka_backend *be = test_backend();
  enum { N = 1000003 };
  float *x = ka_alloc(be, N * sizeof *x), *y = ka_alloc(be, (N + 1) * sizeof *y);
  CHECK(x && y);
  for (int i = 0; i < N; i++) {
    x[i] = 1;
    y[i] = (float)(i % 1000);
  }
  y[N] = 77;
  CHECK_OK(LAUNCH(be, ka_range(N), saxpy, 3.0f, x, y));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < N; i++)
    CHECK_INT(y[i], i % 1000 + 3);
  CHECK_INT(y[N], 77);
}

TEST(takes_host_memory_where_the_device_can) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (!p.host_pointers)
    test_skip("the device cannot use host memory");
  static float x[100];
  float stack[100];
  float *heap = malloc(100 * sizeof *heap);
  for (int i = 0; i < 100; i++) {
    x[i] = (float)i;
    stack[i] = heap[i] = 1;
  }
  CHECK_OK(LAUNCH(be, ka_range(100), saxpy, 2.0f, x, stack));
  CHECK_OK(LAUNCH(be, ka_range(100), saxpy, 3.0f, stack, heap));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 100; i++)
    CHECK_INT(heap[i], 3 * (2 * i + 1) + 1);
  free(heap);
}

TEST(takes_pointers_into_the_middle) {
  ka_backend *be = test_backend();
  float *p = ka_alloc_zeroed(be, 300 * sizeof *p);
  for (int i = 0; i < 300; i++)
    p[i] = (float)i;
  CHECK_OK(LAUNCH(be, ka_range(10), saxpy, 1.0f, p + 100, p + 201));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 300; i++)
    CHECK_INT(p[i], i >= 201 && i < 211 ? i + (i - 101) : i);
}

TEST(takes_a_kernel_without_parameters) {
  ka_backend *be = test_backend();
  CHECK_OK(ka__launch(be, ka_range(1000), test_kernel(K_empty), NULL, 0));
  struct args_empty nothing;
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_empty), &nothing, 0));
  CHECK_OK(ka_synchronize(be));
}

TEST(takes_forty_parameters) {
  ka_backend *be = test_backend();
  struct args_many args = {.out = ka_alloc_zeroed(be, sizeof *args.out)};
  for (unsigned i = 0; i < 39; i++)
    args.a[i] = (uint64_t)i << 33;
  uint64_t expected = 38ull << 33;
  for (unsigned i = 0; i < 39; i++)
    expected += args.a[i];
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_many), &args, sizeof args));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*args.out, expected);
}

TEST(takes_two_hundred_parameters) {
  ka_backend *be = test_backend();
  struct args_hundreds args = {.out = ka_alloc_zeroed(be, sizeof *args.out)};
  uint64_t expected = 0;
  for (unsigned i = 0; i < 199; i++)
    expected += args.a[i] = (uint64_t)i << 33;
  expected += args.a[198];
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_hundreds), &args, sizeof args));
  memset(args.a, 0xff, sizeof args.a);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*args.out, expected);
}

TEST(takes_a_struct_as_the_only_parameter) {
  ka_backend *be = test_backend();
  struct args_bundled args = {{.out = ka_alloc_zeroed(be, sizeof *args.all.out)}};
  uint64_t expected = 0;
  for (unsigned i = 0; i < 7; i++)
    expected += args.all.a[i] = (uint64_t)i << 40;
  expected += args.all.a[6];
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_bundled), &args, sizeof args));
  memset(args.all.a, 0xff, sizeof args.all.a);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*args.all.out, expected);
}

TEST(takes_64_structs_of_64_bytes) {
  ka_backend *be = test_backend();
  struct args_blocks args = {.out = ka_alloc_zeroed(be, sizeof *args.out)};
  uint64_t expected = 0;
  for (unsigned i = 0; i < 64; i++)
    for (unsigned j = 0; j < 8; j++)
      expected += (args.b[i].a[j] = (uint64_t)i << j) * (i == 63 ? 2 : 1);
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_blocks), &args, sizeof args));
  memset(args.b, 0xff, sizeof args.b);
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*args.out, expected);
}

TEST(takes_a_struct_with_pointers) {
  ka_backend *be = test_backend();
  struct args_add_pair args = {
      {ka_alloc(be, 100 * sizeof(int)), {ka_alloc(be, 100 * sizeof(int))}, 60}};
  for (int i = 0; i < 100; i++) {
    args.pair.p[i] = i;
    args.pair.in.q[i] = 1000;
  }
  CHECK_OK(ka__launch(be, ka_range(100), test_kernel(K_add_pair), &args, sizeof args));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 100; i++)
    CHECK_INT(args.pair.p[i], i < 60 ? i + 1000 : i);
}

TEST(sizes_group_memory) {
  ka_backend *be = test_backend();
  enum { N = 1024, GROUP = 64 };
  int *in = ka_alloc(be, N * sizeof *in), *out = ka_alloc(be, N / GROUP * sizeof *out);
  for (int i = 0; i < N; i++)
    in[i] = i;
  CHECK_OK(LAUNCH(be, ka_with_group(ka_range(N), GROUP), group_sum, in, out,
                  ka_scratch(GROUP * sizeof *in)));
  CHECK_OK(ka_synchronize(be));
  for (int g = 0; g < N / GROUP; g++)
    CHECK_INT(out[g], GROUP * (GROUP * g) + GROUP * (GROUP - 1) / 2);
}

TEST(takes_group_memory_of_0_bytes) {
  ka_backend *be = test_backend();
  int *out = ka_alloc_zeroed(be, sizeof *out);
  CHECK_OK(LAUNCH(be, ka_range(1), spare_local, out, ka_scratch(0)));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*out, 5);
}

TEST(refuses_more_group_memory_than_there_is) {
  ka_backend *be = test_backend();
  int in[1], out[1];
  CHECK_STATUS(LAUNCH(be, ka_range(1), group_sum, in, out, ka_scratch((size_t)1 << 40)),
               KA_ERROR_UNSUPPORTED);
  CHECK_MESSAGE("'group_sum'", "'scratch'", "1099511627776 bytes of group memory");
  CHECK_STATUS(LAUNCH(be, ka_range(1), group_sum, in, out, ka_scratch(SIZE_MAX)),
               KA_ERROR_UNSUPPORTED);
}

TEST(passes_null) {
  ka_backend *be = test_backend();
  int *out = ka_alloc_zeroed(be, sizeof *out), something = 1;
  int *p = ka_alloc(be, sizeof *p);
  *p = something;
  for (int round = 0; round < 3; round++) {
    /* The launch before passed a pointer; it must not be kept. */
    CHECK_OK(LAUNCH(be, ka_range(1), is_null, out, p));
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(*out, 0);
    CHECK_OK(LAUNCH(be, ka_range(1), is_null, out, NULL));
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(*out, 1);
  }
}

/* Nobody waits, nobody asks. */
TEST(starts_by_itself) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (!p.is_cpu || !p.host_pointers)
    test_skip("the host does not see what a kernel writes before it has been waited for");
  int *done = ka_alloc_zeroed(be, 2 * sizeof *done);
  CHECK(done);
  for (int i = 1; i <= 20; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), slow, done, 1000));
    while (__atomic_load_n(done, __ATOMIC_RELAXED) != i)
      sched_yield();
  }
}

TEST(copies_the_arguments_before_it_returns) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  uint64_t *out = ka_alloc_zeroed(be, 64 * sizeof *out);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, test_slow_rounds(be, 30)));
  struct args_many args = {0};
  for (unsigned launch = 0; launch < 64; launch++) {
    args.out = &out[launch];
    args.a[0] = launch;
    CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_many), &args, sizeof args));
    memset(&args, 0xff, sizeof args);
    memset(args.a, 0, sizeof args.a);
  }
  CHECK_OK(ka_synchronize(be));
  for (unsigned launch = 0; launch < 64; launch++)
    CHECK_INT(out[launch], launch);
}

enum { THREADS = 32, LAUNCHES = 1000 };

static pthread_barrier_t all_there;

static void *launch_with_own_arguments(void *argument) {
  uint64_t number = *(unsigned *)argument;
  ka_backend *be = test_backend();
  uint64_t *out = ka_alloc_zeroed(be, LAUNCHES * sizeof *out);
  CHECK(out);
  pthread_barrier_wait(&all_there);
  for (unsigned i = 0; i < LAUNCHES; i++) {
    struct args_few args = {&out[i], {number << 40, (uint64_t)i << 20, number}};
    CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_few), &args, sizeof args));
    memset(&args, 0xff, sizeof args);
    if (i % 100 == number)
      CHECK_OK(ka_synchronize(be));
  }
  CHECK_OK(ka_synchronize(be));
  for (unsigned i = 0; i < LAUNCHES; i++)
    CHECK_INT(out[i], (number << 40) + ((uint64_t)i << 20) + 2 * number);
  CHECK_OK(ka_free(out));
  return NULL;
}

TEST(each_of_many_threads_sees_its_own_arguments) {
  pthread_t threads[THREADS];
  unsigned numbers[THREADS];
  CHECK_INT(pthread_barrier_init(&all_there, NULL, THREADS), 0);
  for (unsigned t = 0; t < THREADS; t++) {
    numbers[t] = t;
    CHECK_INT(pthread_create(&threads[t], NULL, launch_with_own_arguments, &numbers[t]), 0);
  }
  for (unsigned t = 0; t < THREADS; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  pthread_barrier_destroy(&all_there);
}

TEST(refuses_a_null_backend) {
  CHECK_STATUS(LAUNCH(NULL, ka_range(1), saxpy, 1.0f, NULL, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_launch", "backend is NULL", "ka_default_backend");
}

TEST(refuses_a_null_kernel) {
  CHECK_STATUS(ka__launch(test_backend(), ka_range(1), NULL, NULL, 0), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_launch", "kacc");
  struct ka__kernel nothing = {0};
  CHECK_STATUS(ka__launch(test_backend(), ka_range(1), &nothing, NULL, 0),
               KA_ERROR_INVALID_ARGUMENT);
}

TEST(refuses_a_tuple_of_another_size) {
  ka_backend *be = test_backend();
  struct args_saxpy args = {0};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_saxpy), &args, sizeof args - 8),
               KA_ERROR_ARGUMENT_MISMATCH);
  CHECK_MESSAGE("'saxpy'", "written.c:20", "24 bytes", "passes 16");
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_saxpy), NULL, sizeof args),
               KA_ERROR_ARGUMENT_MISMATCH);
}
