/* Signals, and the environment: what of the program's surroundings a driver must neither meet nor
 * disturb. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static _Atomic int alarms;

static void count_alarm(int number) {
  (void)number;
  atomic_fetch_add(&alarms, 1);
}

/* System calls are interrupted and not restarted. */
static void start_timer(void) {
  struct sigaction action = {.sa_handler = count_alarm};
  CHECK_INT(sigaction(SIGALRM, &action, NULL), 0);
  const struct itimerval often = {{0, 500}, {0, 500}};
  CHECK_INT(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void stop_timer(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  CHECK_INT(setitimer(ITIMER_REAL, &never, NULL), 0);
  printf("%d alarms\n", atomic_load(&alarms));
  CHECK(atomic_load(&alarms) > 10);
}

/* Loads the driver and launches a kernel that no cache holds. */
static void start_cold(void) {
  char folder[] = "/tmp/ka-test-cache-XXXXXX", command[100];
  CHECK(mkdtemp(folder));
  setenv("POCL_CACHE_DIR", folder, 1);
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK(p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_INT(system(command), 0);
}

TEST(signals_do_not_disturb_a_start) {
  start_timer();
  start_cold();
  stop_timer();
}

/* As servers do that do not want to hear of their children. PoCL would abort. */
TEST(a_build_is_refused_while_the_ends_of_children_are_ignored) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  const struct sigaction ways[] = {{.sa_handler = SIG_IGN},
                                   {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT}};
  for (int i = 0; i < 2; i++) {
    CHECK_INT(sigaction(SIGCHLD, &ways[i], NULL), 0);
    CHECK_STATUS(LAUNCH(be, ka_range(1), slow, p, 1), KA_ERROR_BUILD_FAILED);
    CHECK_MESSAGE("kernel 'slow'", "SIGCHLD", "signal(SIGCHLD, SIG_DFL)");
  }
  CHECK(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR); /* what is built may be launched */
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 2);
}

TEST(starts_without_an_environment) {
  CHECK_INT(clearenv(), 0);
  start_cold();
}

static ka_backend *start_and_launch(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_OK(ka_free(p));
  return be;
}

/* The program blocks it after the driver has started its threads, and waits for it. */
TEST(a_signal_that_is_waited_for_does_not_end_in_the_driver) {
  start_and_launch();
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
  for (int i = 0; i < 100; i++) {
    CHECK_INT(kill(getpid(), SIGUSR1), 0);
    CHECK_INT(sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = 20}), SIGUSR1);
  }
}

TEST(the_programs_signal_mask_is_left_alone) {
  sigset_t before, after;
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  CHECK_INT(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
  start_and_launch();
  CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &after), 0);
  for (int number = 1; number < SIGRTMIN; number++)
    CHECK_INT(sigismember(&after, number), number == SIGUSR2);
}

TEST(signals_do_not_disturb_waits) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p), host[2] = {0};
  uint64_t rounds = test_slow_rounds(be, 50);
  start_timer();
  for (int i = 1; i <= 10; i++) {
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, rounds));
    CHECK_OK(ka_copy(be, host, p, sizeof host));
    CHECK_OK(ka_synchronize(be));
    CHECK_INT(host[0], i);
  }
  /* More than fit in the queue: ka_launch waits too. */
  for (int i = 0; i < 3000; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1000));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 3010);
  stop_timer();
}
