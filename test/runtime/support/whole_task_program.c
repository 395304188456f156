/* The whole interface of libka-task: tasks on a thread of the program's, in a loop of the program's
 * and on threads of libka-task's own; every way to wait; and tasks that use the device.
 *
 * Each part is a function that can be called again when it failed. It leaves no task behind, so
 * nothing uses its variables any more. A new function of the interface gets its call here:
 * runtime.whole-task-program says which are missing. */
#include "test/runtime/support/faulty_allocator.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/whole_program.h"

#include <dirent.h>
#include <ka/task.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

static struct written_module module;

/* ---- The end of a task ---- */

/* How the task ended. Where the wait failed and not the task, it is waited for again. */
static ka_status outcome(ka_task *task, void **result) {
  for (;;) {
    bool done = ka_task_done(task);
    ka_status status = result ? ka_task_fetch(task, result) : ka_task_wait(task);
    if (status == KA_OK || done)
      return status;
    if (!ka_task_done(task))
      trying_failed(status, "a wait for a task", __LINE__);
  }
}

/* Of a task that may not be there, because it could not be spawned. */
static ka_status end(ka_task *task) {
  if (!task)
    return ka_error_status();
  ka_status status = outcome(task, NULL);
  ka_task_release(task);
  return status;
}

/* Whether a task ended as it was to; else `status` is how. A text that was not kept is made good by
 * a general one. */
static bool ended_with(ka_status *status, ka_status expected) {
  if (*status != expected)
    return false;
  CHECK(*ka_error_message());
  *status = KA_OK;
  return true;
}

/* ---- Waiting ---- */

struct count {
  int polls, least;
};

static ka_status poll_count(void *object, bool *complete) {
  struct count *c = object;
  *complete = ++c->polls >= c->least;
  return KA_OK;
}

static ka_status wait_count(void *object) {
  struct count *c = object;
  c->polls = c->least;
  return KA_OK;
}

static ka_status complete_at_once(void *object, ka_wait_request *request) {
  (void)object;
  ka_wait_complete(request, KA_OK);
  return KA_OK;
}

static void *complete_elsewhere(void *request) {
  ka_wait_complete(request, KA_OK);
  return NULL;
}

static ka_status leave_to_thread(void *object, ka_wait_request *request) {
  CHECK_INT(pthread_create(object, NULL, complete_elsewhere, request), 0);
  return KA_OK;
}

static ka_status never(void *object, ka_wait_request *request) {
  (void)object, (void)request;
  return KA_OK;
}

static bool take_back(void *object, ka_wait_request *request) {
  (void)object, (void)request;
  return true;
}

static ka_status wait_for_thread(void) {
  static const ka_wait_ops ops = {.subscribe = leave_to_thread, .uninterruptible = true};
  pthread_t thread;
  ka_status status = ka_cooperative_wait(&ops, &thread);
  if (status == KA_OK)
    CHECK_INT(pthread_join(thread, NULL), 0);
  return status;
}

/* Every kind of wait, on plain threads too. */
static void wait_in_every_way(void) {
  static const ka_wait_ops poll = {.poll = poll_count}, wait = {.wait = wait_count},
                           both = {.poll = poll_count, .wait = wait_count},
                           at_once = {.subscribe = complete_at_once},
                           patient = {.poll = poll_count, .uninterruptible = true};
  struct count c;
  const ka_wait_ops *counting[] = {&poll, &wait, &both, &patient};
  for (int i = 0; i < 4; i++) {
    c = (struct count){0, 3};
    if (TRY(ka_cooperative_wait(counting[i], &c)))
      CHECK(c.polls >= 3);
  }
  (void)TRY(ka_cooperative_wait(&at_once, NULL));
  (void)TRY(wait_for_thread());
  (void)TRY(ka_sleep(1000));
  ka_yield();
}

/* ---- Tasks without a device ---- */

static ka_status add_one(void *argument, void **result) {
  atomic_fetch_add((_Atomic int *)argument, 1);
  *result = argument;
  return KA_OK;
}

static ka_status fetch_result(void) {
  _Atomic int number = 0;
  void *result = NULL;
  ka_spawn_options options = {.name = "adds one", .stack_bytes = 64 << 10};
  options.pool = KA_POOL_INTERACTIVE; /* has no threads here, so it falls back */
  ka_task *task = ka_spawn_with(NULL, &options, add_one, (void *)&number);
  if (!task)
    return ka_error_status();
  CHECK_STRING(ka_task_name(task), "adds one");
  ka_status status = outcome(task, &result);
  ka_task_release(task);
  if (status == KA_OK) {
    CHECK(result == (void *)&number);
    CHECK_INT(number, 1);
  }
  return status;
}

static ka_status fail_with_text(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_launch_tuple(NULL, ka_range(1), NULL, 0);
}

static ka_status fail_without_text(void *argument, void **result) {
  (void)argument, (void)result;
  return KA_ERROR_UNSUPPORTED;
}

static ka_status fail_on_purpose(void) {
  ka_status status = end(ka_spawn(NULL, fail_with_text, NULL));
  if (!ended_with(&status, KA_ERROR_INVALID_ARGUMENT))
    return status;
  status = end(ka_spawn(NULL, fail_without_text, NULL));
  (void)ended_with(&status, KA_ERROR_UNSUPPORTED);
  return status;
}

/* Until it is cancelled. */
static ka_status sleep_long(void *argument, void **result) {
  (void)argument, (void)result;
  return ka_sleep(UINT64_MAX);
}

static ka_status wait_for_ever(void *argument, void **result) {
  static const ka_wait_ops ops = {.subscribe = never, .unsubscribe = take_back};
  (void)argument, (void)result;
  return ka_cooperative_wait(&ops, NULL);
}

static ka_status cancel(ka_task_function *function) {
  ka_task *task = ka_spawn(NULL, function, NULL);
  if (!task)
    return ka_error_status();
  ka_yield();
  ka_task_cancel(task);
  ka_status status = end(task);
  (void)ended_with(&status, KA_ERROR_CANCELLED);
  return status;
}

/* A block of clang's, which this program need not be compiled with. */
struct code_block {
  void *isa;
  int flags, reserved;
  void (*invoke)(void);
  int number;
};

static _Atomic int block_copies;

static void *copy_block(const void *block) {
  struct code_block *copy = malloc(sizeof *copy);
  CHECK(copy);
  *copy = *(const struct code_block *)block;
  atomic_fetch_add(&block_copies, 1);
  return copy;
}

static void release_block(const void *copy) {
  free((void *)copy);
  atomic_fetch_sub(&block_copies, 1);
}

static ka_status call_block(void *block, void **result) {
  (void)result;
  CHECK_INT(((struct code_block *)block)->number, 5);
  return KA_OK;
}

static ka_status spawn_block(void) {
  static const struct ka__block_kind kind = {call_block, copy_block, release_block};
  struct code_block block = {.number = 5};
  ka_status status = end(ka__spawn_block(NULL, NULL, &kind, &block));
  CHECK_INT(block_copies, 0);
  return status;
}

static ka_status waits(void *argument, void **result) {
  (void)argument, (void)result;
  wait_in_every_way();
  return KA_OK;
}

/* More tasks than stacks that a thread has, and some at once on each thread. */
static ka_status many(void) {
  enum { COUNT = 6 };
  _Atomic int number = 0;
  ka_task *tasks[COUNT];
  ka_status status = KA_OK, first_failure = KA_OK;
  for (int i = 0; i < COUNT; i++) {
    tasks[i] = ka_spawn(NULL, i % 2 ? add_one : waits, (void *)&number);
    if (!tasks[i])
      first_failure = ka_error_status();
  }
  for (int i = 0; i < COUNT; i++)
    if (tasks[i] && (status = end(tasks[i])) != KA_OK)
      first_failure = status;
  if (first_failure == KA_OK)
    CHECK_INT(number, COUNT / 2);
  return first_failure;
}

/* What a task can do, and a plain thread as well. */
static void use_tasks(void) {
  (void)TRY(fetch_result());
  (void)TRY(fail_on_purpose());
  (void)TRY(cancel(sleep_long));
  (void)TRY(cancel(wait_for_ever));
  (void)TRY(spawn_block());
  (void)TRY(many());
  wait_in_every_way();
  ka_task_release(NULL);
}

static ka_status first(void *argument, void **result) {
  CHECK(ka_task_self());
  CHECK(ka_task_loop());
  CHECK(*ka_task_name(ka_task_self()));
  use_tasks();
  *(bool *)argument = true;
  *result = NULL;
  return KA_OK;
}

static void on_this_thread(void) {
  bool ran = false;
  if (TRY(ka_run(first, &ran)))
    CHECK(ran);
  CHECK(!ka_task_self() && !ka_task_loop());
  /* The threads of the pool have gone, and with them all stacks. */
  CHECK_INT(faulty_mappings(), 0);
}

static ka_status spawn_in_loop(uv_loop_t *loop) {
  bool ran = false;
  ka_task *task = ka_spawn(NULL, first, &ran);
  ka_status status = task ? KA_OK : ka_error_status();
  CHECK_INT(uv_run(loop, UV_RUN_DEFAULT), 0);
  if (task) {
    CHECK(ka_task_done(task));
    status = end(task);
  }
  CHECK(ran || status != KA_OK);
  return status;
}

static void in_a_loop(void) {
  uv_loop_t loop;
  CHECK_INT(uv_loop_init(&loop), 0);
  if (TRY(ka_task_attach_loop(&loop))) {
    (void)TRY(spawn_in_loop(&loop));
    CHECK_OK(ka_task_detach_loop());
  }
  CHECK_INT(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&loop), 0);
  CHECK_INT(faulty_mappings(), 0);
}

/* ---- Tasks that use the device ---- */

enum { N = 1000, TASKS = 3 };

struct work {
  ka_backend *be;
  float *x, *y; /* of the device */
};

static ka_status launch(ka_backend *be, float a, const float *x, float *y) {
  struct args_saxpy args = {a, x, y};
  return ka__launch(be, ka_range(N), &module.kernels[K_saxpy], &args, sizeof args);
}

/* Follows its parent's copies, waits once, and leaves work for the end of the task. */
static ka_status compute(void *argument, void **result) {
  const struct work *w = argument;
  (void)result;
  ka_status status = launch(w->be, 2, w->x, w->y);
  if (status == KA_OK)
    status = ka_synchronize(w->be);
  if (status == KA_OK)
    status = launch(w->be, 1, w->x, w->y);
  return status;
}

/* Waits for an event that another task has recorded, in its queue and itself. */
static ka_status follow(void *argument, void **result) {
  const struct work *w = argument;
  ka_event *event = NULL;
  (void)result;
  ka_status status = launch(w->be, 1, w->x, w->y);
  if (status == KA_OK)
    status = ka_record_event(w->be, &event);
  if (status == KA_OK)
    status = ka_event_wait(event);
  ka_event_release(event);
  return status;
}

/* Everything is waited for, whatever failed, so that it can be done again. */
static ka_status compute_in_tasks(ka_backend *be) {
  float host[N];
  struct work work[TASKS];
  ka_status status = KA_OK;
  for (int i = 0; i < TASKS; i++) {
    work[i] = (struct work){be, ka_alloc_device(be, sizeof host), ka_alloc_device(be, sizeof host)};
    if (!work[i].x || !work[i].y)
      status = ka_error_status();
  }
  for (int i = 0; i < N; i++)
    host[i] = (float)i;
  for (int i = 0; i < TASKS && status == KA_OK; i++) {
    status = ka_copy(be, work[i].x, host, sizeof host);
    if (status == KA_OK)
      status = ka_copy(be, work[i].y, work[i].x, sizeof host);
  }
  ka_task *tasks[TASKS] = {NULL};
  for (int i = 0; i < TASKS && status == KA_OK; i++) {
    tasks[i] = ka_spawn(be, compute, &work[i]);
    if (!tasks[i])
      status = ka_error_status();
  }
  for (int i = 0; i < TASKS; i++) {
    ka_status of_task = tasks[i] ? end(tasks[i]) : KA_OK;
    status = status == KA_OK ? of_task : status;
    of_task = status == KA_OK ? end(ka_spawn(be, follow, &work[i])) : KA_OK;
    status = status == KA_OK ? of_task : status;
  }
  for (int i = 0; i < TASKS; i++) {
    if (status == KA_OK)
      status = ka_copy(be, host, work[i].y, sizeof host);
    /* Also after a failure: the copy uses `host`, and the queue's failure is to be told once. */
    ka_status waited = ka_synchronize(be);
    status = status == KA_OK ? waited : status;
    for (int j = 0; j < N && status == KA_OK; j++)
      CHECK_INT(host[j], 5 * j);
    CHECK_OK(ka_free(work[i].x));
    CHECK_OK(ka_free(work[i].y));
  }
  return status;
}

static ka_status first_with_device(void *be, void **result) {
  (void)result;
  return compute_in_tasks(be);
}

/* ---- */

static int open_files(void) {
  int count = 0;
  DIR *files = opendir("/proc/self/fd");
  CHECK(files);
  while (readdir(files))
    count++;
  closedir(files);
  return count;
}

int whole_program(enum faults faults, ka_status *last) {
  static int files; /* after a run without faults */
  trying_begin(faults);
  setenv("KA_TASK_THREADS", "2", 1);
  if (!module.kernels)
    module_create(&module, test_kernel_specs, K_COUNT, test_spirv,
                  (size_t)(test_spirv_end - test_spirv));
  on_this_thread();
  in_a_loop();
  use_tasks();
  ka_backend *be;
  if (TRY_POINTER(be, ka_default_backend())) {
    (void)TRY(compute_in_tasks(be));
    (void)TRY(ka_run(first_with_device, be));
  }
  if (faults == NO_FAULT && files)
    CHECK_INT(open_files(), files);
  else if (faults == NO_FAULT)
    files = open_files();
  return trying_failures(last);
}

void whole_program_close(void) {
  module_release(&module);
  module.kernels = NULL;
}

void whole_program_leaves_work(void) {
  ka_backend *be = test_backend();
  float *x = ka_alloc_device(be, N * sizeof *x);
  CHECK(x);
  CHECK_OK(launch(be, 1, x, x));
  CHECK_OK(ka_free(x));
}
