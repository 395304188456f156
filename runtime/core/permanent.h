/* Memory that stays until the program ends, for what threads read without a lock. */
#ifndef KA_RUNTIME_CORE_PERMANENT_H
#define KA_RUNTIME_CORE_PERMANENT_H

#include <stddef.h>

/* All bits zero, in whole lines of the cache. From any thread. NULL: out of host memory. */
void *ka__permanent(size_t bytes);

#endif
