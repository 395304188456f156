/* ka_copy. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/kinds.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void count_up(unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = (unsigned char)(i * 7 + i / 256);
}

TEST(copies_between_host_and_device_memory) {
  ka_backend *be = test_backend();
  enum { N = 70001 };
  unsigned char *from = malloc(N), *to = malloc(N);
  unsigned char *a = ka_alloc(be, N), *b = ka_alloc(be, N);
  count_up(from, N);
  memset(to, 0, N);
  CHECK_OK(ka_copy(be, a, from, N));
  CHECK_OK(ka_copy(be, b, a, N));
  CHECK_OK(ka_copy(be, to, b, N));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(memcmp(from, to, N), 0);
  CHECK_OK(ka_free(a));
  CHECK_OK(ka_free(b));
  free(from);
  free(to);
}

/* A few bytes, which the calling thread copies, and all of them, which the driver does. */
TEST(copies_between_any_two_kinds) {
  ka_backend *be = test_backend();
  unsigned char stack[KIND_BYTES], back[KIND_BYTES], none = 0xee;
  struct pieces pieces;
  kinds_create(be, stack, &pieces);
  static const size_t sizes[] = {1000, KIND_BYTES};
  for (int s = 0; s < 2; s++)
    for (int from = 0; from < KINDS; from++)
      for (int to = 0; to < CONSTANT; to++) {
        unsigned char *source = pieces.at[from], *destination = pieces.at[to];
        if (from == to)
          continue;
        if (from != CONSTANT)
          CHECK_OK(ka_copy(be, source, kind_constant, KIND_BYTES));
        CHECK_OK(ka_fill(be, destination, &none, 1, KIND_BYTES));
        CHECK_OK(ka_copy(be, destination, source, sizes[s]));
        CHECK_OK(ka_copy(be, back, destination, KIND_BYTES));
        CHECK_OK(ka_synchronize(be));
        for (size_t i = 0; i < KIND_BYTES; i++)
          if (back[i] != (i < sizes[s] ? kind_constant[i] : none))
            test_fail(__FILE__, __LINE__, "%s to %s, %zu bytes: byte %zu is %d", kind_names[from],
                      kind_names[to], sizes[s], i, back[i]);
      }
  CHECK_INT(pread(pieces.file, back, KIND_BYTES, 0), KIND_BYTES);
  CHECK_INT(memcmp(back, kind_constant, KIND_BYTES), 0);
}

TEST(copies_parts) {
  ka_backend *be = test_backend();
  unsigned char *a = ka_alloc_zeroed(be, 100), *b = ka_alloc(be, 100);
  count_up(b, 100);
  CHECK_OK(ka_copy(be, a + 13, b + 51, 7));
  CHECK_OK(ka_synchronize(be));
  for (int i = 0; i < 100; i++)
    CHECK_INT(a[i], i >= 13 && i < 20 ? b[51 + i - 13] : 0);
}

TEST(copies_within_one_allocation) {
  ka_backend *be = test_backend();
  unsigned char *a = ka_alloc(be, 64);
  count_up(a, 64);
  CHECK_OK(ka_copy(be, a + 32, a, 32));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(memcmp(a, a + 32, 32), 0);
}

TEST(keeps_the_order_of_the_queue) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p), seen[2] = {-1, -1}, *q = ka_alloc(be, sizeof seen);
  uint64_t rounds = test_slow_rounds(be, 30);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  CHECK_OK(ka_copy(be, q, p, sizeof seen));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_copy(be, seen, q, sizeof seen));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(seen[0], 1);
  CHECK_INT(p[0], 2);
}

/* A source of ka_alloc behind a slow kernel: freed and, if it were given back, taken again. */
TEST(a_source_of_ka_may_be_freed_at_once) {
  ka_backend *be = test_backend();
  enum { N = 5000, OTHERS = 50 };
  int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy);
  unsigned char *from = ka_alloc(be, N), to[N] = {0}, expected[N];
  count_up(from, N);
  count_up(expected, N);
  uint64_t rounds = test_slow_rounds(be, 30);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, rounds));
  CHECK_OK(ka_copy(be, to, from, N));
  CHECK_OK(ka_free(from));
  for (int i = 0; i < OTHERS; i++) {
    unsigned char *other = ka_alloc(be, N);
    CHECK(other);
    memset(other, 0xdd, N);
  }
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(memcmp(to, expected, N), 0);
}

TEST(copies_beyond_4_gib) {
  ka_backend *be = test_backend();
  const char *why;
  unsigned char *from = large_create(&why), *to = from ? large_create(&why) : NULL;
  if (!to)
    test_skip("no addresses for two times 4 GiB: %s", why);
  count_up(from, LARGE_WINDOW);
  count_up(from + ((size_t)1 << 32), LARGE_TAIL);
  CHECK_OK(ka_copy(be, to, from, LARGE_BYTES));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(memcmp(to, from, LARGE_WINDOW), 0);
  CHECK_INT(memcmp(to + ((size_t)1 << 32), from, LARGE_TAIL), 0);
}

TEST(copies_nothing) {
  ka_backend *be = test_backend();
  int x = 1;
  CHECK_OK(ka_copy(be, &x, &x, 0));
  CHECK_OK(ka_copy(be, NULL, NULL, 0));
  CHECK_STATUS(ka_copy(NULL, &x, &x, 0), KA_ERROR_INVALID_ARGUMENT);
}

TEST(refuses_overlap) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 100);
  CHECK_STATUS(ka_copy(be, p, p + 9, 10), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_copy", "overlap", "10 bytes");
  CHECK_STATUS(ka_copy(be, p + 9, p, 10), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ka_copy(be, p, p, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_OK(ka_copy(be, p, p + 10, 10));
  CHECK_OK(ka_copy(be, p + 10, p, 10));
  CHECK_OK(ka_synchronize(be));
}

TEST(refuses_to_leave_an_allocation) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 100), *q = ka_alloc(be, 200);
  CHECK_STATUS(ka_copy(be, p, q, 101), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy", "101 bytes at offset 0 of the destination", "allocation of 100 bytes");
  CHECK_STATUS(ka_copy(be, p + 60, q, 41), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("41 bytes at offset 60 of the destination");
  CHECK_STATUS(ka_copy(be, q, p + 60, 41), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("41 bytes at offset 60 of the source");
  CHECK_STATUS(ka_copy(be, q, p, SIZE_MAX), KA_ERROR_INVALID_ARGUMENT);
  CHECK_OK(ka_copy(be, q, p + 60, 40));
  CHECK_OK(ka_synchronize(be));
}

/* The end of an allocation in the middle of a step of the map is certainly no other's memory. */
TEST(refuses_the_end_of_an_allocation) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 100), x[8] = {0};
  CHECK_STATUS(ka_copy(be, p + 100, x, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy", "1 bytes at offset 100 of the destination", "allocation of 100 bytes");
  CHECK_STATUS(ka_copy(be, x, p + 100, 1), KA_ERROR_INVALID_POINTER);
  CHECK_STATUS(ka_fill(be, p + 100, x, 8, 1), KA_ERROR_INVALID_POINTER);
  CHECK_OK(ka_copy(be, p + 100, x, 0));
}

TEST(refuses_an_allocation_of_0_bytes) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 0), *q = ka_alloc_device(be, 0), x[8] = {0};
  CHECK_STATUS(ka_copy(be, p, x, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("1 bytes at offset 0 of the destination", "allocation of 0 bytes");
  CHECK_STATUS(ka_copy(be, x, p, 1), KA_ERROR_INVALID_POINTER);
  CHECK_STATUS(ka_copy(be, q, x, 1), KA_ERROR_INVALID_POINTER);
  CHECK_STATUS(ka_fill(be, p, x, 1, 1), KA_ERROR_INVALID_POINTER);
  CHECK_OK(ka_copy(be, p, q, 0));
}

TEST(refuses_null) {
  ka_backend *be = test_backend();
  int x = 0;
  CHECK_STATUS(ka_copy(be, NULL, &x, sizeof x), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("destination is NULL");
  CHECK_STATUS(ka_copy(be, &x, NULL, sizeof x), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("source is NULL");
  CHECK_STATUS(ka_copy(NULL, &x, &x, sizeof x), KA_ERROR_INVALID_ARGUMENT);
}

TEST(refuses_ranges_beyond_the_end_of_memory) {
  ka_backend *be = test_backend();
  char x[8];
  CHECK_STATUS(ka_copy(be, (void *)(UINTPTR_MAX - 4), x, 8), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("beyond the end of memory");
}
