/* How libka waits in a task. */
#include "runtime/core/cooperation.h"

#include "runtime/core/process.h"

#include <stdatomic.h>

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

ka_status ka__wait_in_task(const ka_wait_ops *ops, void *object) {
  ka__leave();
  ka_status status = get_tasks()->wait(ops, object);
  return ka__enter_again() ? status : ka__refused("a wait in a task");
}

void ka__wait_over(ka_wait_request *request) { get_tasks()->complete(request, KA_OK); }
