/* The first launch of a kernel builds it: other tasks of the thread go on meanwhile. The driver in
 * front of the real one builds when it is told to. */
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/tasks.h"
#include "test/runtime/support/test.h"

#include <CL/cl.h>
#include <ka/task.h>
#include <stdlib.h>

static struct faulty_opencl *cl;
static ka_backend *be;
static sem_t begun, on;

static void open_slow_builder(void) {
  setenv("KA_TASK_THREADS", "1", 1);
  cl = faulty_opencl_load();
  CHECK_INT(sem_init(&begun, 0, 0) | sem_init(&on, 0, 0), 0);
  cl->build_on = &on;
  cl->build_begun = &begun;
}

static ka_status launch_first(void *place, void **result) {
  (void)result;
  int *p = place;
  CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1));
  CHECK_OK(ka_synchronize(be));
  CHECK_INT(p[0], 1);
  return KA_OK;
}

static ka_status use_others(void *argument, void **result) {
  (void)argument, (void)result;
  uint64_t sum = 0;
  CHECK_OK(LAUNCH(be, ka_range(1), one, &sum));
  ka_kernel_properties info;
  CHECK_OK(ka_kernel_info(ka__kernel_of(be, test_kernel(K_many)), &info));
  return ka_synchronize(be);
}

static void wait_for_build(void) {
  while (sem_trywait(&begun) != 0)
    CHECK_OK(ka_sleep(1000000));
}

static ka_status tick_while_building(void *argument, void **result) {
  (void)argument, (void)result;
  be = test_backend();
  int *p = ka_alloc_zeroed(be, 4 * sizeof *p);
  /* The second wants the kernel that the first builds, the third others of its module. */
  ka_task *tasks[] = {test_spawn(be, launch_first, p), test_spawn(be, launch_first, p + 2),
                      test_spawn(be, use_others, NULL)};
  wait_for_build();
  for (int i = 0; i < 20; i++) /* never, if the thread builds or waits for it */
    CHECK_OK(ka_sleep(1000000));
  for (int t = 0; t < 3; t++)
    CHECK(!ka_task_done(tasks[t]));
  CHECK_INT(sem_post(&on), 0);
  for (int t = 0; t < 3; t++) {
    CHECK_OK(ka_task_wait(tasks[t]));
    ka_task_release(tasks[t]);
  }
  return ka_free(p);
}

TEST(other_tasks_go_on_while_a_kernel_is_built) {
  open_slow_builder();
  CHECK_OK(ka_run(tick_while_building, NULL));
}

static ka_status fail_to_build(void *argument, void **result) {
  (void)argument, (void)result;
  int p[2];
  return LAUNCH(be, ka_range(1), slow, p, 1);
}

static ka_status hear_of_failure(void *log, void **result) {
  (void)result;
  be = test_backend();
  CHECK_INT(sem_post(&on), 0);
  cl->call = "clBuildProgram";
  cl->error = CL_BUILD_PROGRAM_FAILURE;
  cl->build_log = log;
  CHECK_STATUS(fail_to_build(NULL, NULL), KA_ERROR_BUILD_FAILED);
  CHECK_MESSAGE("kernel 'slow'", "clBuildProgram", log);
  /* It is built anew when it is launched again. */
  cl->call = NULL;
  cl->build_begun = NULL;
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK_OK(launch_first(p, NULL));
  return ka_free(p);
}

TEST(a_long_build_log_comes_whole) {
  open_slow_builder();
  enum { LENGTH = 20000 };
  static char log[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++)
    log[i] = (char)('a' + i % 26);
  CHECK_OK(ka_run(hear_of_failure, log));
}
