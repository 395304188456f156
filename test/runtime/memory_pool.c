/* The pool of freed memory: what it takes, what it gives, how much it keeps. */
#include "runtime/core/memory_pool.h"

#include "runtime/core/registry.h"
#include "test/runtime/support/fake_device.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stdlib.h>

/* What docs/design.md says. */
#define POOL_LIMIT  (FAKE_MEMORY / 32)
#define BLOCK_LIMIT (POOL_LIMIT / 4)

static ka_backend *with_pool(void) {
  setenv("KA_POOL", "1", 1);
  return test_backend();
}

TEST(freed_memory_is_used_again) {
  ka_backend *be = with_pool();
  char *p = ka_alloc(be, 65536);
  CHECK_OK(ka_free(p));
  for (int i = 0; i < 100; i++) {
    CHECK(ka_alloc(be, 65536) == p);
    void *base = NULL;
    size_t bytes = 0;
    CHECK(ka_allocation_of(p + 65535, &base, &bytes));
    CHECK(base == p);
    CHECK_INT(bytes, 65536);
    CHECK_OK(ka_free(p));
    CHECK(!ka_allocation_of(p, NULL, NULL));
    CHECK_STATUS(ka_free(p), KA_ERROR_INVALID_POINTER);
  }
  CHECK_INT(fake_device.allocs, 1);
  CHECK_INT(fake_device.frees, 0);
}

TEST(the_size_is_the_one_asked_for) {
  ka_backend *be = with_pool();
  char *p = ka_alloc(be, 1024);
  CHECK_OK(ka_free(p));
  CHECK(ka_alloc(be, 1000) == p); /* of one class */
  size_t bytes = 0;
  CHECK(ka_allocation_of(p, NULL, &bytes));
  CHECK_INT(bytes, 1000);
  CHECK(!ka_allocation_of(p + 1000, NULL, NULL));
  CHECK_OK(ka_free(p));
  char *q = ka_alloc(be, 100);
  CHECK(q != p);
}

TEST(blocks_are_little_larger_than_asked_for) {
  ka_backend *be = with_pool();
  fake_device.most_bytes = UINT64_MAX;
  for (size_t bytes = 0; bytes < 2 * BLOCK_LIMIT; bytes += 1 + bytes / 37) {
    void *p = ka_alloc(be, bytes);
    CHECK(p);
    uint64_t asked = fake_device.last_bytes;
    CHECK(asked >= bytes);
    CHECK(asked <= bytes + bytes / 8 + 64);
    CHECK(bytes <= BLOCK_LIMIT || asked == bytes);
  }
}

TEST(powers_of_two_are_not_enlarged) {
  ka_backend *be = with_pool();
  for (size_t bytes = 64; bytes <= BLOCK_LIMIT; bytes *= 2) {
    CHECK(ka_alloc(be, bytes));
    CHECK_INT(fake_device.last_bytes, bytes);
  }
}

TEST(large_blocks_go_back_at_once) {
  ka_backend *be = with_pool();
  CHECK_OK(ka_free(ka_alloc(be, BLOCK_LIMIT)));
  CHECK_INT(fake_device.frees, 0);
  CHECK_OK(ka_free(ka_alloc(be, BLOCK_LIMIT + 1)));
  CHECK_INT(fake_device.frees, 1);
}

TEST(memory_in_use_is_not_used_again) {
  ka_backend *be = with_pool();
  char *p = ka_alloc(be, 100);
  memcpy(p, "contents", 8);
  struct fake_arguments arguments = {.p = p};
  memcpy(arguments.expected, "contents", 8);
  fake_device.held = true;
  CHECK_OK(fake_launch(be, &arguments));
  CHECK_OK(ka_free(p));
  char *q = ka_alloc(be, 100);
  CHECK(q != p);
  memset(q, 0, 100);
  fake_device.held = false;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(fake_device.wrong, 0);
  CHECK(ka_alloc(be, 100) == p);
}

TEST(kinds_are_kept_apart) {
  ka_backend *be = with_pool();
  void *unified = ka_alloc(be, 100), *device = ka_alloc_device(be, 100);
  CHECK_OK(ka_free(unified));
  CHECK_OK(ka_free(device));
  CHECK(ka_alloc(be, 100) == unified);
  CHECK(ka_alloc_device(be, 100) == device);
  CHECK_INT(ka_memory_kind_of(unified), KA_MEMORY_UNIFIED);
  CHECK_INT(ka_memory_kind_of(device), KA_MEMORY_DEVICE);
}

/* Frees `count` allocations that were live together. */
static void free_many(ka_backend *be, size_t bytes, int count) {
  void **all = malloc((size_t)count * sizeof *all);
  for (int i = 0; i < count; i++)
    CHECK(all[i] = ka_alloc(be, bytes));
  for (int i = 0; i < count; i++) {
    CHECK_OK(ka_free(all[i]));
    CHECK(fake_device.bytes <= POOL_LIMIT + (uint64_t)(count - 1 - i) * bytes);
  }
  free(all);
}

TEST(the_pool_is_bounded) {
  ka_backend *be = with_pool();
  free_many(be, BLOCK_LIMIT, 10);
  CHECK(fake_device.bytes >= POOL_LIMIT / 2); /* and yet used */
  free_many(be, 1 << 20, 20);
  CHECK(fake_device.bytes >= POOL_LIMIT / 2);
  free_many(be, 1024, 12000);
  CHECK(fake_device.bytes >= POOL_LIMIT / 2);
}

TEST(allocations_of_0_bytes_are_bounded) {
  ka_backend *be = with_pool();
  enum { COUNT = 100000 };
  static void *all[COUNT];
  for (int i = 0; i < COUNT; i++)
    CHECK(all[i] = ka_alloc(be, 0));
  for (int i = 0; i < COUNT; i++)
    CHECK_OK(ka_free(all[i]));
  CHECK((uint64_t)(fake_device.allocs - fake_device.frees) <= POOL_LIMIT / 128);
}

TEST(what_is_not_used_any_more_makes_room) {
  ka_backend *be = with_pool();
  enum { OLD = 1 << 16, NEW = 3 << 15, COUNT = POOL_LIMIT / NEW * 3 / 4 };
  free_many(be, OLD, POOL_LIMIT / OLD - 2);
  free_many(be, NEW, COUNT); /* the hand sees that the old size is not used */
  free_many(be, NEW, COUNT);
  int allocs = fake_device.allocs;
  free_many(be, NEW, COUNT);
  CHECK_INT(fake_device.allocs, allocs);
}

TEST(the_pool_is_emptied_when_memory_runs_out) {
  ka_backend *be = with_pool();
  fake_device.most_bytes = 1 << 20;
  free_many(be, 1 << 16, 16);
  CHECK_INT(fake_device.frees, 0);
  void *p = ka_alloc(be, (1 << 20) - 4000); /* a class of more than there is */
  CHECK(p);
  CHECK_INT(fake_device.frees, 16);
  CHECK(!ka_alloc(be, 4001));
  CHECK_MESSAGE("ka_alloc: 4001 bytes on device 'fake': the fake device has no more");
  void *q = ka_alloc(be, 4000);
  CHECK(q);
  CHECK_OK(ka_free(p));
  CHECK(ka_alloc(be, 4001));
}

TEST(memory_in_use_is_waited_for_when_memory_runs_out) {
  ka_backend *be = with_pool();
  fake_device.most_bytes = 1 << 20;
  for (int i = 0; i < 100; i++) {
    uint64_t *p = ka_alloc(be, (1 << 20) - 64);
    CHECK(p);
    *p = (uint64_t)i;
    CHECK_OK(fake_launch(be, &(struct fake_arguments){.p = p, .expected = {*p}}));
    CHECK_OK(ka_free(p));
  }
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(fake_device.wrong, 0);
}

TEST(it_can_be_switched_off) {
  setenv("KA_POOL", "0", 1);
  ka_backend *be = test_backend();
  CHECK_OK(ka_free(ka_alloc(be, 1000)));
  CHECK_INT(fake_device.last_bytes, 1000);
  CHECK_INT(fake_device.frees, 1);
}

/* ---- Quarantine ---- */

TEST(quarantine_tells_what_was_freed) {
  ka__memory_pool_choose(KA__MEMORY_POOL_QUARANTINE);
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 1000);
  struct ka__place place = {0};
  CHECK(!ka__registry_find_freed(p, &place));
  CHECK_OK(ka_free(p));
  for (int i = 0; i < 1000; i++) {
    char *q = ka_alloc(be, 1000);
    CHECK(q != p);
    CHECK_OK(ka_free(q));
  }
  CHECK(ka__registry_find_freed(p + 999, &place));
  CHECK(place.base == p);
  CHECK_INT(place.bytes, 1000);
  CHECK(!ka__registry_find_freed(p + 1000, &place));
  CHECK_INT(fake_device.frees, 0);
}

TEST(quarantine_is_bounded_and_lets_the_oldest_go) {
  ka__memory_pool_choose(KA__MEMORY_POOL_QUARANTINE);
  ka_backend *be = test_backend();
  enum { BYTES = POOL_LIMIT / 16 };
  char *all[20];
  struct ka__place place;
  for (int i = 0; i < 20; i++) {
    all[i] = ka_alloc(be, BYTES);
    CHECK_OK(ka_free(all[i]));
    CHECK(fake_device.bytes <= POOL_LIMIT);
  }
  int kept = 20 - fake_device.frees;
  CHECK(kept >= 13 && kept <= 15);
  for (int i = 0; i < 20; i++) {
    /* What was let go may have been allocated again. */
    bool there = false;
    for (int k = 20 - kept; k < 20; k++)
      there |= all[k] == all[i];
    CHECK_INT(ka__registry_find_freed(all[i], &place), there);
  }
}

TEST(quarantine_ends_when_memory_runs_out) {
  ka__memory_pool_choose(KA__MEMORY_POOL_QUARANTINE);
  ka_backend *be = test_backend();
  fake_device.most_bytes = 1 << 20;
  for (int i = 0; i < 100; i++) {
    void *p = ka_alloc(be, 1 << 18);
    CHECK(p);
    CHECK_OK(ka_free(p));
  }
}

/* ---- Threads ---- */

enum { THREADS = 8, HELD = 16, SIZES = 4 };

/* Nobody gets what somebody else has. */
static void *allocate_and_free(void *argument) {
  ka_backend *be = ka_default_backend();
  uint64_t random = (uintptr_t)argument + 1;
  enum { ROUNDS = 20000 };
  struct {
    uint64_t *memory, contents;
  } held[HELD] = {0};
  for (int round = 0; round < ROUNDS; round++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    size_t i = (random >> 33) % HELD;
    if (held[i].memory) {
      CHECK(*held[i].memory == held[i].contents);
      CHECK_OK(ka_free(held[i].memory));
    }
    held[i].memory = ka_alloc(be, 8 + (random >> 40) % SIZES * 100);
    CHECK(held[i].memory);
    *held[i].memory = held[i].contents = random;
  }
  for (int i = 0; i < HELD; i++)
    CHECK_OK(ka_free(held[i].memory));
  return NULL;
}

TEST(threads_share_it) {
  with_pool();
  pthread_t threads[THREADS];
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, allocate_and_free, (void *)t), 0); /* NOLINT */
  for (int t = 0; t < THREADS; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  CHECK(fake_device.allocs <= THREADS * HELD * SIZES);
}

/* A pool that is always too full: threads give back what others take. */
static void *overflow(void *argument) {
  ka_backend *be = ka_default_backend();
  uint64_t random = (uintptr_t)argument + 1;
  enum { ROUNDS = 2000 };
  char *held[HELD] = {0};
  for (int round = 0; round < ROUNDS; round++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    size_t i = (random >> 33) % HELD;
    CHECK_OK(ka_free(held[i]));
    held[i] = ka_alloc(be, 1 + (random >> 40) % BLOCK_LIMIT / 8);
    CHECK(held[i]);
    held[i][0] = 1;
  }
  for (int i = 0; i < HELD; i++)
    CHECK_OK(ka_free(held[i]));
  return NULL;
}

TEST(threads_share_it_when_it_is_full) {
  with_pool();
  pthread_t threads[THREADS];
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, overflow, (void *)t), 0); /* NOLINT */
  for (int t = 0; t < THREADS; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  CHECK(fake_device.frees > 0);
  CHECK(fake_device.bytes <= POOL_LIMIT);
}
