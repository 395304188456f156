/* The pool of wait requests and their states. */
#include "runtime/task/request.h"

#include "runtime/core/status.h"
#include "runtime/task/scheduler.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A lock of its own, held for two moves of a pointer: callbacks of drivers put requests back. */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static ka_wait_request *pool;

static ka_wait_request *from_pool(void) {
  pthread_mutex_lock(&pool_lock);
  ka_wait_request *request = pool;
  if (request)
    pool = request->next;
  pthread_mutex_unlock(&pool_lock);
  return request;
}

ka_wait_request *ka__request_take(void) {
  ka_wait_request *request = from_pool();
  if (!request) {
    request = ka__new_lines(sizeof *request);
    if (!request || sem_init(&request->signal, 0, 0) != 0) {
      free(request);
      ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for a wait");
      return NULL;
    }
  }
  request->task = ka_task_self();
  request->status = KA_OK;
  request->has_text = false;
  request->wait = NULL;
  request->object = NULL;
  request->next = NULL;
  atomic_store_explicit(&request->holders, 2, memory_order_relaxed);
  atomic_store_explicit(&request->state, KA__REQUEST_RUNNING, memory_order_relaxed);
  return request;
}

void ka__request_drop(ka_wait_request *request) {
  if (atomic_fetch_sub_explicit(&request->holders, 1, memory_order_acq_rel) != 1)
    return;
  pthread_mutex_lock(&pool_lock);
  request->next = pool;
  pool = request;
  pthread_mutex_unlock(&pool_lock);
}

void ka_wait_complete(ka_wait_request *request, ka_status status) {
  request->status = status;
  if (atomic_exchange_explicit(&request->state, KA__REQUEST_DONE, memory_order_acq_rel) ==
      KA__REQUEST_PARKED) {
    if (request->task)
      ka__task_wake(request->task);
    else
      sem_post(&request->signal);
  }
  ka__request_drop(request);
}

void ka__request_complete_with_text(ka_wait_request *request, ka_status status) {
  request->has_text = status != KA_OK;
  if (status != KA_OK)
    snprintf(request->text, sizeof request->text, "%s", ka_error_message());
  ka_wait_complete(request, status);
}

bool ka__request_is_done(const ka_wait_request *request) {
  return atomic_load_explicit(&request->state, memory_order_acquire) == KA__REQUEST_DONE;
}

void ka__request_park(ka_wait_request *request) {
  unsigned expected = KA__REQUEST_RUNNING;
  if (!atomic_compare_exchange_strong_explicit(&request->state, &expected, KA__REQUEST_PARKED,
                                               memory_order_acq_rel, memory_order_acquire))
    return;
  if (request->task)
    ka__task_park();
  else
    while (sem_wait(&request->signal) != 0 && errno == EINTR)
      ;
}

bool ka__request_abandon(ka_wait_request *request) {
  unsigned expected = KA__REQUEST_PARKED;
  if (!atomic_compare_exchange_strong_explicit(&request->state, &expected, KA__REQUEST_ABANDONED,
                                               memory_order_acq_rel, memory_order_acquire))
    return false;
  ka__task_wake(request->task);
  return true;
}

void ka__request_give_up(ka_wait_request *request) {
  unsigned expected = KA__REQUEST_RUNNING;
  atomic_compare_exchange_strong_explicit(&request->state, &expected, KA__REQUEST_ABANDONED,
                                          memory_order_acq_rel, memory_order_acquire);
}

bool ka__request_is_abandoned(const ka_wait_request *request) {
  return atomic_load_explicit(&request->state, memory_order_acquire) == KA__REQUEST_ABANDONED;
}

ka_status ka__request_outcome(const ka_wait_request *request) {
  if (request->status == KA_OK)
    return KA_OK;
  if (request->has_text)
    return ka__fail(request->status, "%s", request->text);
  return ka__fail(request->status, "what was waited for failed");
}
