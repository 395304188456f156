/* What the two halves of the group "tasks" share. */
#ifndef KA_BENCHMARK_TASKS_H
#define KA_BENCHMARK_TASKS_H

#include <ka/task.h>
#include <stdbool.h>

/* Runs a task on this thread and returns what it stored in `measured`. */
double tasks_run(ka_task_function *function, void *argument, double *measured);

bool tasks_alone(const char *name, const char *unit, double bound, double (*run)(void *),
                 void *state);
bool tasks_beside(const char *name, const char *unit, const char *peer_name, double bound,
                  double (*ka)(void *), double (*peer)(void *), void *state);

/* Kernels that a task waits for, a ticker meanwhile, and events between tasks. */
bool tasks_with_kernels(void);

#endif
