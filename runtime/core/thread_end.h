/* Something to be done when a thread ends. */
#ifndef KA_RUNTIME_CORE_THREAD_END_H
#define KA_RUNTIME_CORE_THREAD_END_H

#include <pthread.h>
#include <stdbool.h>

struct ka__thread_end {
  void (*function)(void *value);
  pthread_mutex_t lock; /* guards the rest; none is taken inside */
  bool has_key;
  pthread_key_t key;
};

#define KA__THREAD_END(function) {(function), PTHREAD_MUTEX_INITIALIZER, false, 0}

/* When the calling thread ends, the function is called with the value, not NULL. False: there is no
 * memory for that; a later call may succeed. */
bool ka__thread_end_set(struct ka__thread_end *end, void *value);

#endif
