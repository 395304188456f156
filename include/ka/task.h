/* ka/task.h - tasks: work that goes on while kernels run.
 *
 *   ka_status filter(void *picture, void **result) {
 *     ...                                          launches, copies
 *     return ka_synchronize(be);                   other tasks of this thread run meanwhile
 *   }
 *   ka_task *t = ka_spawn(be, filter, picture);
 *   KA_CHECK(ka_task_wait(t));
 *   ka_task_release(t);
 *
 * A task is a function with a stack of its own. A few scheduler threads run all tasks; one gives up
 * its thread only where it waits: in the functions of this header, in ka_synchronize, and in what
 * is built on ka_cooperative_wait. A task stays on the thread that began it, so thread-local
 * storage and locks of the thread are safe between two waits and nowhere else. Each task has
 * devices and queues of its own, as each plain thread has.
 *
 * Link with ka-task (kacc does it by itself). The model is that of KernelAbstractions.jl and
 * GPUToolbox.jl; docs/guide/tasks.md explains it.
 *
 * Unless an entry says otherwise: functions may be called from any thread and any task; those that
 * return ka_status or a pointer leave a text for ka_error_message() when they fail.
 */
#ifndef KA_TASK_H
#define KA_TASK_H

#include <ka/ka.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Tasks ----------------------------------------------------------------------------------- */

typedef struct ka_task ka_task;

/* What a task runs. The status is the task's outcome; what it stores at `result` (NULL at first)
 * goes to ka_task_fetch. A failure's text, ka_error_message() when it returns, goes to whoever
 * waits. */
typedef ka_status ka_task_function(void *argument, void **result);

/* Which scheduler threads run a task. KA_TASK_THREADS=n[,m] in the environment gives their numbers:
 * n (default: one for each core, at most 4) for KA_POOL_DEFAULT, m (default: 0) for
 * KA_POOL_INTERACTIVE. A pool of 0 threads leaves its tasks to the default pool. */
typedef enum ka_pool { KA_POOL_DEFAULT, KA_POOL_INTERACTIVE } ka_pool;

/* A device's number in ka_spawn_options: KA_DEVICE(0) is the first; 0 stands for the caller's. */
#define KA_DEVICE(number) ((number) + 1)

typedef struct ka_spawn_options {
  ka_pool pool;
  int device; /* KA_DEVICE(number): the task's active one; 0: the caller's active one */
  /* For messages and traces; copied, at most 31 bytes. NULL: the function's address. */
  const char *name;
  size_t stack_bytes; /* 0: KA_TASK_STACK in the environment (bytes), else 256 KiB; rounded up to
                         pages */
} ka_spawn_options;

/* Runs a task after what the caller has put in its queue so far: records an event there; the task
 * has the caller's active device, or the one of the options, and waits for the event in its own
 * queue. When the function has returned the task waits for what it has put in queues of any device,
 * so a task that has ended has no work under way; a failure of that work is the task's, unless the
 * function has returned one. What failed of the caller's work before the task is a failure of the
 * task's queue too: synchronising returns it.
 *
 * The task begins at once if a scheduler thread is idle, else when its turn comes; scheduler
 * threads are started at the first need. It belongs to the caller, who gives it up by
 * ka_task_release at any time. Does not block. NULL backend: a task that uses no device. `options`
 * NULL: none. Returns NULL, with a text, for a NULL function, a wrong option, or if there is no
 * memory. */
KA_API ka_task *ka_spawn(ka_backend *backend, ka_task_function *function, void *argument);
KA_API ka_task *ka_spawn_with(ka_backend *backend, const ka_spawn_options *options,
                              ka_task_function *function, void *argument);

#ifdef __BLOCKS__
/* The same for a block (clang's -fblocks, which kacc switches on; link with BlocksRuntime):
 *
 *   ka_task *t = ka_spawn_block(be, ^{
 *     ka_status status = ka_launch(be, ka_range(n), saxpy(a, x, y));
 *     return status == KA_OK ? ka_synchronize(be) : status;
 *   });
 *
 * It is host code, not a kernel. It may return a ka_status or nothing, which is KA_OK, and take
 * `void **result`, for ka_task_fetch: see ka_task_function. What it returns has to have the type
 * ka_status in every `return`: KA_OK, not 0.
 *
 * The block is copied, and with it the values that its variables have now; `__block` variables are
 * shared with the caller, and their addresses change with the copy. The copy is released once, when
 * the task has no more work under way and before those who wait are told; also if it was cancelled
 * before it began or failed. If NULL is returned nothing of the block is kept. A task without a
 * name is called after the address of the block's code. NULL, with a text, also for a NULL block.
 */
#define KA__BLOCKS static inline __attribute__((overloadable)) ka_task *
KA__BLOCKS ka_spawn_block(ka_backend *backend, void (^block)(void));
KA__BLOCKS ka_spawn_block(ka_backend *backend, ka_status (^block)(void));
KA__BLOCKS ka_spawn_block(ka_backend *backend, ka_status (^block)(void **result));
KA__BLOCKS ka_spawn_block_with(ka_backend *backend, const ka_spawn_options *options,
                               void (^block)(void));
KA__BLOCKS ka_spawn_block_with(ka_backend *backend, const ka_spawn_options *options,
                               ka_status (^block)(void));
KA__BLOCKS ka_spawn_block_with(ka_backend *backend, const ka_spawn_options *options,
                               ka_status (^block)(void **result));
#endif

/* Makes the calling thread a scheduler thread of the default pool, runs `function` as its first
 * task, and returns that task's status when it and all other tasks have ended. Blocks the thread,
 * which runs tasks meanwhile. Errors: KA_ERROR_INVALID_ARGUMENT (NULL; called in a task or on a
 * thread that has a scheduler), _OUT_OF_MEMORY, what the function returns. */
KA_API ka_status ka_run(ka_task_function *function, void *argument);

/* Waits until the task has ended and returns its status, with its text. Any number of tasks and
 * threads may wait for one task. Errors: KA_ERROR_INVALID_ARGUMENT (NULL, the calling task itself),
 * _CANCELLED (the calling task was cancelled; the awaited one goes on), what the task returned or,
 * if that was KA_OK, the failure of its work (KA_ERROR_KERNEL_FAILED, _KERNEL_TRAP, others of
 * ka_synchronize). */
KA_API ka_status ka_task_wait(ka_task *task);
/* The same, and gives the task's result. */
KA_API ka_status ka_task_fetch(ka_task *task, void **result);
/* Whether the task has ended. Does not block. */
KA_API bool ka_task_done(const ka_task *task);

/* Asks the task to end: what it waits for now, or the next thing, returns KA_ERROR_CANCELLED, once.
 * A task that has not begun never does. Waits for the device are not cut short: the kernel may
 * still be writing memory; ka_synchronize and ka_event_wait return KA_ERROR_CANCELLED when it has
 * ended, or its failure, and cancellation at the next wait. Copies leave it to the next wait. */
KA_API void ka_task_cancel(ka_task *task);

/* Gives up the caller's hold on the task, which goes on. NULL is fine. */
KA_API void ka_task_release(ka_task *task);

/* The calling task; NULL on a plain thread. Not to be released. */
KA_API ka_task *ka_task_self(void);
/* Never NULL; lives as long as the task. */
KA_API const char *ka_task_name(const ka_task *task);

/* Lets other tasks of this thread run. On a plain thread: sched_yield. */
KA_API void ka_yield(void);
/* Waits that long. Errors: KA_ERROR_CANCELLED (the task was cancelled meanwhile),
 * _INVALID_ARGUMENT (in a callback of the loop of ka_run's or a pool's thread, whose tasks would
 * all stand still). */
KA_API ka_status ka_sleep(uint64_t nanoseconds);

/* ---- A program's own loop -------------------------------------------------------------------- */

struct uv_loop_s;

/* The libuv loop of the calling scheduler thread, for timers, sockets, files and processes whose
 * callbacks run between tasks; NULL on a plain thread. Its handles must be used on this thread
 * only. */
KA_API struct uv_loop_s *ka_task_loop(void);

/* Makes the calling thread a scheduler thread that runs its tasks in `loop`, which the program runs
 * itself (uv_run) on this thread. Tasks that are spawned in this thread stay on it, and keep the
 * loop alive while they live. Undone by ka_task_detach_loop, before the loop is closed, when no
 * task lives. Programs with a loop of another kind wait for uv_backend_fd(loop) and call
 * uv_run(loop, UV_RUN_NOWAIT). Errors: KA_ERROR_INVALID_ARGUMENT (NULL; the thread has a
 * scheduler), _OUT_OF_MEMORY. */
KA_API ka_status ka_task_attach_loop(struct uv_loop_s *loop);
/* Errors: KA_ERROR_INVALID_ARGUMENT (called in a task; no loop is attached to the thread; tasks
 * live on it). */
KA_API ka_status ka_task_detach_loop(void);

/* ---- Cooperative waiting --------------------------------------------------------------------- */

/* A wait that is under way; what `subscribe` is given to report the end of it. */
typedef struct ka_wait_request ka_wait_request;

/* How to wait for an object. Each function may be NULL, but not all. They get the `object` of
 * ka_cooperative_wait. */
typedef struct ka_wait_ops {
  /* Whether the object is complete; does not block. A failure ends the wait. */
  ka_status (*poll)(void *object, bool *complete);
  /* Arranges that ka_wait_complete(request, status) is called once when the object is complete:
   * later from any thread, or before this returns. After a failure it must not be called. */
  ka_status (*subscribe)(void *object, ka_wait_request *request);
  /* Takes the arrangement back: true if ka_wait_complete will not be called (and is not being
   * called). */
  bool (*unsubscribe)(void *object, ka_wait_request *request);
  /* Blocks the thread until the object is complete. */
  ka_status (*wait)(void *object);
  /* Poll is tried once, and then, for so many nanoseconds, the end is looked for before the task
   * sleeps: after `subscribe` by looking at the request, which costs the object nothing, else by
   * poll. For what takes a few microseconds and needs none of the processor's cores. */
  uint64_t poll_nanoseconds;
  /* The wait does not end before the object is complete, even if the task is cancelled. */
  bool uninterruptible;
} ka_wait_ops;

/* Waits for the object without keeping other tasks of the thread from running: polls; then
 * subscribes and sleeps until the request is completed; without `subscribe` hands `wait` to a
 * worker thread; with `poll` alone, polls between other tasks. On a plain thread the thread sleeps.
 * Allocates nothing once as many waits have been under way at a time. Returns what the functions or
 * ka_wait_complete report, or KA_ERROR_CANCELLED: then `object` may still be in use by a callback
 * or a worker thread until that ends. Errors: also KA_ERROR_INVALID_ARGUMENT (no function; in
 * a callback of the loop, where nobody can wait: the first poll does not find the object complete),
 * _OUT_OF_MEMORY. */
KA_API ka_status ka_cooperative_wait(const ka_wait_ops *ops, void *object);

/* Ends a wait, exactly once for each request. Any thread; does not block and takes no lock that
 * a waiting task needs. The request must not be touched afterwards. */
KA_API void ka_wait_complete(ka_wait_request *request, ka_status status);

/* ---- Not for programs to use directly -------------------------------------------------------- */

/* ka_spawn_with for an argument that is a copy of a block. libka-task itself uses no runtime of
 * blocks: what it needs is passed by those who do. */
struct ka__block_kind {
  ka_task_function *call; /* the copy is its argument */
  void *(*copy)(const void *block);
  void (*release)(const void *copy);
};
KA_API ka_task *ka__spawn_block(ka_backend *backend, const ka_spawn_options *options,
                                const struct ka__block_kind *kind, const void *block);

#ifdef __BLOCKS__
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

static inline ka_status ka__call_block_void(void *block, void **result) {
  (void)result;
  ((void (^)(void))block)();
  return KA_OK;
}

static inline ka_status ka__call_block_status(void *block, void **result) {
  (void)result;
  return ((ka_status(^)(void))block)();
}

static inline ka_status ka__call_block_result(void *block, void **result) {
  return ((ka_status(^)(void **))block)(result);
}

#define KA__SPAWN_BLOCK(backend, options, what)                                                    \
  static const struct ka__block_kind kind = {ka__call_block_##what, _Block_copy, _Block_release};  \
  return ka__spawn_block(backend, options, &kind, (const void *)block)

KA__BLOCKS ka_spawn_block(ka_backend *backend, void (^block)(void)) {
  KA__SPAWN_BLOCK(backend, NULL, void);
}

KA__BLOCKS ka_spawn_block(ka_backend *backend, ka_status (^block)(void)) {
  KA__SPAWN_BLOCK(backend, NULL, status);
}

KA__BLOCKS ka_spawn_block(ka_backend *backend, ka_status (^block)(void **result)) {
  KA__SPAWN_BLOCK(backend, NULL, result);
}

KA__BLOCKS ka_spawn_block_with(ka_backend *backend, const ka_spawn_options *options,
                               void (^block)(void)) {
  KA__SPAWN_BLOCK(backend, options, void);
}

KA__BLOCKS ka_spawn_block_with(ka_backend *backend, const ka_spawn_options *options,
                               ka_status (^block)(void)) {
  KA__SPAWN_BLOCK(backend, options, status);
}

KA__BLOCKS ka_spawn_block_with(ka_backend *backend, const ka_spawn_options *options,
                               ka_status (^block)(void **result)) {
  KA__SPAWN_BLOCK(backend, options, result);
}

#undef KA__SPAWN_BLOCK
#undef KA__BLOCKS
#endif

#ifdef __cplusplus
}
#endif
#endif
