/* Threads of the program that run tasks: ka_run, and loops that the program runs itself. */
#include "runtime/core/status.h"
#include "runtime/task/loop.h"

static ka_status check_plain_thread(const char *call) {
  return ka__here
             ? ka__fail(KA_ERROR_INVALID_ARGUMENT,
                        "%s: this thread runs tasks already; call it on a thread that does not",
                        call)
             : KA_OK;
}

ka_status ka_run(ka_task_function *function, void *argument) {
  ka_status status = ka__pools_init("ka_run");
  if (status == KA_OK)
    status = check_plain_thread("ka_run");
  if (status != KA_OK)
    return status;
  struct ka__pool *pool = &ka__pools[KA_POOL_DEFAULT];
  ka_task *first = ka__task_create("ka_run", NULL, NULL, function, argument);
  if (!first)
    return function ? KA_ERROR_OUT_OF_MEMORY : KA_ERROR_INVALID_ARGUMENT;
  struct ka__scheduler *s = ka__scheduler_create(pool, NULL);
  if (!s) {
    ka__task_discard(first);
    return KA_ERROR_OUT_OF_MEMORY;
  }
  ka__scheduler_enter(s);
  s->first = first;
  pthread_mutex_lock(&pool->lock);
  pool->hosts++;
  ka__pool_start(pool); /* without others it works too */
  pthread_mutex_unlock(&pool->lock);
  atomic_fetch_add(&pool->live, 1);
  ka__scheduler_begin(s, first);
  ka__scheduler_stay_awake(s);
  while (!ka__scheduler_is_over(s))
    uv_run(s->loop, UV_RUN_DEFAULT);
  pthread_mutex_lock(&pool->lock);
  ka__scheduler_leave(s);
  pool->hosts--;
  pthread_mutex_unlock(&pool->lock);
  ka__here = NULL;
  ka__scheduler_release(s);
  ka__pool_stop(pool);
  status = ka_task_wait(first);
  ka_task_release(first);
  return status;
}

uv_loop_t *ka_task_loop(void) { return ka__here ? ka__here->loop : NULL; }

ka_status ka_task_attach_loop(uv_loop_t *loop) {
  if (!loop)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_task_attach_loop: the loop is NULL");
  ka_status status = ka__pools_init("ka_task_attach_loop");
  if (status == KA_OK)
    status = check_plain_thread("ka_task_attach_loop");
  if (status != KA_OK)
    return status;
  struct ka__scheduler *s = ka__scheduler_create(NULL, loop);
  if (!s)
    return KA_ERROR_OUT_OF_MEMORY;
  uv_unref((uv_handle_t *)&s->wakeup);
  uv_unref((uv_handle_t *)&s->prepare);
  uv_unref((uv_handle_t *)&s->check);
  uv_unref((uv_handle_t *)&s->alarm);
  ka__scheduler_enter(s);
  return KA_OK;
}

ka_status ka_task_detach_loop(void) {
  struct ka__scheduler *s = ka__here;
  if (!s || s->pool != &s->own_pool || s->running)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_task_detach_loop: %s",
                    s && s->running ? "a task cannot do that; call it outside of tasks"
                                    : "this thread has no loop of ka_task_attach_loop");
  size_t live = atomic_load(&s->own_pool.live);
  if (live)
    return ka__fail(
        KA_ERROR_INVALID_ARGUMENT,
        "ka_task_detach_loop: %zu tasks of this thread have not ended; run the loop until "
        "they have",
        live);
  ka__here = NULL;
  ka__scheduler_release(s);
  return KA_OK;
}
