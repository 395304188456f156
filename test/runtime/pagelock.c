/* ka_pagelock, over two backends that do nothing else: one that can lock pages, and one that has
 * no use for it. */
#include "test/runtime/support/empty_backend.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- The backends ---- */

static struct {
  int locks, unlocks, device;
  void *pointer;
  size_t bytes;
  ka_status answer;
} seen;

static ka_status open_backend(ka_backend *backend) {
  struct ka__device *devices = calloc(2, sizeof *devices);
  CHECK(devices);
  for (int d = 0; d < 2; d++) {
    ka__device_init(&devices[d], backend, d);
    devices[d].properties = (ka_device_properties){.name = "plain",
                                                   .memory_bytes = 1 << 30,
                                                   .max_alloc_bytes = 1 << 30,
                                                   .unified = true,
                                                   .host_pointers = true};
  }
  backend->devices = devices;
  backend->device_count = 2;
  return KA_OK;
}

static ka_status note(struct ka__device *device, void *pointer, size_t bytes, int *count) {
  if (seen.answer != KA_OK)
    return ka__fail(seen.answer, "the driver says no");
  ++*count;
  seen.device = device->number;
  seen.pointer = pointer;
  seen.bytes = bytes;
  return KA_OK;
}

static ka_status lock_pages(struct ka__device *device, void *pointer, size_t bytes) {
  return note(device, pointer, bytes, &seen.locks);
}

static ka_status unlock_pages(struct ka__device *device, void *pointer, size_t bytes) {
  return note(device, pointer, bytes, &seen.unlocks);
}

static const struct ka__backend_table locking = {.name = "locking",
                                                 .image = "none",
                                                 .open = open_backend,
                                                 .alloc = empty_alloc,
                                                 .free = empty_free,
                                                 .pagelock = lock_pages,
                                                 .pageunlock = unlock_pages};
static const struct ka__backend_table plain = {.name = "plain",
                                               .image = "none",
                                               .open = open_backend,
                                               .alloc = empty_alloc,
                                               .free = empty_free};

/* Takes the place of libka's own list. */
const struct ka__backend_table *const ka__backend_tables[] = {&locking, &plain, NULL};

/* ---- Tests ---- */

TEST(asks_the_driver) {
  ka_backend *be = ka_backend_open("locking");
  char *p = malloc(10000), stack[100];
  CHECK_OK(ka_pagelock(be, p + 5, 9000));
  CHECK_INT(seen.locks, 1);
  CHECK(seen.pointer == p + 5);
  CHECK_INT(seen.bytes, 9000);
  CHECK_INT(seen.device, 0);
  CHECK_OK(ka_pagelock(be, stack, sizeof stack));
  CHECK_OK(ka_set_device(be, 1));
  CHECK_OK(ka_pageunlock(be, p + 5));
  CHECK_INT(seen.unlocks, 1);
  CHECK(seen.pointer == p + 5);
  CHECK_INT(seen.bytes, 9000);
  CHECK_INT(seen.device, 0); /* the one that it was locked for */
  CHECK_OK(ka_pagelock(be, p + 5, 9000));
  CHECK_INT(seen.device, 1);
  CHECK_OK(ka_pageunlock(be, stack));
  CHECK_OK(ka_pageunlock(be, p + 5));
  CHECK_INT(seen.locks, 3);
  CHECK_INT(seen.unlocks, 3);
  free(p);
}

TEST(a_backend_may_do_nothing) {
  ka_backend *be = ka_backend_open("plain");
  static const char text[] = "constants may be copied from, too";
  CHECK_OK(ka_pagelock(be, (void *)text, sizeof text));
  CHECK_STATUS(ka_pagelock(be, (void *)text, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_OK(ka_pageunlock(be, (void *)text));
  CHECK_STATUS(ka_pageunlock(be, (void *)text), KA_ERROR_INVALID_POINTER);
}

TEST(locks_nothing) {
  ka_backend *be = ka_backend_open("locking");
  char p[1];
  CHECK_OK(ka_pagelock(be, p, 0));
  CHECK_OK(ka_pageunlock(be, p));
  CHECK_INT(seen.locks + seen.unlocks, 0);
  CHECK_STATUS(ka_pageunlock(be, p), KA_ERROR_INVALID_POINTER);
}

TEST(refuses_to_lock_twice) {
  ka_backend *be = ka_backend_open("locking"), *other = ka_backend_open("plain");
  char p[1000];
  CHECK_OK(ka_pagelock(be, p + 100, 100));
  for (int at = 50; at <= 150; at += 50) {
    CHECK_STATUS(ka_pagelock(be, p + at, 100), KA_ERROR_INVALID_ARGUMENT);
    CHECK_MESSAGE("ka_pagelock", "locked already", "100 bytes", "ka_pageunlock");
  }
  CHECK_STATUS(ka_pagelock(be, p, 1000), KA_ERROR_INVALID_ARGUMENT);
  CHECK_OK(ka_pagelock(be, p, 100));
  CHECK_OK(ka_pagelock(be, p + 200, 100));
  CHECK_INT(seen.locks, 3);
  CHECK_OK(ka_pagelock(other, p + 100, 100)); /* a driver of its own */
  CHECK_OK(ka_pageunlock(be, p + 100));
  CHECK_OK(ka_pagelock(be, p + 150, 20));
}

TEST(refuses_what_is_not_memory) {
  ka_backend *be = ka_backend_open("locking");
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(p != MAP_FAILED);
  CHECK_INT(munmap(p + 2 * page, page), 0);
  CHECK_OK(ka_pagelock(be, p + 10, 2 * page - 10));
  CHECK_OK(ka_pageunlock(be, p + 10));
  CHECK_STATUS(ka_pagelock(be, p + 10, 2 * page), KA_ERROR_INVALID_POINTER);
  char expected[64];
  snprintf(expected, sizeof expected, "only the first %zu are memory", 2 * page - 10);
  CHECK_MESSAGE("ka_pagelock", expected);
  CHECK_STATUS(ka_pagelock(be, p + 2 * page, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("only the first 0 are memory");
  CHECK_STATUS(ka_pagelock(be, NULL, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("the pointer is NULL");
  CHECK_STATUS(ka_pagelock(be, p, SIZE_MAX), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("beyond the end of memory");
  CHECK_STATUS(ka_pagelock(NULL, p, 1), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_pagelock: the backend is NULL");
  CHECK_STATUS(ka_pageunlock(NULL, p), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_pageunlock: the backend is NULL");
  CHECK_STATUS(ka_pageunlock(be, p), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("no memory from", "is locked");
  CHECK_INT(seen.locks, 1);
}

TEST(refuses_memory_of_ka) {
  ka_backend *be = ka_backend_open("locking");
  char *p = ka_alloc(be, 100);
  CHECK_STATUS(ka_pagelock(be, p + 10, 10), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("memory of ka_alloc", "needs no locking");
  CHECK_OK(ka_free(p));
}

TEST(a_driver_that_refuses_changes_nothing) {
  ka_backend *be = ka_backend_open("locking");
  char p[100];
  seen.answer = KA_ERROR_OUT_OF_DEVICE_MEMORY;
  CHECK_STATUS(ka_pagelock(be, p, 100), KA_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_MESSAGE("ka_pagelock: 100 bytes", "device 'plain'", "the driver says no");
  seen.answer = KA_OK;
  CHECK_OK(ka_pagelock(be, p, 100));
  seen.answer = KA_ERROR_DRIVER;
  CHECK_STATUS(ka_pageunlock(be, p), KA_ERROR_DRIVER);
  CHECK_MESSAGE("ka_pageunlock", "the driver says no");
  seen.answer = KA_OK;
  CHECK_OK(ka_pageunlock(be, p));
}
