/* Allocations and the registry. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/kinds.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

TEST(gives_aligned_memory_that_can_be_used) {
  ka_backend *be = test_backend();
  for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
    char *p = ka_alloc(be, bytes);
    CHECK(p);
    CHECK_INT((uintptr_t)p % 64, 0);
    memset(p, 5, bytes);
    CHECK_INT(p[bytes - 1], 5);
    CHECK_OK(ka_free(p));
  }
}

TEST(gives_distinct_pointers_for_0_bytes) {
  ka_backend *be = test_backend();
  void *a = ka_alloc(be, 0), *b = ka_alloc(be, 0);
  CHECK(a && b && a != b);
  void *base;
  size_t bytes;
  CHECK(ka_allocation_of(a, &base, &bytes));
  CHECK(base == a);
  CHECK_INT(bytes, 0);
  CHECK_OK(ka_free(a));
  CHECK_OK(ka_free(b));
}

TEST(zeroes) {
  ka_backend *be = test_backend();
  enum { BYTES = 4099 };
  for (int round = 0; round < 20; round++) {
    unsigned char *p = ka_alloc_zeroed(be, BYTES);
    CHECK(p);
    for (int i = 0; i < BYTES; i++)
      CHECK_INT(p[i], 0);
    memset(p, 0xee, BYTES);
    CHECK_OK(ka_free(p));
  }
}

TEST(frees_null) { CHECK_OK(ka_free(NULL)); }

TEST(refuses_to_free_twice) {
  void *p = ka_alloc(test_backend(), 100);
  CHECK_OK(ka_free(p));
  CHECK_STATUS(ka_free(p), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_free", "freed before");
}

TEST(refuses_to_free_the_inside) {
  char *p = ka_alloc(test_backend(), 100);
  CHECK_STATUS(ka_free(p + 40), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("40 bytes inside");
  CHECK_OK(ka_free(p));
}

TEST(refuses_to_free_what_is_not_its_own) {
  test_backend();
  int *p = malloc(40);
  CHECK_STATUS(ka_free(p), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("not a live allocation");
  free(p);
}

TEST(refuses_more_than_the_device_has) {
  ka_backend *be = test_backend();
  CHECK(!ka_alloc(be, SIZE_MAX));
  CHECK_MESSAGE("ka_alloc", "18446744073709551615 bytes", "in one piece");
  CHECK(!ka_alloc_zeroed(be, SIZE_MAX / 2));
  CHECK_MESSAGE("ka_alloc_zeroed");
  CHECK(!ka_alloc_device(be, SIZE_MAX));
  CHECK_MESSAGE("ka_alloc_device", "in one piece");
}

/* Each queue that prints has a buffer, of which mostly little is used. */
TEST(what_is_kept_for_printing_takes_no_memory_until_it_is_used) {
  setenv("KA_PRINT_BUFFER", "268435456", 1);
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (!p.host_pointers || TEST_ADDRESS_SANITIZER || TEST_THREAD_SANITIZER)
    test_skip("the driver, or a sanitizer, decides what its memory takes");
  uintptr_t *buffer = ka_alloc_zeroed(be, sizeof *buffer);
  CHECK(buffer);
  long before = test_resident_kilobytes();
  CHECK_OK(LAUNCH(be, ka_range(1), says, buffer));
  CHECK_OK(ka_synchronize(be));
  CHECK(*buffer);
  CHECK(test_resident_kilobytes() - before < 128 * 1024);
}

/* The system gives no more, and then does again. */
TEST(running_out_leaves_room_for_less) {
  if (TEST_ADDRESS_SANITIZER || TEST_THREAD_SANITIZER)
    test_skip("sanitizers need more addresses than a limit would leave them");
  ka_backend *be = test_backend();
  const size_t most = (size_t)1 << 30;
  char *before = ka_alloc(be, 100);
  CHECK(before);
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long pages;
  CHECK(file && fscanf(file, "%lu", &pages) == 1);
  fclose(file);
  struct rlimit limit;
  CHECK_INT(getrlimit(RLIMIT_AS, &limit), 0);
  limit.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + most / 4 * 3;
  CHECK_INT(setrlimit(RLIMIT_AS, &limit), 0);
  for (int round = 0; round < 3; round++) {
    CHECK(!ka_alloc(be, most));
    CHECK_INT(ka_error_status(), KA_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK_MESSAGE("ka_alloc", "1073741824 bytes", "not so much memory");
    CHECK(!ka_alloc_zeroed(be, most));
    CHECK(!ka_alloc_device(be, most));
    char *p = ka_alloc(be, most / 4);
    CHECK(p);
    p[0] = p[most / 4 - 1] = 1;
    CHECK_OK(ka_free(p));
  }
  CHECK(ka_allocation_of(before, NULL, NULL));
}

/* Where kernels can use the host's memory: as an argument, and inside a structure. */
TEST(kernels_use_every_kind) {
  ka_backend *be = test_backend();
  ka_device_properties properties;
  CHECK_OK(ka_device_info(be, ka_get_device(be), &properties));
  if (!properties.host_pointers)
    test_skip("kernels cannot use the host's memory");
  enum { COUNT = 100 };
  unsigned char stack[KIND_BYTES];
  struct pieces pieces;
  kinds_create(be, stack, &pieces);
  int x[COUNT], y[COUNT], back[COUNT], expected[COUNT];
  memcpy(expected, kind_constant, sizeof expected);
  for (int i = 0; i < COUNT; i++) {
    x[i] = expected[i];
    y[i] = 1000 * i;
  }
  for (int from = 0; from < KINDS; from++)
    for (int to = 0; to < CONSTANT; to++) {
      if (from == to)
        continue;
      if (from != CONSTANT)
        CHECK_OK(ka_copy(be, pieces.at[from], x, sizeof x));
      CHECK_OK(ka_copy(be, pieces.at[to], y, sizeof y));
      struct args_add_pair args = {
          {(int *)(void *)pieces.at[to], {(int *)(void *)pieces.at[from]}, COUNT}};
      CHECK_OK(ka__launch(be, ka_range(COUNT), test_kernel(K_add_pair), &args, sizeof args));
      CHECK_OK(LAUNCH(be, ka_range(1), slow, (int *)(void *)pieces.at[to], 1)); /* adds one */
      CHECK_OK(ka_copy(be, back, pieces.at[to], sizeof back));
      CHECK_OK(ka_synchronize(be));
      for (int i = 0; i < COUNT; i++)
        if (i != 1 && back[i] != y[i] + x[i] + (i == 0))
          test_fail(__FILE__, __LINE__, "%s to %s: element %d is %d", kind_names[from],
                    kind_names[to], i, back[i]);
    }
  CHECK_INT(pread(pieces.file, back, sizeof back, 0), sizeof back);
  CHECK_INT(back[99], y[99] + x[99]);
}

TEST(refuses_a_null_backend) {
  CHECK(!ka_alloc(NULL, 1));
  CHECK_MESSAGE("ka_alloc", "NULL");
}

TEST(knows_what_a_pointer_lies_in) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 100);
  void *base = NULL;
  size_t bytes = 0;
  CHECK(ka_allocation_of(p, &base, &bytes));
  CHECK(base == p);
  CHECK_INT(bytes, 100);
  base = NULL;
  CHECK(ka_allocation_of(p + 99, &base, NULL));
  CHECK(base == p);
  CHECK(ka_allocation_of(p + 99, NULL, NULL));
  CHECK(!ka_allocation_of(p + 100, NULL, NULL));
  CHECK(!ka_allocation_of(p - 1, NULL, NULL));
  CHECK(ka_backend_of(p + 50) == be);
  CHECK(!ka_backend_of(p + 100));
  CHECK(!ka_backend_of(NULL));
  CHECK_OK(ka_free(p));
  CHECK(!ka_allocation_of(p, NULL, NULL));
  CHECK(!ka_backend_of(p));
}

TEST(tells_kinds_apart) {
  ka_backend *be = test_backend();
  char *unified = ka_alloc(be, 100), *zeroed = ka_alloc_zeroed(be, 100);
  char *device = ka_alloc_device(be, 100), *host = malloc(100), stack[1];
  CHECK(unified && zeroed && device && host);
  CHECK_INT(ka_memory_kind_of(unified + 99), KA_MEMORY_UNIFIED);
  CHECK_INT(ka_memory_kind_of(unified + 100), KA_MEMORY_HOST);
  CHECK_INT(ka_memory_kind_of(zeroed), KA_MEMORY_UNIFIED);
  CHECK_INT(ka_memory_kind_of(device), KA_MEMORY_DEVICE);
  CHECK_INT(ka_memory_kind_of(device + 99), KA_MEMORY_DEVICE);
  CHECK_INT(ka_memory_kind_of(host), KA_MEMORY_HOST);
  CHECK_INT(ka_memory_kind_of(stack), KA_MEMORY_HOST);
  CHECK_INT(ka_memory_kind_of(NULL), KA_MEMORY_HOST);
  CHECK_OK(ka_free(device));
  CHECK_INT(ka_memory_kind_of(device), KA_MEMORY_HOST);
  free(host);
}

/* Against a plain list of what should be there, in an order that a fixed generator makes. */
TEST(keeps_account_of_thousands) {
  ka_backend *be = test_backend();
  enum { SLOTS = 4000, STEPS = 60000 };
  static struct {
    char *p;
    size_t bytes;
  } slots[SLOTS];
  unsigned random = 1;
  for (int step = 0; step < STEPS; step++) {
    random = random * 1664525u + 1013904223u;
    unsigned slot = (random >> 8) % SLOTS;
    if (slots[slot].p) {
      void *base;
      size_t bytes;
      CHECK(ka_allocation_of(slots[slot].p + (random >> 4) % slots[slot].bytes, &base, &bytes));
      CHECK(base == slots[slot].p);
      CHECK_INT(bytes, slots[slot].bytes);
      CHECK_OK(ka_free(slots[slot].p));
      CHECK(!ka_allocation_of(slots[slot].p, NULL, NULL));
      slots[slot].p = NULL;
    } else {
      slots[slot].bytes = 1 + (random >> 20) % 512;
      slots[slot].p = ka_alloc(be, slots[slot].bytes);
      CHECK(slots[slot].p);
    }
  }
  for (int slot = 0; slot < SLOTS; slot++)
    if (slots[slot].p)
      CHECK(ka_backend_of(slots[slot].p) == be);
}
