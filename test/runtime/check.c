/* KA_CHECK=1, which CTest sets for all of these. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void count_up(unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = (unsigned char)(i * 7 + i / 256);
}

/* A kernel that runs for a while, so that what follows in the queue has not begun. */
static void keep_busy(ka_backend *be, int *busy) {
  CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, test_slow_rounds(be, 30)));
}

/* ---- Freed memory ---- */

TEST(finds_freed_arguments) {
  ka_backend *be = test_backend();
  float *x = ka_alloc_zeroed(be, 400), *y = ka_alloc_zeroed(be, 400);
  CHECK_OK(ka_free(x));
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, x, y), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'saxpy', parameter 'x'", "points 0 bytes into an allocation of 400 bytes",
                "freed");
  CHECK_STATUS(LAUNCH(be, ka_range(1), saxpy, 1.0f, y, x + 30), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'saxpy', parameter 'y'", "points 120 bytes into an allocation of 400 bytes",
                "freed");
  CHECK_OK(LAUNCH(be, ka_range(1), saxpy, 1.0f, y, y + 30));
  CHECK_OK(ka_synchronize(be));
}

TEST(finds_freed_pointers_inside_structs) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 40), *q = ka_alloc_zeroed(be, 80);
  CHECK_OK(ka_free(q));
  struct args_add_pair args = {{p, {q + 2}, 1}};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'add_pair', parameter 'pair.in.q'",
                "points 8 bytes into an allocation of 80 bytes", "freed");
}

TEST(finds_freed_memory_that_is_still_in_use) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  keep_busy(be, p);
  CHECK_OK(ka_free(p));
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'p'", "freed");
  CHECK_OK(ka_synchronize(be));
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_INVALID_POINTER);
}

TEST(finds_copies_and_fills_of_freed_memory) {
  ka_backend *be = test_backend();
  static void *(*const allocs[])(ka_backend *, size_t) = {ka_alloc, ka_alloc_zeroed,
                                                          ka_alloc_device};
  for (int a = 0; a < 3; a++) {
    char *p = allocs[a](be, 100), host[100] = {0};
    CHECK_OK(ka_free(p));
    CHECK_STATUS(ka_copy(be, p + 10, host, 5), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("ka_copy: the destination", "points 10 bytes into an allocation of 100 bytes",
                  "freed");
    CHECK_STATUS(ka_copy(be, host, p, 100), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("ka_copy: the source", "points 0 bytes into an allocation of 100 bytes", "freed");
    CHECK_STATUS(ka_fill(be, p + 99, host, 1, 1), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("ka_fill: the destination", "points 99 bytes into", "freed");
  }
}

TEST(does_not_use_an_address_again_at_once) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 5000);
  CHECK_OK(ka_free(p));
  for (int i = 0; i < 1000; i++) {
    char *q = ka_alloc(be, 5000);
    CHECK(q && q != p);
    CHECK_OK(ka_free(q));
  }
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, (int *)(void *)p, 1), KA_ERROR_INVALID_POINTER);
}

/* Freed memory that is kept does not fill the machine. */
TEST(keeps_freed_memory_within_bounds) {
  ka_backend *be = test_backend();
  ka_device_properties properties;
  CHECK_OK(ka_device_info(be, 0, &properties));
  const size_t bytes = (size_t)64 << 20;
  for (uint64_t done = 0; done < 2 * properties.memory_bytes; done += bytes) {
    char *p = ka_alloc(be, bytes);
    CHECK(p);
    p[0] = 1;
    CHECK_OK(ka_free(p));
  }
}

/* ---- Memory of the host ---- */

TEST(finds_memory_that_is_not_mapped) {
  ka_backend *be = test_backend();
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(p != MAP_FAILED);
  CHECK_INT(munmap(p + page, page), 0);
  char *to = ka_alloc(be, 3 * page);
  CHECK_OK(ka_copy(be, to, p, page));
  CHECK_OK(ka_synchronize(be));
  CHECK_STATUS(ka_copy(be, to, p + page - 8, 9), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the source", "can be read for 8 bytes only, not for 9");
  CHECK_STATUS(ka_copy(be, p + page, to, 4), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the destination", "for 0 bytes only, not for 4");
  CHECK_STATUS(ka_fill(be, p, to, 3, page), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_fill: the destination", "bytes only");
  CHECK_STATUS(LAUNCH(be, ka_range(1), slow, (int *)(void *)(p + page), 1),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'slow', parameter 'p'", "leads to no memory");
  struct args_add_pair args = {{(int *)8, {(int *)(void *)to}, 1}};
  CHECK_STATUS(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("kernel 'add_pair', parameter 'pair.p'", "0x8 leads to no memory");
}

TEST(finds_writes_to_constants) {
  ka_backend *be = test_backend();
  static const char constant[100] = {1};
  char *p = ka_alloc(be, 100);
  CHECK_OK(ka_copy(be, p, constant, 100));
  CHECK_STATUS(ka_copy(be, (char *)constant, p, 100), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the destination", "cannot be written from its byte 0 of 100 on");
  CHECK_STATUS(ka_fill(be, (char *)constant, p, 1, 100), KA_ERROR_INVALID_POINTER);
  CHECK_OK(ka_synchronize(be));
}

TEST(finds_ranges_that_reach_into_memory_of_ka) {
  ka_backend *be = test_backend();
  char *p = ka_alloc(be, 1000), host[300];
  CHECK_STATUS(ka_copy(be, host, p - 100, 101), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy: the source", "does not lie in memory of ka",
                "100 bytes on there begins an allocation of 1000 bytes", "101 bytes would reach");
  CHECK_STATUS(ka_fill(be, p - 100, host, 1, 300), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_fill: the destination", "100 bytes on");
}

/* ---- Sources of copies ---- */

enum { N = 100000 };

/* Of any size: nothing else can begin there. */
TEST(finds_copies_and_fills_at_the_end_of_an_allocation) {
  ka_backend *be = test_backend();
  char x[8] = {0};
  for (size_t bytes = 0; bytes <= 1 << 20; bytes = bytes ? 4 * bytes : 16) {
    char *p = ka_alloc(be, bytes);
    CHECK_STATUS(ka_copy(be, p + bytes, x, 1), KA_ERROR_INVALID_POINTER);
    CHECK_MESSAGE("reach beyond its allocation of");
    CHECK_STATUS(ka_copy(be, x, p + bytes, 1), KA_ERROR_INVALID_POINTER);
    CHECK_STATUS(ka_fill(be, p + bytes, x, 2, 4), KA_ERROR_INVALID_POINTER);
    CHECK_OK(ka_free(p));
  }
}

TEST(finds_a_source_that_is_changed_too_early) {
  ka_backend *be = test_backend();
  static unsigned char from[N], before[10];
  count_up(from, N);
  unsigned char *to = ka_alloc(be, N);
  CHECK_OK(ka_copy(be, to + 10, before, sizeof before));
  CHECK_OK(ka_copy(be, to, from, N));
  from[N - 1]++;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_POINTER);
  char expected[100];
  snprintf(expected, sizeof expected, "ka_copy of %d bytes from %p to %p", N, (void *)from,
           (void *)to);
  CHECK_MESSAGE(expected, "the source was changed", "ka_synchronize", "ka_alloc");
  CHECK_OK(ka_synchronize(be)); /* once */
  CHECK_OK(ka_copy(be, to, from, N));
  CHECK_OK(ka_synchronize(be));
  from[0]++; /* not too early */
  CHECK_OK(ka_synchronize(be));
}

TEST(finds_the_first_of_several) {
  ka_backend *be = test_backend();
  static unsigned char from[3][50];
  unsigned char *to = ka_alloc(be, 50);
  for (int i = 0; i < 3; i++)
    CHECK_OK(ka_copy(be, to, from[i], 48 + (size_t)i));
  from[1][3] = from[2][3] = 1;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy of 49 bytes");
}

TEST(finds_a_source_that_is_unmapped_too_early) {
  ka_backend *be = test_backend();
  void *from = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(from != MAP_FAILED);
  unsigned char *to = ka_alloc(be, N);
  /* Short, so that it has been copied when the memory goes; a long one would crash. */
  CHECK_OK(ka_copy(be, to, from, 100));
  CHECK_INT(munmap(from, N), 0);
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy of 100 bytes", "the source was unmapped");
}

TEST(a_launch_behind_the_copy_hides_nothing) {
  ka_backend *be = test_backend();
  int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy);
  static unsigned char from[N];
  unsigned char *to = ka_alloc(be, N);
  CHECK_OK(ka_copy(be, to, from, N));
  CHECK_OK(LAUNCH(be, ka_range(1), slow, busy, 1));
  CHECK_OK(ka_copy(be, to, busy, 8));
  from[7] = 1;
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy of 100000 bytes", "changed");
}

TEST(memory_of_ka_may_be_a_source_and_change) {
  ka_backend *be = test_backend();
  int *busy = ka_alloc_zeroed(be, 2 * sizeof *busy);
  unsigned char *from = ka_alloc_zeroed(be, N), *to = ka_alloc_zeroed(be, N), value = 3;
  keep_busy(be, busy);
  CHECK_OK(ka_copy(be, to, from, N));
  CHECK_OK(ka_fill(be, from, &value, 1, N));
  CHECK_OK(ka_free(from));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(to[N - 1], 0);
}

/* What the queue itself does to a source, before and after, is in order. */
TEST(the_device_may_change_a_source) {
  ka_backend *be = test_backend();
  ka_device_properties properties;
  CHECK_OK(ka_device_info(be, 0, &properties));
  if (!properties.host_pointers)
    test_skip("kernels cannot use the host's memory");
  int host[2] = {0, 0}, *p = ka_alloc_zeroed(be, 4 * sizeof *p), ten = 10;
  keep_busy(be, host);
  CHECK_OK(ka_copy(be, p, host, sizeof host));      /* 1 */
  CHECK_OK(LAUNCH(be, ka_range(1), slow, host, 1)); /* adds one */
  CHECK_OK(ka_copy(be, p + 2, host, sizeof host));  /* 2 */
  CHECK_OK(ka_fill(be, host, &ten, sizeof ten, 2)); /* 10 */
  CHECK_OK(ka_copy(be, p + 1, host, sizeof *host)); /* 10 */
  CHECK_OK(ka_copy(be, host, p + 2, sizeof *host)); /* 2 */
  CHECK_OK(ka_copy(be, p + 3, host, sizeof *host)); /* 2 */
  struct args_add_pair args = {{host, {p}, 1}};     /* 2 + 1 */
  CHECK_OK(ka__launch(be, ka_range(1), test_kernel(K_add_pair), &args, sizeof args));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
  CHECK_INT(p[1], 10);
  CHECK_INT(p[2], 2);
  CHECK_INT(p[3], 2);
  CHECK_INT(host[0], 3);
}

static void *copy_and_end(void *to) {
  unsigned char from[1000];
  count_up(from, sizeof from);
  CHECK_OK(ka_copy(ka_default_backend(), to, from, sizeof from));
  memset(from, 0, sizeof from);
  return NULL;
}

/* The thread that made the mistake is gone, and nobody else made it. */
TEST(a_queue_that_is_taken_over_has_no_sources) {
  ka_backend *be = test_backend();
  unsigned char *to = ka_alloc(be, 1000);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, copy_and_end, to), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  CHECK_OK(ka_synchronize(be));
}

/* Whoever has waited for an event may change the sources of the copies before it. */
TEST(a_source_may_change_after_an_event) {
  ka_backend *be = test_backend();
  static unsigned char from[2][N];
  unsigned char *to = ka_alloc(be, N);
  ka_event *event;
  for (int way = 0; way < 2; way++) {
    CHECK_OK(ka_copy(be, to, from[0], N));
    CHECK_OK(ka_record_event(be, &event));
    CHECK_OK(ka_copy(be, to, from[1], N));
    if (way == 0)
      CHECK_OK(ka_event_wait(event));
    else
      while (!ka_event_query(event))
        ;
    from[0][5]++;
    CHECK_OK(ka_synchronize(be));
    ka_event_release(event);
  }
  CHECK_OK(ka_copy(be, to, from[0], N - 1));
  CHECK_OK(ka_record_event(be, &event));
  CHECK_OK(ka_copy(be, to, from[1], N));
  CHECK_OK(ka_event_wait(event));
  from[1][5]++; /* which is behind the event */
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("ka_copy of 100000 bytes");
  ka_event_release(event);
}

/* Nothing is refused that is right. */
TEST(lets_a_program_run) {
  ka_backend *be = test_backend();
  static float x[1003], y[1003];
  float *dx = ka_alloc_device(be, sizeof x), *uy = ka_alloc(be, sizeof y), one = 1;
  for (int i = 0; i < 1003; i++)
    x[i] = (float)i;
  for (int round = 0; round < 3; round++) {
    CHECK_OK(ka_copy(be, dx, x, sizeof x));
    CHECK_OK(ka_fill(be, uy, &one, sizeof one, 1003));
    CHECK_OK(LAUNCH(be, ka_range(1003), saxpy, 2.0f, dx, uy));
    CHECK_OK(ka_copy(be, y, uy, sizeof y));
    CHECK_OK(ka_synchronize(be));
    for (int i = 0; i < 1003; i++)
      CHECK_INT(y[i], 1 + 2 * i);
  }
  CHECK_OK(ka_free(dx));
  CHECK_OK(ka_free(uy));
}

/* ---- Unions ---- */

TEST(another_member_of_a_union_is_no_pointer) {
  ka_backend *be = test_backend();
  struct kernel_spec spec = test_kernel_specs[K_add_pair];
  struct param_spec param = spec.params[0];
  param.pointers[0].flags = param.pointers[1].flags = KA_METADATA_IN_UNION;
  spec.params = &param;
  struct written_module module;
  module_create(&module, &spec, 1, test_spirv, (size_t)(test_spirv_end - test_spirv));
  /* Nothing is touched: no item is below n. */
  struct args_add_pair args = {{.p = (int *)0x400c000000000000, .in = {(int *)8}, .n = 0}};
  CHECK_OK(ka__launch(be, ka_range(1), &module.kernels[0], &args, sizeof args));
  CHECK_OK(ka_synchronize(be));
  /* Freed memory is found all the same. */
  args.pair.p = ka_alloc(be, 100);
  CHECK_OK(ka_free(args.pair.p));
  CHECK_STATUS(ka__launch(be, ka_range(1), &module.kernels[0], &args, sizeof args),
               KA_ERROR_INVALID_POINTER);
  CHECK_MESSAGE("parameter 'pair.p'", "freed");
  module_release(&module);
}
