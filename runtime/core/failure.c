/* Failures, and the stretches of queues that are looked at. A stretch takes the failures it covers
 * for itself, so it costs something only when something fails, and nothing is kept that nobody can
 * ask for. */
#include "runtime/core/failure.h"

#include "runtime/backends/backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands for a failure that there was no memory for. It is never freed, and by its ticket it comes
 * before all others. */
static struct ka__failure unknown = {
    .status = KA_ERROR_KERNEL_FAILED,
    .text = "an operation failed while it ran, and there was no host memory to say which"};

/* What follows is called under the lock of the failure's queue. */

static void let_go(struct ka__failure *failure) {
  if (failure && atomic_fetch_sub(&failure->holders, 1) == 1 && failure != &unknown)
    free(failure);
}

/* Puts the failure, or none, in a place where another may be. */
static void put(struct ka__failure **place, struct ka__failure *failure) {
  if (failure)
    atomic_fetch_add(&failure->holders, 1);
  let_go(*place);
  *place = failure;
}

static bool is_known(const struct ka__failure *first, uint64_t ticket) {
  return first && first->ticket <= ticket;
}

static void enter(struct ka__stretch *stretch) {
  stretch->next = stretch->queue->stretches;
  stretch->at = &stretch->queue->stretches;
  *stretch->at = stretch;
  if (stretch->next)
    stretch->next->at = &stretch->next;
}

static void all_is_told(struct ka__queue *queue) {
  queue->told = atomic_load(&queue->submitted);
  put(&queue->failure, NULL);
}

/* ---- */

void ka__stretch_begin(struct ka__stretch *stretch, struct ka__queue *queue, uint64_t up_to) {
  pthread_mutex_lock(&queue->lock);
  *stretch = (struct ka__stretch){.queue = queue, .after = queue->told, .up_to = up_to};
  if (is_known(queue->failure, up_to))
    put(&stretch->failure, queue->failure);
  enter(stretch);
  pthread_mutex_unlock(&queue->lock);
}

void ka__stretch_end(struct ka__stretch *stretch) {
  pthread_mutex_t *lock = &stretch->queue->lock;
  pthread_mutex_lock(lock);
  *stretch->at = stretch->next;
  if (stretch->next)
    stretch->next->at = stretch->at;
  put(&stretch->failure, NULL);
  pthread_mutex_unlock(lock);
}

ka_status ka__stretch_failure(const struct ka__stretch *stretch, char text[KA__FAILURE_TEXT]) {
  ka_status status = KA_OK;
  pthread_mutex_lock(&stretch->queue->lock);
  struct ka__failure *failure = stretch->failure;
  if (failure) {
    atomic_store(&failure->found, true);
    status = failure->status;
    memcpy(text, failure->text, KA__FAILURE_TEXT);
  }
  pthread_mutex_unlock(&stretch->queue->lock);
  return status;
}

void ka__queue_failed(struct ka__queue *queue, uint64_t ticket, ka_status status,
                      const char *format, ...) {
  struct ka__failure *failure = malloc(sizeof *failure);
  if (failure) {
    *failure = (struct ka__failure){.holders = 1, .ticket = ticket, .status = status};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
  } else {
    failure = &unknown;
    atomic_fetch_add(&unknown.holders, 1);
  }
  pthread_mutex_lock(&queue->lock);
  /* What fails after the first is mostly its consequence, and is not told. That it came first may
   * show later: that what a queue waited for has failed is seen by a look at the other queue. */
  if (ticket > queue->told && !is_known(queue->failure, ticket))
    put(&queue->failure, failure);
  for (struct ka__stretch *s = queue->stretches; s; s = s->next)
    if (s->after < ticket && ticket <= s->up_to && !is_known(s->failure, ticket))
      put(&s->failure, failure);
  let_go(failure);
  pthread_mutex_unlock(&queue->lock);
}

ka_status ka__queue_take_error(struct ka__queue *queue) {
  ka_status status = KA_OK;
  pthread_mutex_lock(&queue->lock);
  if (queue->failure) {
    status = ka__fail(queue->failure->status, "%s", queue->failure->text);
    all_is_told(queue);
  }
  pthread_mutex_unlock(&queue->lock);
  return status;
}

void ka__queue_forget_error(struct ka__queue *queue) {
  pthread_mutex_lock(&queue->lock);
  all_is_told(queue);
  pthread_mutex_unlock(&queue->lock);
}

void ka__queue_tell_error(struct ka__queue *queue) {
  pthread_mutex_lock(&queue->lock);
  const struct ka__failure *failure = queue->failure;
  if (failure && !atomic_load(&failure->found))
    fprintf(stderr,
            "ka: the program ends without having asked how its kernels went (ka_synchronize): "
            "%s\n",
            failure->text);
  pthread_mutex_unlock(&queue->lock);
}
