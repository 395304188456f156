/* ka_event_on_complete. Drivers' threads only put what is to be called in a list; one thread of
 * libka calls it, where all of libka may be used and nothing of the driver waits. */
#include "runtime/core/event.h"
#include "runtime/core/process.h"
#include "runtime/core/signals.h"
#include "runtime/core/status.h"

#include <stdlib.h>

struct callback {
  struct ka__completion completion; /* first: its address is the callback's */
  ka_event_function *function;
  void *argument;
  ka_event *event; /* held */
  struct callback *next;
};

/* The lock guards the rest, for moves of pointers only. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static struct callback *first, **end = &first;
static bool has_thread;

static void has_passed(struct ka__completion *completion) {
  struct callback *callback = (struct callback *)completion;
  pthread_mutex_lock(&lock);
  *end = callback;
  end = &callback->next;
  pthread_cond_signal(&some);
  pthread_mutex_unlock(&lock);
}

static struct callback *take(void) {
  pthread_mutex_lock(&lock);
  while (!first)
    pthread_cond_wait(&some, &lock);
  struct callback *callback = first;
  first = callback->next;
  if (!first)
    end = &first;
  pthread_mutex_unlock(&lock);
  return callback;
}

static void *run(void *none) {
  (void)none;
  for (;;) {
    struct callback *callback = take();
    callback->function(callback->event, callback->argument);
    ka_event_release(callback->event);
    free(callback);
  }
}

static bool start_thread(void) {
  pthread_mutex_lock(&lock);
  if (!has_thread)
    has_thread = ka__start_thread(run, NULL) == 0;
  bool started = has_thread;
  pthread_mutex_unlock(&lock);
  return started;
}

static ka_status on_complete(ka_event *event, ka_event_function *function, void *argument) {
  struct callback *callback = malloc(sizeof *callback);
  if (!callback || !start_thread()) {
    free(callback);
    return ka__fail(KA_ERROR_OUT_OF_MEMORY,
                    "ka_event_on_complete: no host memory, or no thread, for a callback");
  }
  *callback = (struct callback){{has_passed}, function, argument, event, NULL};
  ka__event_hold(event);
  ka_status status = ka__event_notify(event, &callback->completion);
  if (status != KA_OK) {
    ka_event_release(event);
    free(callback);
  }
  return status;
}

ka_status ka_event_on_complete(ka_event *event, ka_event_function *function, void *argument) {
  if (!function)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_event_on_complete: the function is NULL");
  if (!ka__enter())
    return ka__refused("ka_event_on_complete");
  ka_status status = on_complete(event, function, argument);
  ka__leave();
  return status;
}
