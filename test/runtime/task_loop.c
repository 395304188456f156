/* Sockets, files and child processes through ka_task_loop() while a kernel runs: one scheduler
 * thread does all of it. */
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <fcntl.h>
#include <ka/task.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

/* What a callback of the loop completes. */
struct step {
  ka_wait_request *request;
  bool done;
};

static ka_status subscribe(void *object, ka_wait_request *request) {
  struct step *step = object;
  step->request = request;
  if (step->done)
    ka_wait_complete(request, KA_OK);
  return KA_OK;
}

static void wait_for(struct step *step) {
  static const ka_wait_ops ops = {.subscribe = subscribe, .uninterruptible = true};
  CHECK_OK(ka_cooperative_wait(&ops, step));
  *step = (struct step){0};
}

static void over(struct step *step) {
  step->done = true;
  if (step->request)
    ka_wait_complete(step->request, KA_OK);
}

/* ---- The kernel ---- */

static int *words; /* 0: it runs; 64: it may end; 128: it has seen that */
static _Atomic int finished;

/* It ends when the host says so, so all that happens before happened while it ran. */
static ka_status run_kernel(void *argument, void **result) {
  (void)argument, (void)result;
  ka_backend *be = test_backend();
  CHECK_OK(LAUNCH(be, ka_range(1), meet, words, words + 64, UINT64_MAX, words + 128));
  CHECK_OK(ka_synchronize(be));
  finished++;
  return KA_OK;
}

static ka_task *start_kernel(void) {
  ka_backend *be = test_backend();
  ka_device_properties info;
  CHECK_OK(ka_device_info(be, 0, &info));
  if (!info.host_atomics)
    test_skip("the host cannot tell a running kernel anything");
  words = ka_alloc_zeroed(be, 192 * sizeof *words);
  CHECK(words);
  ka_task *task = ka_spawn(be, run_kernel, NULL);
  CHECK(task);
  while (!__atomic_load_n(words, __ATOMIC_ACQUIRE))
    CHECK_OK(ka_sleep(100000));
  return task;
}

static void end_kernel(ka_task *task) {
  CHECK_INT(finished, 0);
  __atomic_store_n(words + 64, 1, __ATOMIC_RELEASE);
  CHECK_OK(ka_task_wait(task));
  CHECK_INT(words[128], 1);
  ka_task_release(task);
  CHECK_OK(ka_free(words));
}

/* ---- What goes on meanwhile ---- */

static struct step step;
static char received[64];
static ssize_t received_bytes;

static void give_buffer(uv_handle_t *handle, size_t bytes, uv_buf_t *buffer) {
  (void)handle, (void)bytes;
  *buffer = uv_buf_init(received, sizeof received);
}

static void note_read(uv_stream_t *stream, ssize_t bytes, const uv_buf_t *buffer) {
  (void)buffer;
  if (!bytes)
    return;
  uv_read_stop(stream);
  received_bytes = bytes;
  over(&step);
}

static void close_now(void *handle) {
  uv_close(handle, NULL);
  while (uv_is_active(handle))
    ka_yield();
  CHECK_OK(ka_sleep(100000)); /* its callbacks run between tasks */
}

static void use_sockets(void) {
  uv_os_sock_t pair[2];
  CHECK_INT(uv_socketpair(SOCK_STREAM, 0, pair, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE), 0);
  static uv_pipe_t ends[2];
  for (int i = 0; i < 2; i++) {
    CHECK_INT(uv_pipe_init(ka_task_loop(), &ends[i], 0), 0);
    CHECK_INT(uv_pipe_open(&ends[i], pair[i]), 0);
  }
  uv_buf_t text = uv_buf_init("hello", 5);
  CHECK_INT(uv_read_start((uv_stream_t *)&ends[1], give_buffer, note_read), 0);
  CHECK_INT(uv_try_write((uv_stream_t *)&ends[0], &text, 1), 5);
  wait_for(&step);
  CHECK_INT(received_bytes, 5);
  CHECK_INT(memcmp(received, "hello", 5), 0);
  for (int i = 0; i < 2; i++)
    close_now(&ends[i]);
}

static void note_file(uv_fs_t *request) {
  (void)request;
  over(&step);
}

static void use_files(void) {
  char path[] = "/tmp/ka-task-loop-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0);
  CHECK_INT(write(file, "content", 7), 7);
  uv_fs_t request;
  uv_buf_t buffer = uv_buf_init(received, sizeof received);
  CHECK_INT(uv_fs_read(ka_task_loop(), &request, file, &buffer, 1, 0, note_file), 0);
  wait_for(&step);
  CHECK_INT(request.result, 7);
  CHECK_INT(memcmp(received, "content", 7), 0);
  uv_fs_req_cleanup(&request);
  close(file);
  unlink(path);
}

static int64_t child_code;

static void note_exit(uv_process_t *process, int64_t code, int number) {
  (void)process, (void)number;
  child_code = code;
  over(&step);
}

static void use_process(void) {
  static uv_process_t process;
  char *arguments[] = {"/bin/sh", "-c", "exit 5", NULL};
  uv_process_options_t options = {.file = arguments[0], .args = arguments, .exit_cb = note_exit};
  CHECK_INT(uv_spawn(ka_task_loop(), &process, &options), 0);
  wait_for(&step);
  CHECK_INT(child_code, 5);
  close_now(&process);
}

static ka_status go_on(void *argument, void **result) {
  void (*use)(void) = *(void (**)(void))argument;
  (void)result;
  ka_task *kernel = start_kernel();
  use();
  end_kernel(kernel);
  return KA_OK;
}

static void while_a_kernel_runs(void (*use)(void)) {
  setenv("KA_TASK_THREADS", "1", 1);
  CHECK_OK(ka_run(go_on, &use));
}

TEST(sockets_while_a_kernel_runs) { while_a_kernel_runs(use_sockets); }

TEST(files_while_a_kernel_runs) { while_a_kernel_runs(use_files); }

TEST(child_processes_while_a_kernel_runs) { while_a_kernel_runs(use_process); }
