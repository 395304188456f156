/* Memory that is freed while kernels still use it, on the real driver; keep_alive.c has the same on
 * a device whose operations run late. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Each free of libka goes through here (see CMakeLists.txt) ---- */

void __real_free(void *pointer);
void __wrap_free(void *pointer);

enum { WATCHED = 4 };
static struct {
  void *pointer;
  bool freed;
} watched[WATCHED];

void __wrap_free(void *pointer) {
  for (int i = 0; i < WATCHED; i++)
    if (pointer && watched[i].pointer == pointer)
      watched[i].freed = true;
  __real_free(pointer);
}

/* Memory of ka_alloc, watched. */
static void *watch(ka_backend *be, int number, size_t bytes) {
  watched[number].pointer = ka_alloc_zeroed(be, bytes);
  CHECK(watched[number].pointer);
  return watched[number].pointer;
}

TEST(memory_in_use_is_not_given_back) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 200);
  enum { BYTES = 3000 };
  int *p = watch(be, 0, BYTES);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  double start = test_now();
  CHECK_OK(ka_free(p));
  double took = test_now() - start;
  CHECK(!ka_allocation_of(p, NULL, NULL));
  CHECK(!watched[0].freed);
  CHECK_OK(ka_synchronize(be));
  CHECK(watched[0].freed);
  double all = test_now() - start;
  if (took > 0.5 * all)
    test_fail(__FILE__, __LINE__, "ka_free took %.3f s of %.3f s", took, all);
}

TEST(a_pointer_into_the_middle_keeps_memory) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 200);
  enum { BYTES = 3000 };
  int *p = watch(be, 0, BYTES);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p + 500, rounds));
  CHECK_OK(ka_free(p));
  CHECK(!watched[0].freed);
  CHECK_OK(ka_synchronize(be));
  CHECK(watched[0].freed);
}

TEST(a_pointer_inside_a_struct_keeps_memory) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 200);
  enum { BYTES = 3000 };
  int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy);
  int *p = watch(be, 0, BYTES), *q = watch(be, 1, BYTES);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, rounds)); /* keeps the queue from going on */
  struct args_add_pair args = {{p, {q}, 10}};
  CHECK_OK(ka__launch(be, ka_range(10), test_kernel(K_add_pair), &args, sizeof args));
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_free(q));
  CHECK(!watched[0].freed);
  CHECK(!watched[1].freed);
  CHECK_OK(ka_synchronize(be));
  CHECK(watched[0].freed);
  CHECK(watched[1].freed);
}

TEST(copies_and_fills_keep_memory) {
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 200);
  enum { BYTES = 3000 };
  int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy);
  char *p = watch(be, 0, BYTES), *q = watch(be, 1, BYTES);
  char *r = watch(be, 2, BYTES), *s = watch(be, 3, BYTES), value[300] = {1};
  CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, rounds));
  CHECK_OK(ka_copy(be, p, q + 100, 2000));
  CHECK_OK(ka_fill(be, r + 8, value, 4, 100));
  CHECK_OK(ka_fill(be, s, value, sizeof value, 10));
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_free(q));
  CHECK_OK(ka_free(r));
  CHECK_OK(ka_free(s));
  CHECK(!watched[0].freed);
  CHECK(!watched[1].freed);
  CHECK(!watched[2].freed);
  CHECK(!watched[3].freed);
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < WATCHED; i++)
    CHECK(watched[i].freed);
}

/* Frees all that a running kernel uses, and writes over new memory of the same sizes. */
static void check_scribbled(const char *pool) {
  setenv("KA_POOL", pool, 1);
  ka_backend *be = test_backend();
  uint64_t rounds = test_slow_rounds(be, 100);
  enum { N = 1000, ROUNDS = 3 };
  for (int round = 0; round < ROUNDS; round++) {
    int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy), *sums = ka_alloc(be, N * sizeof *sums);
    struct args_add_pair args = {
        {ka_alloc(be, N * sizeof(int)), {ka_alloc(be, N * sizeof(int))}, N}};
    CHECK(busy && sums && args.pair.p && args.pair.in.q);
    for (int i = 0; i < N; i++) {
      args.pair.p[i] = i * i;
      args.pair.in.q[i] = round - i;
    }
    CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, rounds)); /* keeps the queue from going on */
    CHECK_OK(ka__launch(be, ka_range(N), test_kernel(K_add_pair), &args, sizeof args));
    CHECK_OK(ka_copy(be, sums, args.pair.p, N * sizeof *sums));
    CHECK_OK(ka_free(busy));
    CHECK_OK(ka_free(args.pair.p));
    CHECK_OK(ka_free(args.pair.in.q));
    int *scribbled[30];
    for (int i = 0; i < 30; i++) {
      scribbled[i] = ka_alloc(be, N * sizeof(int));
      CHECK(scribbled[i]);
      memset(scribbled[i], 0x5a, N * sizeof(int));
    }
    CHECK_OK(ka_synchronize(be));
    for (int i = 0; i < N; i++)
      CHECK_INT(sums[i], i * i + round - i);
    for (int i = 0; i < 30; i++) {
      for (int k = 0; k < N; k++)
        CHECK_INT(scribbled[i][k], 0x5a5a5a5a);
      CHECK_OK(ka_free(scribbled[i]));
    }
    CHECK_OK(ka_free(sums));
  }
}

TEST(memory_in_use_is_not_given_out_again) { check_scribbled("0"); }
TEST(memory_in_use_is_not_given_out_again_by_the_pool) { check_scribbled("1"); }

/* 100000 launches, each with memory of its own that is freed at once, never waiting: 6.5 GB in
 * all. */
TEST(a_loop_that_never_waits_stays_bounded) {
  ka_backend *be = test_backend();
  enum { LAUNCHES = 100000, BYTES = 65536 };
  long before = 0, most = 0;
  for (int i = 0; i < LAUNCHES; i++) {
    int *p = ka_alloc(be, BYTES);
    CHECK(p);
    p[0] = 0;
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
    CHECK_OK(ka_free(p));
    if (i == 2000)
      before = test_resident_kilobytes();
    if (i > 2000 && i % 1000 == 0 && test_resident_kilobytes() > most)
      most = test_resident_kilobytes();
  }
  CHECK_OK(ka_synchronize(be));
  printf("%ld MB after 2000 launches, at most %ld MB later\n", before / 1024, most / 1024);
  CHECK(most < before + 200 * 1024);
}
