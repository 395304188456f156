/* Calls that a fault may let fail: what such a failure must leave, and that the call then succeeds.
 */
#ifndef KA_TEST_RUNTIME_SUPPORT_TRYING_H
#define KA_TEST_RUNTIME_SUPPORT_TRYING_H

#include "test/runtime/support/test.h"

enum faults {
  NO_FAULT,   /* every call must succeed */
  ONE_FAULT,  /* a call that fails must leave a text and succeed when it is made again */
  MANY_FAULTS /* calls may fail as often as they like */
};

/* Forgets what failed so far, and says what may fail from now on. */
void trying_begin(enum faults faults);
/* How many calls failed, and in `last`, if not NULL, the status of the last that did. */
int trying_failures(ka_status *last);
enum faults trying_faults(void);

/* What a fault of the driver, of memory or of the system may be reported as. */
bool trying_is_fault(ka_status status);
/* Counts a failure, and checks status and text. */
void trying_failed(ka_status status, const char *call, int line);
bool trying_is_ok(ka_status status, const char *call, int line);
bool trying_is_ok_again(ka_status status, const char *call, int line);

/* Whether the call succeeded, if need be at the second attempt. */
#define TRY(call)                                                                                  \
  (trying_is_ok((call), #call, __LINE__) ||                                                        \
   (trying_faults() == ONE_FAULT && trying_is_ok_again((call), #call, __LINE__)))

/* The same for calls that return a pointer. */
#define TRY_POINTER(pointer, call)                                                                 \
  (((pointer) = (call)) || (trying_failed(ka_error_status(), #call, __LINE__), false) ||           \
   (trying_faults() == ONE_FAULT &&                                                                \
    (((pointer) = (call)) || trying_is_ok_again(ka_error_status(), #call, __LINE__))))

#endif
