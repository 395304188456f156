/* What an event is. */
#ifndef KA_RUNTIME_CORE_EVENT_H
#define KA_RUNTIME_CORE_EVENT_H

#include "runtime/backends/backend.h"

struct ka_event {
  _Atomic unsigned holders;  /* the program, waits, callbacks to come and dependencies */
  struct ka__stretch before; /* up to the last ticket submitted when the event was recorded */
  struct ka__stamp stamp;
};

/* Whether it is known to have passed; does not ask the driver. */
bool ka__event_has_passed(const ka_event *event);

/* Has the completion called, once, when the event has passed, from any thread and maybe before this
 * returns; not after a failure. Between ka__enter and ka__leave. */
ka_status ka__event_notify(const ka_event *event, struct ka__completion *completion);

void ka__event_hold(ka_event *event);

#endif
