/* What is to happen when: a heap of moments, for one scheduler thread. */
#ifndef KA_RUNTIME_TASK_TIMERS_H
#define KA_RUNTIME_TASK_TIMERS_H

#include <ka/task.h>
#include <stdbool.h>
#include <stdint.h>

/* In the heap between ka__timers_add and the moment it is taken out; owned by the caller. */
struct ka__timer {
  uint64_t when;                                  /* nanoseconds of CLOCK_MONOTONIC */
  ka_wait_request *request;                       /* is completed then */
  struct ka__timer *child, *sibling, **reference; /* a pairing heap; `reference` points here */
};

struct ka__timers {
  struct ka__timer *first; /* the earliest; NULL: none */
};

void ka__timers_add(struct ka__timers *timers, struct ka__timer *timer);
void ka__timers_remove(struct ka__timers *timers, struct ka__timer *timer);
static inline bool ka__timer_is_set(const struct ka__timer *timer) { return timer->reference; }

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t ka__now(void);

#endif
