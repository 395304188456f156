/* What a launch was given stays until it has completed, wherever and whenever the program frees it:
 * on a device whose operations run late and look at their memory. */
#include "test/runtime/support/fake_device.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Which pointers count ---- */

/* Each pointer by itself keeps its memory. */
static void check_kept(ka_backend *be, void *memory, const struct fake_arguments *arguments) {
  int frees = fake_device.frees;
  fake_device.held = true;
  CHECK_OK(fake_launch(be, arguments));
  CHECK_OK(ka_free(memory));
  CHECK(!ka_allocation_of(memory, NULL, NULL));
  CHECK_INT(fake_device.frees, frees);
  fake_device.held = false;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(fake_device.frees, frees + 1);
  CHECK_INT(fake_device.wrong, 0);
}

TEST(every_kind_of_pointer_keeps_memory) {
  ka_backend *be = test_backend();
  static const size_t sizes[] = {8, 64, 100, 4096, 100000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t offsets[] = {0, 1, sizes[s] / 2, sizes[s] - 1, sizes[s]};
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
      for (int which = 0; which < 6; which++) {
        bool again = which >= 3; /* the queue has met the pointer before */
        char *memory = ka_alloc(be, sizes[s]);
        CHECK(memory);
        memcpy(memory, "contents", 8);
        struct fake_arguments arguments = {0};
        const char *pointer = memory + offsets[o];
        if (which % 3 == 0)
          arguments.p = pointer;
        else if (which % 3 == 1)
          arguments.in.q = pointer;
        else
          arguments.in.r = pointer;
        arguments.back[which % 3] = offsets[o];
        memcpy(&arguments.expected[which % 3], "contents", 8);
        if (again) {
          CHECK_OK(fake_launch(be, &arguments));
          CHECK_OK(ka_synchronize(be));
        }
        check_kept(be, memory, &arguments);
      }
  }
}

TEST(an_allocation_of_0_bytes_is_kept) {
  ka_backend *be = test_backend();
  fake_device.next_address = 0x10000; /* nothing there may be read */
  void *memory = ka_alloc(be, 0);
  check_kept(be, memory, &(struct fake_arguments){.p = memory});
}

TEST(what_lies_beyond_the_end_is_not_its_memory) {
  ka_backend *be = test_backend();
  char *memory = ka_alloc(be, 100);
  struct fake_arguments arguments = {.p = memory + 101};
  CHECK_STATUS(fake_launch(be, &arguments), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'look', parameter 'p'");
  arguments = (struct fake_arguments){.in.r = memory - 1};
  CHECK_STATUS(fake_launch(be, &arguments), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'in.r'");
  CHECK_OK(ka_free(memory));
  arguments = (struct fake_arguments){.p = memory};
  CHECK_STATUS(fake_launch(be, &arguments), KA_ERROR_INVALID_POINTER);
}

/* Two allocations without a gap; the address between them is the end of one and the start of the
 * other. */
static void check_neighbours(bool second_first) {
  ka_backend *be = test_backend();
  enum { START = 0x7000000, BYTES = 128 };
  char *memory[2];
  for (int i = 0; i < 2; i++) {
    int which = second_first ? 1 - i : i;
    fake_device.next_address = START + which * BYTES;
    memory[which] = ka_alloc(be, BYTES);
  }
  CHECK(memory[0] + BYTES == memory[1]);
  void *base;
  CHECK(ka_allocation_of(memory[1], &base, NULL));
  CHECK(base == memory[1]);
  fake_device.held = true;
  CHECK_OK(fake_launch(be, &(struct fake_arguments){.p = memory[1]}));
  CHECK_OK(ka_free(memory[0]));
  CHECK_OK(ka_free(memory[1]));
  CHECK_INT(fake_device.frees, 0);
  fake_device.held = false;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(fake_device.frees, 2);
}

TEST(an_end_that_is_a_start_keeps_both) { check_neighbours(false); }
TEST(a_start_that_is_an_end_keeps_both) { check_neighbours(true); }

static char *alloc_at(ka_backend *be, uintptr_t address, size_t bytes) {
  fake_device.next_address = address;
  char *memory = ka_alloc(be, bytes);
  CHECK((uintptr_t)memory == address);
  return memory;
}

static ka_status launch_with(ka_backend *be, const char *pointer) {
  ka_status status = fake_launch(be, &(struct fake_arguments){.p = pointer});
  if (status == KA_OK)
    CHECK_OK(ka_synchronize(be));
  return status;
}

/* That a queue has found something at an address says nothing of what is there now. */
TEST(an_address_is_of_one_allocation_after_another) {
  enum { START = 0x7000000, BYTES = 128 };
  ka_backend *be = test_backend();
  char *memory = alloc_at(be, START, BYTES);
  const struct fake_arguments at_start = {.p = memory}, inside = {.p = memory + 64};
  CHECK_OK(launch_with(be, at_start.p));
  CHECK_OK(launch_with(be, inside.p));
  /* Another one now ends there. */
  char *ends_there = alloc_at(be, START - BYTES, BYTES);
  fake_device.held = true;
  CHECK_OK(fake_launch(be, &at_start));
  CHECK_OK(ka_free(ends_there));
  CHECK_OK(ka_free(memory));
  CHECK_INT(fake_device.frees, 0);
  /* Nothing is there, but the record is what it was. */
  CHECK_STATUS(fake_launch(be, &inside), KA_ERROR_INVALID_POINTER);
  fake_device.held = false;
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(fake_device.frees, 2);
  CHECK_STATUS(fake_launch(be, &at_start), KA_ERROR_INVALID_POINTER);
  /* The records are those of memory on both sides, and then of some all around. */
  char *sides[] = {alloc_at(be, START - 2 * BYTES, BYTES), alloc_at(be, START + BYTES, BYTES)};
  for (int i = 0; i < 2; i++)
    CHECK_OK(launch_with(be, sides[i]));
  CHECK_STATUS(fake_launch(be, &at_start), KA_ERROR_INVALID_POINTER);
  CHECK_STATUS(fake_launch(be, &inside), KA_ERROR_INVALID_POINTER);
  for (int i = 0; i < 2; i++)
    CHECK_OK(ka_free(sides[i]));
  CHECK_INT(fake_device.frees, 4);
  char *around = alloc_at(be, START - BYTES, 3 * BYTES);
  CHECK_OK(launch_with(be, around));
  check_kept(be, around, &inside);
}

/* ---- Very large and very many ---- */

static void check_found(const char *start, size_t bytes, bool live) {
  for (size_t at = 0; at < bytes; at = at * 3 / 2 + 61) {
    void *base = NULL;
    size_t size = 0;
    CHECK_INT(ka_allocation_of(start + at, &base, &size), live);
    CHECK(!live || (base == start && size == bytes));
  }
  CHECK_INT(ka_allocation_of(start + bytes - 1, NULL, NULL), live);
  CHECK(!ka_allocation_of(start + bytes, NULL, NULL));
  CHECK(!ka_allocation_of(start - 1, NULL, NULL));
}

TEST(a_huge_allocation_is_found_everywhere) {
  ka_backend *be = test_backend();
  fake_device.most_bytes = UINT64_MAX;
  const size_t huge = ((size_t)300 << 30) + 3 * 64;
  const uintptr_t start = ((uintptr_t)1 << 46) - 5 * 64;
  for (int round = 0; round < 3; round++) {
    fake_device.next_address = start;
    char *memory = ka_alloc(be, huge);
    CHECK((uintptr_t)memory == start);
    check_found(memory, huge, true);
    CHECK_OK(ka_free(memory));
    check_found(memory, huge, false);
    /* Small ones where it was. */
    fake_device.next_address = start + 4096;
    char *small[100];
    for (int i = 0; i < 100; i++)
      small[i] = ka_alloc(be, 192);
    for (int i = 0; i < 100; i++) {
      void *base = NULL;
      CHECK(ka_allocation_of(small[i] + 191, &base, NULL));
      CHECK(base == small[i]);
      CHECK_OK(ka_free(small[i]));
    }
    check_found(memory, huge, false);
  }
}

TEST(addresses_that_no_program_has_are_nobodys) {
  static const uintptr_t addresses[] = {0,          1, 63, 64, (uintptr_t)1 << 57, UINTPTR_MAX - 63,
                                        UINTPTR_MAX};
  CHECK(ka_alloc(test_backend(), 10));
  for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
    const void *pointer = (const void *)addresses[i]; /* NOLINT(performance-no-int-to-ptr) */
    CHECK(!ka_allocation_of(pointer, NULL, NULL));
  }
}

TEST(a_device_beyond_all_addresses_is_refused) {
  ka_backend *be = test_backend();
  fake_device.next_address = ((uintptr_t)1 << 57) - 64;
  CHECK(!ka_alloc(be, 128));
  CHECK_MESSAGE("ka_alloc", "keep account");
  CHECK(ka_alloc(be, 0) == NULL); /* the next address, beyond them too */
}

/* Sanitizers make each launch many times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* 65 GB pass through; never waits. */
static void check_bounded(const char *pool) {
  setenv("KA_POOL", pool, 1);
  ka_backend *be = test_backend();
  fake_device.immediate = true;
  enum { LAUNCHES = SANITIZED ? 40000 : 1000000, WARM = 10000, BYTES = 65536 };
  long before = 0;
  for (int i = 0; i < LAUNCHES; i++) {
    char *memory = ka_alloc(be, BYTES);
    CHECK(memory);
    memcpy(memory, "contents", 8);
    struct fake_arguments arguments = {.p = memory, .in.q = memory + BYTES, .back = {0, BYTES}};
    memcpy(&arguments.expected[0], "contents", 8);
    arguments.expected[1] = arguments.expected[0];
    CHECK_OK(fake_launch(be, &arguments));
    CHECK_OK(ka_free(memory));
    if (i == WARM)
      before = test_resident_kilobytes();
  }
  CHECK_OK(ka_synchronize(be));
  long after = test_resident_kilobytes();
  printf("%ld KB after %d launches, %ld KB after %d\n", before, WARM, after, LAUNCHES);
  CHECK(after < before + 2048);
  CHECK_INT(fake_device.wrong, 0);
}

TEST(a_million_launches_stay_bounded) { check_bounded("0"); }
TEST(a_million_launches_stay_bounded_with_the_pool) { check_bounded("1"); }

/* ---- Several threads ---- */

enum { THREADS = 10 };

static pthread_barrier_t barrier;

static void in_threads(void *(*run)(void *)) {
  CHECK_INT(pthread_barrier_init(&barrier, NULL, THREADS + 1), 0);
  pthread_t threads[THREADS];
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, run, (void *)t), 0); /* NOLINT */
  for (int round = 0; round < THREADS; round++)
    for (int step = 0; step < 4; step++)
      pthread_barrier_wait(&barrier);
  for (int t = 0; t < THREADS; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
}

static char *shared;

/* In each round all threads use one allocation, and one of them is last: the memory is there until
 * that one has completed. */
static void *be_last_once(void *argument) {
  uintptr_t me = (uintptr_t)argument;
  ka_backend *be = ka_default_backend();
  for (uintptr_t round = 0; round < THREADS; round++) {
    bool last = round == me;
    int frees = fake_device.frees;
    if (last) {
      shared = ka_alloc(be, 100);
      memcpy(shared, "contents", 8);
      fake_device.held_tag = me + 1;
      fake_device.held = true;
    }
    pthread_barrier_wait(&barrier); /* step 1: there is memory */
    struct fake_arguments arguments = {.p = shared, .tag = me + 1};
    memcpy(arguments.expected, "contents", 8);
    CHECK_OK(fake_launch(be, &arguments));
    if (!last)
      CHECK_OK(ka_synchronize(be));
    pthread_barrier_wait(&barrier); /* step 2: one operation is left */
    if (last) {
      CHECK_OK(ka_free(shared));
      CHECK_INT(fake_device.frees, frees);
    }
    pthread_barrier_wait(&barrier); /* step 3: it is freed */
    if (last) {
      fake_device.held = false;
      CHECK_OK(ka_synchronize(be));
      CHECK_INT(fake_device.frees, frees + 1);
    }
    pthread_barrier_wait(&barrier); /* step 4: it is gone */
  }
  return NULL;
}

TEST(memory_waits_for_the_last_of_many_queues) {
  in_threads(be_last_once);
  CHECK_INT(fake_device.wrong, 0);
}

static _Atomic int freed;

static void *free_together(void *argument) {
  uintptr_t me = (uintptr_t)argument;
  ka_backend *be = ka_default_backend();
  for (uintptr_t round = 0; round < THREADS; round++) {
    if (round == me) {
      shared = ka_alloc(be, 100);
      freed = 0;
    }
    pthread_barrier_wait(&barrier);
    ka_status status = ka_free(shared);
    if (status == KA_OK)
      freed++;
    else
      CHECK_STATUS(status, KA_ERROR_INVALID_POINTER);
    pthread_barrier_wait(&barrier);
    CHECK_INT(freed, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

TEST(only_one_of_many_threads_frees) { in_threads(free_together); }

/* Threads fill memory, launch with it, hand it to each other and free it, in an order that a seed
 * decides. Each launch expects to find what was put in. */
struct piece {
  char *memory;
  size_t bytes;
  uint64_t contents;
};

static struct {
  pthread_mutex_t lock;
  struct piece piece;
} places[8];

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static struct piece make_piece(ka_backend *be, uint64_t *random) {
  struct piece piece = {.bytes = 16 + next_random(random) % 3000, .contents = *random};
  piece.memory = ka_alloc(be, piece.bytes);
  CHECK(piece.memory);
  for (size_t i = 0; i + 8 <= piece.bytes; i += 8)
    memcpy(piece.memory + i, &piece.contents, 8);
  return piece;
}

static void add_argument(struct fake_arguments *arguments, int which, const struct piece *piece,
                         uint64_t *random) {
  size_t words = piece->bytes / 8, at = next_random(random) % words * 8;
  bool end = next_random(random) % 4 == 0;
  const char *pointer = end ? piece->memory + piece->bytes : piece->memory + at;
  if (which == 0)
    arguments->p = pointer;
  else if (which == 1)
    arguments->in.q = pointer;
  else
    arguments->in.r = pointer;
  arguments->back[which] = end ? piece->bytes - at : 0;
  arguments->expected[which] = piece->contents;
}

static void *play(void *argument) {
  uint64_t random = (uintptr_t)argument * 7919 + 17;
  ka_backend *be = ka_default_backend();
  enum { ROUNDS = 1500, MINE = 4 };
  struct piece mine[MINE];
  for (int i = 0; i < MINE; i++)
    mine[i] = make_piece(be, &random);
  for (int round = 0; round < ROUNDS; round++) {
    struct fake_arguments arguments = {0};
    for (int which = 0; which < 3; which++)
      add_argument(&arguments, which, &mine[next_random(&random) % MINE], &random);
    CHECK_OK(fake_launch(be, &arguments));
    struct piece *piece = &mine[next_random(&random) % MINE];
    size_t place = next_random(&random) % (sizeof places / sizeof *places);
    switch (next_random(&random) % 4) {
    case 0: /* give it to another thread, and take what is there */
      pthread_mutex_lock(&places[place].lock);
      struct piece other = places[place].piece;
      places[place].piece = *piece;
      pthread_mutex_unlock(&places[place].lock);
      *piece = other.memory ? other : make_piece(be, &random);
      break;
    case 1: /* scribble over new memory that may be what was freed */
      CHECK_OK(ka_free(piece->memory));
      *piece = make_piece(be, &random);
      break;
    case 2:
      CHECK_STATUS(ka_free(piece->memory + 8), KA_ERROR_INVALID_POINTER);
      break;
    default:
      if (next_random(&random) % 16 == 0)
        CHECK_OK(ka_synchronize(be));
    }
  }
  for (int i = 0; i < MINE; i++)
    CHECK_OK(ka_free(mine[i].memory));
  CHECK_OK(ka_synchronize(be));
  return NULL;
}

static void check_play(const char *pool) {
  setenv("KA_POOL", pool, 1);
  ka_backend *be = test_backend();
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    pthread_mutex_init(&places[i].lock, NULL);
  pthread_t threads[THREADS];
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK_INT(pthread_create(&threads[t], NULL, play, (void *)t), 0); /* NOLINT */
  for (int t = 0; t < THREADS; t++)
    CHECK_INT(pthread_join(threads[t], NULL), 0);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    CHECK_OK(ka_free(places[i].piece.memory));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(fake_device.wrong, 0);
  if (strcmp(pool, "0") == 0)
    CHECK_INT(fake_device.bytes, 0);
}

TEST(threads_that_share_memory_find_it_unchanged) { check_play("0"); }
TEST(threads_that_share_memory_find_it_unchanged_with_the_pool) { check_play("1"); }
