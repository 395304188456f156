/* The error text of each thread and task. */
#ifndef KA_RUNTIME_CORE_STATUS_H
#define KA_RUNTIME_CORE_STATUS_H

#include <ka/ka.h>

/* Makes the text of ka_error_message() in the calling thread and returns `status`, so that a
 * failure is one statement: return ka__fail(KA_ERROR_..., "...", ...). A text says what failed,
 * where (kernel, parameter, device) and what to do; it has no full stop at the end. The arguments
 * may point into the present text. Exported for libka-task. */
KA_API __attribute__((format(printf, 2, 3))) ka_status ka__fail(ka_status status,
                                                                const char *format, ...);

/* The text of a task while it does not run, or of the thread meanwhile. All zero: none yet. */
struct ka__error_place {
  struct ka__error *error;
  const char *general;
  ka_status status; /* of the last failure */
  bool of_task;
};

/* The calling thread from now on uses the other place. */
void ka__error_swap(struct ka__error_place *other);
/* The task whose place it was has ended. */
void ka__error_fini(struct ka__error_place *place);

#endif
