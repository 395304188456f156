/* At exit: waits for what is in flight, once, before the drivers' own exit functions run. */
#include "runtime/core/exit.h"

#include "runtime/core/queue.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic bool exiting;

static void at_exit(void) {
  if (atomic_exchange(&exiting, true))
    return;
  ka__queue_finish_all();
}

void ka__exit_watch(void) { atexit(at_exit); }

bool ka__exiting(void) { return atomic_load(&exiting); }
