/* Destructors of threads, whose keys are made at the first need. A key that could not be had is
 * asked for again, as pthread_once would not. */
#include "runtime/core/thread_end.h"

static bool get_key(struct ka__thread_end *end) {
  pthread_mutex_lock(&end->lock);
  if (!end->has_key)
    end->has_key = pthread_key_create(&end->key, end->function) == 0;
  bool has_key = end->has_key;
  pthread_mutex_unlock(&end->lock);
  return has_key;
}

bool ka__thread_end_set(struct ka__thread_end *end, void *value) {
  return get_key(end) && pthread_setspecific(end->key, value) == 0;
}
