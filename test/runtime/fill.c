/* ka_fill. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/kinds.h"
#include "test/runtime/support/test.h"

#include <stdlib.h>

static void check_fill(ka_backend *be, size_t value_bytes, size_t count, size_t at) {
  size_t bytes = value_bytes * count, total = at + bytes + 16;
  unsigned char *p = ka_alloc(be, total), *value = malloc(value_bytes);
  CHECK(p && value);
  memset(p, 0xa5, total);
  for (size_t i = 0; i < value_bytes; i++)
    value[i] = (unsigned char)(i * 31 + value_bytes);
  CHECK_OK(ka_fill(be, p + at, value, value_bytes, count));
  memset(value, 0, value_bytes); /* it was copied */
  CHECK_OK(ka_synchronize(be));
  for (size_t i = 0; i < total; i++) {
    size_t k = (i - at) % value_bytes;
    unsigned char expected =
        i < at || i >= at + bytes ? 0xa5 : (unsigned char)(k * 31 + value_bytes);
    if (p[i] != expected)
      test_fail(__FILE__, __LINE__, "%zu values of %zu bytes at %zu: byte %zu is %d, not %d", count,
                value_bytes, at, i, p[i], expected);
  }
  CHECK_OK(ka_free(p));
  free(value);
}

TEST(fills_with_values_of_all_sizes) {
  ka_backend *be = test_backend();
  static const size_t sizes[] = {1,  2,  3,  4,   5,   7,   8,   12,  16,  24,   32,
                                 33, 64, 96, 128, 200, 255, 256, 257, 512, 1000, 5000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_fill(be, sizes[i], 1, 0);
    check_fill(be, sizes[i], 2, 0);
    check_fill(be, sizes[i], 1001, 0);
  }
}

TEST(fills_at_any_alignment) {
  ka_backend *be = test_backend();
  for (size_t at = 0; at < 9; at++) {
    check_fill(be, 4, 50, at);
    check_fill(be, 8, 50, at);
    check_fill(be, 300, 7, at);
  }
}

/* Enough that stores go past the caches. */
TEST(fills_much) {
  ka_backend *be = test_backend();
  check_fill(be, 12, 3000000, 4);
  static const size_t sizes[] = {3, 4, 16, 24, 255, 256};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_fill(be, sizes[i], ((size_t)4 << 20) / sizes[i] + 1, 0);
    check_fill(be, sizes[i], ((size_t)5 << 20) / sizes[i], 1);
    check_fill(be, sizes[i], ((size_t)5 << 20) / sizes[i] + 3, 63);
  }
}

/* The driver does it, since the queue has something to do. */
TEST(fills_behind_a_kernel) {
  ka_backend *be = test_backend();
  int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy);
  uint64_t rounds = test_slow_rounds(be, 5);
  static const size_t sizes[] = {1, 3, 4, 100, 256, 257, 5000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, rounds));
    check_fill(be, sizes[i], 7, 3);
  }
}

TEST(fills_any_kind) {
  ka_backend *be = test_backend();
  unsigned char stack[KIND_BYTES], back[KIND_BYTES], zero = 0, value[3] = {1, 2, 3};
  struct pieces pieces;
  kinds_create(be, stack, &pieces);
  static const size_t counts[] = {300, (KIND_BYTES - 2) / 3};
  for (int c = 0; c < 2; c++)
    for (int to = 0; to < CONSTANT; to++) {
      CHECK_OK(ka_fill(be, pieces.at[to], &zero, 1, KIND_BYTES));
      CHECK_OK(ka_fill(be, pieces.at[to] + 1, value, 3, counts[c]));
      CHECK_OK(ka_copy(be, back, pieces.at[to], KIND_BYTES));
      CHECK_OK(ka_synchronize(be));
      for (size_t i = 0; i < KIND_BYTES; i++)
        if (back[i] != (i < 1 || i > 3 * counts[c] ? 0 : value[(i - 1) % 3]))
          test_fail(__FILE__, __LINE__, "%s, %zu values: byte %zu is %d", kind_names[to], counts[c],
                    i, back[i]);
    }
}

TEST(fills_beyond_4_gib) {
  ka_backend *be = test_backend();
  const char *why;
  unsigned char *to = large_create(&why);
  if (!to)
    test_skip("no addresses for 4 GiB: %s", why);
  uint32_t value = 0x01020304;
  size_t count = LARGE_BYTES / sizeof value;
  CHECK_OK(ka_fill(be, to, &value, sizeof value, count));
  CHECK_OK(ka_synchronize(be));
  const uint32_t *filled = (const void *)to;
  for (size_t i = 0; i < LARGE_WINDOW / sizeof value; i++)
    CHECK_INT(filled[i], value);
  for (size_t i = ((size_t)1 << 32) / sizeof value; i < count; i++)
    CHECK_INT(filled[i], value);
  for (size_t i = count * sizeof value; i < LARGE_BYTES; i++)
    CHECK_INT(to[i], 0);
}

TEST(keeps_the_order_of_the_queue) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p), ten = 10;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, test_slow_rounds(be, 30)));
  CHECK_OK(ka_fill(be, p, &ten, sizeof ten, 1));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 11);
}

TEST(fills_nothing) {
  ka_backend *be = test_backend();
  int x = 1;
  CHECK_OK(ka_fill(be, &x, &x, 0, 5));
  CHECK_OK(ka_fill(be, &x, &x, sizeof x, 0));
  CHECK_OK(ka_fill(be, NULL, NULL, 4, 0));
  CHECK_INT(x, 1);
}

TEST(refuses_to_leave_an_allocation) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 100);
  int x = 0;
  CHECK_STATUS(ka_fill(be, p, &x, sizeof x, 26), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_fill", "104 bytes at offset 0 of the destination", "100 bytes");
  CHECK_STATUS(ka_fill(be, p + 98, &x, sizeof x, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("4 bytes at offset 98");
}

TEST(refuses_bad_arguments) {
  ka_backend *be = test_backend();
  int x = 0;
  CHECK_STATUS(ka_fill(NULL, &x, &x, sizeof x, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_fill", "backend is NULL");
  CHECK_STATUS(ka_fill(be, &x, NULL, sizeof x, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("value is NULL");
  CHECK_STATUS(ka_fill(be, NULL, &x, sizeof x, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("destination is NULL");
  CHECK_STATUS(ka_fill(be, &x, &x, sizeof x, SIZE_MAX / 2), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("more than memory can hold");
}
