/* Ranges: how they are divided, offsets, and errors that name the value and the limit. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>

/* Launches `visit` and checks that each item ran once, with the right ids. */
static void check_visits(ka_backend *be, ka_ndrange range) {
  size_t n = range.size[0] * range.size[1] * range.size[2];
  int *count = ka_alloc_zeroed(be, (n + 1) * sizeof *count);
  uint64_t *ids = ka_alloc_zeroed(be, (n + 1) * 3 * sizeof *ids);
  CHECK(count && ids);
  CHECK_OK(LAUNCH(be, range, visit, count, ids));
  CHECK_OK(ka_synchronize(be));
  for (size_t i = 0; i < n; i++) {
    CHECK_INT(count[i], 1);
    CHECK_INT(ids[3 * i], i % range.size[0] + range.offset[0]);
    CHECK_INT(ids[3 * i + 1], i / range.size[0] % range.size[1] + range.offset[1]);
    CHECK_INT(ids[3 * i + 2], i / range.size[0] / range.size[1] + range.offset[2]);
  }
  CHECK_INT(count[n], 0);
  CHECK_OK(ka_free(count));
  CHECK_OK(ka_free(ids));
}

TEST(visits_each_item_once) {
  ka_backend *be = test_backend();
  static const size_t sizes[] = {1, 2, 15, 16, 17, 63, 64, 255, 256, 257, 1000, 4096, 4099, 65537};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    check_visits(be, ka_range(sizes[i]));
}

TEST(visits_each_item_of_two_and_three_dimensions) {
  ka_backend *be = test_backend();
  check_visits(be, ka_range(64, 64));
  check_visits(be, ka_range(1, 1000));
  check_visits(be, ka_range(1000, 1));
  check_visits(be, ka_range(37, 53));
  check_visits(be, ka_range(300, 7));
  check_visits(be, ka_range(3, 5, 7));
  check_visits(be, ka_range(1, 1, 129));
  check_visits(be, ka_range(64, 3, 16));
  check_visits(be, ka_range(17, 1, 31));
}

TEST(takes_a_group_size) {
  ka_backend *be = test_backend();
  check_visits(be, ka_with_group(ka_range(1000), 7));
  check_visits(be, ka_with_group(ka_range(1000), 1));
  check_visits(be, ka_with_group(ka_range(10), 64));
  check_visits(be, ka_with_group(ka_range(37, 53), 8, 4));
  check_visits(be, ka_with_group(ka_range(9, 8, 7), 2, 3, 4));
  check_visits(be, ka_with_group(ka_range(50), 4, 2, 2)); /* more dimensions than the range has */
}

TEST(takes_an_offset) {
  ka_backend *be = test_backend();
  check_visits(be, ka_with_offset(ka_range(1000), 5));
  check_visits(be, ka_with_offset(ka_range(37, 53), 0, 11));
  check_visits(be, ka_with_offset(ka_range(5, 6, 7), 100, 200, 300));
  check_visits(be, ka_with_offset(ka_with_group(ka_range(37), 8), 3));
  check_visits(be, ka_with_offset(ka_range(5), (size_t)1 << 40));
}

static void divide(ka_backend *be, ka_ndrange range, uint64_t sizes[6]) {
  uint64_t *p = ka_alloc_zeroed(be, 6 * sizeof *p);
  CHECK(p);
  CHECK_OK(LAUNCH(be, range, groups, p));
  CHECK_OK(ka_synchronize(be));
  memcpy(sizes, p, 6 * sizeof *p);
  CHECK_OK(ka_free(p));
}

TEST(uses_the_given_group_size) {
  ka_backend *be = test_backend();
  uint64_t sizes[6];
  divide(be, ka_with_group(ka_range(100, 30), 16, 2), sizes);
  CHECK_INT(sizes[0], 16);
  CHECK_INT(sizes[1], 2);
  CHECK_INT(sizes[2], 1);
  /* It has no padded variant, so it sees whole groups. */
  CHECK_INT(sizes[3], 112);
  CHECK_INT(sizes[4], 30);
}

TEST(chooses_groups_that_divide_the_range) {
  ka_backend *be = test_backend();
  static const size_t extents[] = {64, 1000, 1 << 20, 262144, 1000000, 640 * 480, 3000};
  for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
    uint64_t sizes[6];
    divide(be, ka_range(extents[i]), sizes);
    if (extents[i] % 16 == 0)
      CHECK_INT(extents[i] % sizes[0], 0);
    CHECK(sizes[0] >= 16);
  }
}

TEST(uses_the_static_group_size) {
  ka_backend *be = test_backend();
  uint64_t *sizes = ka_alloc_zeroed(be, 6 * sizeof *sizes);
  CHECK_OK(LAUNCH(be, ka_range(20, 9), fixed_groups, sizes));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(sizes[0], 8);
  CHECK_INT(sizes[1], 4);
  CHECK_INT(sizes[2], 1);
  CHECK_INT(sizes[3], 24);
  CHECK_INT(sizes[4], 12);
  CHECK_OK(LAUNCH(be, ka_with_group(ka_range(20, 9), 8, 4), fixed_groups, sizes));
  CHECK_OK(ka_synchronize(be));
}

TEST(refuses_another_group_size_than_the_static_one) {
  ka_backend *be = test_backend();
  uint64_t sizes[6];
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(64, 64), 16, 2), fixed_groups, sizes),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("'fixed_groups'", "8 x 4 x 1", "16 x 2 x 1");
}

TEST(launches_nothing_for_an_extent_of_0) {
  ka_backend *be = test_backend();
  int *count = ka_alloc_zeroed(be, sizeof *count);
  CHECK_OK(LAUNCH(be, ka_range(0), visit, count, NULL));
  CHECK_OK(LAUNCH(be, ka_range(5, 0, 3), visit, count, NULL));
  CHECK_OK(LAUNCH(be, ka_range(0, PTRDIFF_MAX, PTRDIFF_MAX), visit, count, NULL));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*count, 0);
  CHECK_STATUS(LAUNCH(NULL, ka_range(0), visit, count, NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(0), 0), visit, count, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
}

TEST(refuses_negative_extents) {
  ka_backend *be = test_backend();
  int minus_five = -5;
  CHECK_STATUS(LAUNCH(be, ka_range(minus_five), visit, NULL, NULL), KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("'visit'", "extent along x", "18446744073709551611", "-5", "limit of");
  CHECK_STATUS(LAUNCH(be, ka_range(1, 1, minus_five), visit, NULL, NULL), KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("extent along z");
  CHECK_STATUS(LAUNCH(be, ka_with_offset(ka_range(1, 1), 0, minus_five), visit, NULL, NULL),
               KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("offset along y", "-5");
}

TEST(refuses_more_items_than_can_be_counted) {
  ka_backend *be = test_backend();
  size_t big = (size_t)1 << 32;
  CHECK_STATUS(LAUNCH(be, ka_range(big, big), visit, NULL, NULL), KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("'visit'", "4294967296 x 4294967296 x 1", "limit");
  CHECK_STATUS(LAUNCH(be, ka_with_offset(ka_range(PTRDIFF_MAX), 1), visit, NULL, NULL),
               KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("offset plus extent along x is 9223372036854775808, above");
  /* Fits by itself, but not when it is rounded up to whole groups. */
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(PTRDIFF_MAX), 64), visit, NULL, NULL),
               KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("whole groups");
}

TEST(refuses_a_range_not_made_by_ka_range) {
  ka_backend *be = test_backend();
  ka_ndrange range = {0};
  CHECK_STATUS(LAUNCH(be, range, visit, NULL, NULL), KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("0 dimensions", "ka_range()");
  range = ka_range(1);
  range.dimensions = 4;
  CHECK_STATUS(LAUNCH(be, range, visit, NULL, NULL), KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("4 dimensions");
}

TEST(refuses_more_groups_than_drivers_count) {
  ka_backend *be = test_backend();
  size_t extent = (size_t)1 << 32;
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(extent), 1), visit, NULL, NULL),
               KA_ERROR_INVALID_RANGE);
  CHECK_MESSAGE("'visit'", "4294967296 x 1 x 1 groups", "limit of 4294967295");
  CHECK_STATUS(LAUNCH(be, ka_range((size_t)1 << 60), visit, NULL, NULL), KA_ERROR_INVALID_RANGE);
}

TEST(refuses_groups_that_are_too_large) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  size_t most = p.max_group_size;
  char number[32], limit[32];
  snprintf(number, sizeof number, "%zu", 2 * most);
  snprintf(limit, sizeof limit, "%zu", most);
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(1), 2, most), visit, NULL, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("'visit'", number, limit, p.name);
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(1), p.max_group_extent[0] + 1), visit, NULL, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("group size along x", p.name);
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(1), SIZE_MAX, SIZE_MAX), visit, NULL, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
}

TEST(refuses_a_group_size_of_0) {
  ka_backend *be = test_backend();
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(10), 0), visit, NULL, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("'visit'", "along x is 0");
  CHECK_STATUS(LAUNCH(be, ka_with_group(ka_range(10), 4, 0), visit, NULL, NULL),
               KA_ERROR_INVALID_GROUP_SIZE);
  CHECK_MESSAGE("along y is 0");
}

TEST(counts_beyond_31_bits) {
  ka_backend *be = test_backend();
  uint64_t *total = ka_alloc_zeroed(be, sizeof *total);
  const uint64_t n = ((uint64_t)1 << 31) + 5;
  /* Only the last items count, so that the test measures ids and not atomics. */
  CHECK_OK(LAUNCH(be, ka_range(n), tally, total, n - 1000));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*total, 1000);
}

TEST(counts_beyond_32_bits) {
  ka_backend *be = test_backend();
  uint64_t *total = ka_alloc_zeroed(be, sizeof *total);
  const uint64_t n = ((uint64_t)1 << 32) + 5;
  CHECK_OK(LAUNCH(be, ka_range(n), tally, total, ((uint64_t)1 << 32) - 995));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*total, 1000);
}

TEST(counts_ids_beyond_32_bits_by_offset) {
  ka_backend *be = test_backend();
  uint64_t *total = ka_alloc_zeroed(be, sizeof *total);
  const uint64_t first = ((uint64_t)1 << 33) - 500;
  CHECK_OK(LAUNCH(be, ka_with_offset(ka_with_group(ka_range(1024), 64), first), tally, total,
                  (uint64_t)1 << 33));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(*total, 524);
}
