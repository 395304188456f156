/* How libka waits in a task. */
#include "runtime/core/cooperation.h"

#include "runtime/core/process.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct ka__cooperation *) tasks;

static const struct ka__cooperation *get_tasks(void) {
  return atomic_load_explicit(&tasks, memory_order_acquire);
}

void ka__cooperate(const struct ka__cooperation *cooperation) {
  atomic_store_explicit(&tasks, cooperation, memory_order_release);
}

void ka__task_state_init(struct ka__task_state *state) {
  *state = (struct ka__task_state){.error.of_task = true, .thread.of_task = true};
}

void ka__task_state_swap(struct ka__task_state *state) {
  ka__error_swap(&state->error);
  ka__thread_swap(&state->thread);
}

void ka__task_state_fini(struct ka__task_state *state) {
  ka__thread_fini(&state->thread);
  ka__error_fini(&state->error);
}

bool ka__in_task(void) {
  const struct ka__cooperation *t = get_tasks();
  /* At the end of the program no task goes on any more. */
  return t && t->in_task() && !ka__exiting();
}

bool ka__in_callback_of_loop(void) {
  const struct ka__cooperation *t = get_tasks();
  return t && t->in_callback() && !ka__exiting();
}

ka_status ka__cancellation(void) { return ka__in_task() ? get_tasks()->cancellation() : KA_OK; }

ka_status ka__wait_in_task(const ka_wait_ops *ops, void *object) {
  ka__leave();
  ka_status status = get_tasks()->wait(ops, object);
  return ka__enter_again() ? status : ka__refused("a wait in a task");
}

struct aside {
  ka_status (*function)(void *argument);
  void *argument;
  char *text; /* of a failure: a build log is longer than what a wait request has room for */
};

static ka_status run_aside(void *object) {
  struct aside *aside = object;
  if (!ka__enter())
    return ka__refused("work for a task");
  ka_status status = aside->function(aside->argument);
  ka__leave();
  if (status != KA_OK)
    aside->text = strdup(ka_error_message());
  return status;
}

ka_status ka__run_aside(ka_status (*function)(void *argument), void *argument) {
  if (!ka__in_task())
    return function(argument);
  static const ka_wait_ops ops = {.wait = run_aside, .uninterruptible = true};
  struct aside aside = {function, argument, NULL};
  ka_status status = ka__wait_in_task(&ops, &aside);
  if (status != KA_OK && aside.text)
    ka__fail(status, "%s", aside.text);
  free(aside.text);
  return status;
}

void ka__wait_over(ka_wait_request *request) { get_tasks()->complete(request, KA_OK); }
