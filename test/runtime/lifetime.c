/* Memory that is freed while kernels still use it, and the end of the program. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

static long resident_kilobytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long size, resident;
  CHECK(file && fscanf(file, "%ld %ld", &size, &resident) == 2);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

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
      before = resident_kilobytes();
    if (i > 2000 && i % 1000 == 0 && resident_kilobytes() > most)
      most = resident_kilobytes();
  }
  CHECK_OK(ka_synchronize(be));
  printf("%ld MB after 2000 launches, at most %ld MB later\n", before / 1024, most / 1024);
  CHECK(most < before + 200 * 1024);
}

/* ---- The end of the program ---- */

static void exit_at_once(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
}

static void exit_while_kernels_run(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  for (int i = 0; i < 50; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 2000000));
  CHECK_OK(ka_free(p));
  exit(0);
}

static void *kept;

static void use_at_exit(void) {
  /* Registered before libka's own function, so it runs after it. */
  ka_backend *be = ka_default_backend();
  CHECK_OK(ka_free(kept));
  CHECK(!ka_alloc(be, 100));
  CHECK_MESSAGE("the program is ending");
  CHECK_STATUS(ka_synchronize(be), KA_ERROR_NO_DEVICE);
  CHECK_MESSAGE("the program is ending");
}

static void exit_with_functions(void) {
  atexit(use_at_exit);
  kept = ka_alloc(test_backend(), 100);
  exit_at_once();
}

static void unregister_at_exit(void) {
  struct ka__module *module = test_kernel(K_slow)->module;
  ka__module_unregister(module);
}

static void exit_with_destructors(void) {
  atexit(unregister_at_exit); /* as a destructor of the program does */
  exit_while_kernels_run();
}

static int *shared; /* with the parent process */

static void exit_with_shared_memory(void) {
  ka_backend *be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  for (int i = 0; p.host_pointers && i < 10; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, shared, 5000000));
  if (!p.host_pointers)
    shared[0] = -1;
}

TEST(exit_waits_for_kernels) {
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  CHECK_INT(test_in_child(exit_with_shared_memory, NULL, 0), 0);
  if (shared[0] == -1)
    test_skip("the device cannot use host memory");
  CHECK_INT(shared[0], 10);
}

static void check_exit(void (*run)(void)) {
  for (int i = 0; i < 5; i++) {
    int status = test_in_child(run, NULL, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      test_fail(__FILE__, __LINE__, "the child ended with wait status %#x", (unsigned)status);
  }
}

TEST(exits_without_synchronising) { check_exit(exit_at_once); }
TEST(exits_while_kernels_run) { check_exit(exit_while_kernels_run); }
TEST(exits_with_functions_that_use_memory) { check_exit(exit_with_functions); }
TEST(exits_with_destructors_of_modules) { check_exit(exit_with_destructors); }
