/* The error text of each thread. */
#ifndef KA_RUNTIME_CORE_STATUS_H
#define KA_RUNTIME_CORE_STATUS_H

#include <ka/ka.h>

/* Makes the text of ka_error_message() in the calling thread and returns `status`, so that a
 * failure is one statement: return ka__fail(KA_ERROR_..., "...", ...). A text says what failed,
 * where (kernel, parameter, device) and what to do; it has no full stop at the end. The arguments
 * may point into the present text. */
__attribute__((format(printf, 2, 3))) ka_status ka__fail(ka_status status, const char *format, ...);

#endif
