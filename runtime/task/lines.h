/* Memory that threads on different cores write at the same time: in cache lines of its own. */
#ifndef KA_RUNTIME_TASK_LINES_H
#define KA_RUNTIME_TASK_LINES_H

#include <stdlib.h>
#include <string.h>

enum { KA__CACHE_LINE = 64 };

/* `bytes`, of a type that is aligned to cache lines, all zero; to be freed with free. NULL if there
 * is no memory. */
static inline void *ka__new_lines(size_t bytes) {
  void *lines = aligned_alloc(KA__CACHE_LINE, bytes);
  if (lines)
    memset(lines, 0, bytes);
  return lines;
}

#endif
