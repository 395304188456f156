/* ka_synchronize. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <sys/resource.h>

TEST(waits_for_nothing) {
  ka_backend *be = test_backend();
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(ka_synchronize(be));
}

TEST(refuses_null) {
  CHECK_STATUS(ka_synchronize(NULL), KA_ERROR_INVALID_ARGUMENT);
  CHECK_MESSAGE("ka_synchronize", "NULL");
}

TEST(waits_for_all_launches) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  uint64_t rounds = test_slow_rounds(be, 5);
  for (int i = 1; i <= 20; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(p[0], 2 * i);
  }
}

static double thread_seconds(void) {
  struct rusage usage;
  CHECK_INT(getrusage(RUSAGE_THREAD, &usage), 0);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

TEST(blocks_without_spinning) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  uint64_t rounds = test_slow_rounds(be, 400);
  double before = thread_seconds(), start = test_now();
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  CHECK_OK(ka_synchronize(be));
  double used = thread_seconds() - before, took = test_now() - start;
  CHECK_INT(p[0], 1);
  if (used > 0.2 * took)
    test_fail(__FILE__, __LINE__, "the waiting thread used %.3f s of %.3f s", used, took);
}

TEST(launches_are_asynchronous) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  uint64_t rounds = test_slow_rounds(be, 300);
  double start = test_now();
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
  double launched = test_now() - start;
  CHECK_OK(ka_synchronize(be));
  double took = test_now() - start;
  if (launched > 0.5 * took)
    test_fail(__FILE__, __LINE__, "the launch took %.3f s of %.3f s", launched, took);
}
