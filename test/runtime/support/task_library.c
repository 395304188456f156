/* A library that uses tasks, for a program that does not. */
#include <ka/task.h>
#include <stdint.h>

__attribute__((visibility("default"))) int run_tasks(int count);

static ka_status give(void *argument, void **result) {
  ka_yield();
  *result = argument;
  return KA_OK;
}

static ka_status sum(void *argument, void **result) {
  intptr_t total = 0;
  for (intptr_t i = 0; i < (intptr_t)argument; i++) {
    void *one;
    ka_task *task = ka_spawn(NULL, give, (void *)i);
    ka_status status = ka_task_fetch(task, &one);
    ka_task_release(task);
    if (status != KA_OK)
      return status;
    total += (intptr_t)one;
  }
  *result = (void *)total;
  return KA_OK;
}

int run_tasks(int count) {
  void *total = NULL;
  ka_task *task = ka_spawn(NULL, sum, (void *)(intptr_t)count);
  ka_status status = ka_task_fetch(task, &total);
  ka_task_release(task);
  return status == KA_OK ? (int)(intptr_t)total : -1;
}
