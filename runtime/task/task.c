/* Tasks as their callers see them: spawn, wait, fetch, cancel, release. */
#include "runtime/task/task.h"

#include "runtime/core/status.h"
#include "runtime/task/request.h"
#include "runtime/task/scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool check_options(const char *call, const ka_backend *backend,
                          const ka_spawn_options *options, ka_task_function *function) {
  if (!function) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: the task's function is NULL", call);
    return false;
  }
  if (options->pool != KA_POOL_DEFAULT && options->pool != KA_POOL_INTERACTIVE) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: there is no pool %d of scheduler threads", call,
             (int)options->pool);
    return false;
  }
  if (options->device && !backend) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: a task without a backend cannot have a device", call);
    return false;
  }
  return true;
}

/* What the task's work is to follow, and where it is to run. */
static ka_status follow_caller(const char *call, ka_task *task, int device) {
  if (!task->backend)
    return KA_OK;
  task->device = device ? device - 1 : ka_get_device(task->backend);
  int count = ka_num_devices(task->backend);
  if (task->device < 0 || task->device >= count)
    return ka__fail(KA_ERROR_NO_DEVICE,
                    "%s: %s has no device %d; it has %d, numbered from 0; write .device = "
                    "KA_DEVICE(number) in the options",
                    call, ka_backend_name(task->backend), task->device, count);
  return ka__record_untimed_event(task->backend, &task->after);
}

/* As printf's %p, which takes longer than all the rest of a spawn. */
static void name_after(ka_task *task, uintptr_t address) {
  char *at = task->name;
  int shift = 4 * (int)sizeof address * 2 - 4;
  while (shift > 0 && !(address >> shift))
    shift -= 4;
  *at++ = '0';
  *at++ = 'x';
  for (; shift >= 0; shift -= 4)
    *at++ = "0123456789abcdef"[address >> shift & 15];
  *at = 0;
}

static void destroy(ka_task *task) {
  ka_event_release(task->after);
  pthread_mutex_destroy(&task->lock);
  free(task->text);
  free(task);
}

void ka__task_drop(ka_task *task) {
  if (atomic_fetch_sub_explicit(&task->holders, 1, memory_order_acq_rel) == 1)
    destroy(task);
}

void ka__task_discard(ka_task *task) { destroy(task); }

ka_task *ka__task_create(const char *call, ka_backend *backend, const ka_spawn_options *options,
                         ka_task_function *function, void *argument) {
  static const ka_spawn_options defaults;
  if (!options)
    options = &defaults;
  if (ka__pools_init(call) != KA_OK || !check_options(call, backend, options, function))
    return NULL;
  ka_task *task = calloc(1, sizeof *task);
  if (!task) {
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "%s: no host memory for a task", call);
    return NULL;
  }
  task->function = function;
  task->argument = argument;
  task->backend = backend;
  task->pool_kind = options->pool;
  task->stack_bytes = options->stack_bytes ? options->stack_bytes : ka__stack_bytes;
  if (task->stack_bytes < KA__STACK_LEAST)
    task->stack_bytes = KA__STACK_LEAST;
  if (options->name)
    snprintf(task->name, sizeof task->name, "%s", options->name);
  else
    name_after(task, (uintptr_t)function);
  task->wake.task = task->cancel.task = task;
  task->cancel.cancel = true;
  ka__task_state_init(&task->state);
  atomic_init(&task->holders, 2);
  pthread_mutex_init(&task->lock, NULL);
  if (follow_caller(call, task, options->device) != KA_OK) {
    ka__task_discard(task);
    return NULL;
  }
  return task;
}

static ka_task *spawn(const char *call, ka_backend *backend, const ka_spawn_options *options,
                      ka_task_function *function, void *argument) {
  ka_task *task = ka__task_create(call, backend, options, function, argument);
  if (task && ka__task_begin(task) != KA_OK) {
    ka__task_discard(task);
    return NULL;
  }
  return task;
}

ka_task *ka_spawn(ka_backend *backend, ka_task_function *function, void *argument) {
  return spawn("ka_spawn", backend, NULL, function, argument);
}

ka_task *ka_spawn_with(ka_backend *backend, const ka_spawn_options *options,
                       ka_task_function *function, void *argument) {
  return spawn("ka_spawn_with", backend, options, function, argument);
}

/* How clang's blocks begin, as its ABI says. */
struct block {
  void *isa;
  int flags, reserved;
  void (*invoke)(void);
};

ka_task *ka__spawn_block(ka_backend *backend, const ka_spawn_options *options,
                         const struct ka__block_kind *kind, const void *block) {
  const char *call = options ? "ka_spawn_block_with" : "ka_spawn_block";
  if (!block) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: the block is NULL", call);
    return NULL;
  }
  ka_task *task = ka__task_create(call, backend, options, kind->call, NULL);
  if (!task)
    return NULL;
  if (!options || !options->name)
    name_after(task, (uintptr_t)((const struct block *)block)->invoke);
  task->argument = kind->copy(block);
  task->release = kind->release;
  if (!task->argument)
    ka__fail(KA_ERROR_OUT_OF_MEMORY, "%s: no host memory for a copy of the block", call);
  else if (ka__task_begin(task) == KA_OK)
    return task;
  else
    kind->release(task->argument);
  ka__task_discard(task);
  return NULL;
}

void ka_task_release(ka_task *task) {
  if (task)
    ka__task_drop(task);
}

const char *ka_task_name(const ka_task *task) { return task ? task->name : ""; }

bool ka_task_done(const ka_task *task) { return task && atomic_load(&task->done); }

/* ---- The end of a task ---- */

/* The text of the failure that the task returns; one of an earlier failure, which it has dealt
 * with, does not count. NULL only for lack of memory. */
static char *text_of_failure(const ka_task *task, ka_status status) {
  if (ka_error_status() == status && *ka_error_message())
    return strdup(ka_error_message());
  char *text = NULL;
  return asprintf(&text, "task '%s' returned %s", task->name, ka_status_name(status)) < 0 ? NULL
                                                                                          : text;
}

void ka__task_end(ka_task *task, ka_status status) {
  /* Before the lock, which others wait for. */
  char *text = status == KA_OK ? NULL : text_of_failure(task, status);
  if (status != KA_OK && ka_task_self() == task)
    ka__synchronize_task(); /* what it fails with comes too late */
  if (task->release)
    task->release(task->argument);
  pthread_mutex_lock(&task->lock);
  task->status = status;
  task->text = text;
  ka_wait_request *waiters = task->waiters;
  task->waiters = NULL;
  atomic_store(&task->done, true);
  pthread_mutex_unlock(&task->lock);
  while (waiters) {
    ka_wait_request *next = waiters->next;
    ka_wait_complete(waiters, KA_OK);
    waiters = next;
  }
}

/* On the task's device, after what its parent had put in its queue. */
static ka_status run(ka_task *task) {
  if (ka__task_take_cancellation())
    return ka__fail(KA_ERROR_CANCELLED, "task '%s' was cancelled before it began", task->name);
  ka_status status = KA_OK;
  if (task->backend)
    status = ka_set_device(task->backend, task->device);
  if (status == KA_OK && task->after)
    status = ka_wait_event(task->backend, task->after);
  ka_event_release(task->after);
  task->after = NULL;
  if (status == KA_OK)
    status = task->function(task->argument, &task->result);
  return status == KA_OK ? ka__synchronize_task() : status;
}

void ka__task_main(void *argument) {
  ka_task *task = argument;
  ka_status status = run(task);
  /* In a child the rest of the scheduler's work would be done twice. */
  if (ka__tasks_forked()) {
    fputs("ka: a task has returned in a child made by fork(); a child must call exec or _exit\n",
          stderr);
    _exit(EXIT_FAILURE);
  }
  ka__task_end(task, status);
  ka__task_exit();
}

/* ---- Waiting for a task ---- */

static ka_status poll_task(void *object, bool *complete) {
  *complete = ka_task_done(object);
  return KA_OK;
}

static ka_status subscribe_task(void *object, ka_wait_request *request) {
  ka_task *task = object;
  pthread_mutex_lock(&task->lock);
  bool done = atomic_load(&task->done);
  if (!done) {
    request->next = task->waiters;
    task->waiters = request;
  }
  pthread_mutex_unlock(&task->lock);
  if (done)
    ka_wait_complete(request, KA_OK);
  return KA_OK;
}

static bool unsubscribe_task(void *object, ka_wait_request *request) {
  ka_task *task = object;
  pthread_mutex_lock(&task->lock);
  ka_wait_request **at = &task->waiters;
  while (*at && *at != request)
    at = &(*at)->next;
  bool found = *at;
  if (found)
    *at = request->next;
  pthread_mutex_unlock(&task->lock);
  return found;
}

static ka_status wait_for_task(const char *call, ka_task *task, void **result) {
  static const ka_wait_ops ops = {
      .poll = poll_task, .subscribe = subscribe_task, .unsubscribe = unsubscribe_task};
  if (!task)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: the task is NULL", call);
  if (task == ka_task_self())
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "%s: task '%s' waits for itself", call, task->name);
  ka_status status = ka_cooperative_wait(&ops, task);
  if (status != KA_OK)
    return status;
  if (result)
    *result = task->result;
  if (task->status == KA_OK)
    return KA_OK;
  if (task->text)
    return ka__fail(task->status, "%s", task->text);
  return ka__fail(task->status, "task '%s' returned %s; there was no host memory to keep its text",
                  task->name, ka_status_name(task->status));
}

ka_status ka_task_wait(ka_task *task) { return wait_for_task("ka_task_wait", task, NULL); }

ka_status ka_task_fetch(ka_task *task, void **result) {
  return wait_for_task("ka_task_fetch", task, result);
}

/* ---- Cancelling ---- */

void ka_task_cancel(ka_task *task) {
  if (!task || atomic_load(&task->done) || ka__tasks_forked())
    return;
  atomic_store(&task->cancelled, true);
  ka__task_send_cancel(task);
}

bool ka__task_cancellation_pending(void) {
  const ka_task *task = ka_task_self();
  return task && atomic_load(&task->cancelled);
}

bool ka__task_take_cancellation(void) {
  return ka__task_cancellation_pending() && atomic_exchange(&ka_task_self()->cancelled, false);
}
