/* Calls that a fault may let fail. Any thread and any task may make them. */
#include "test/runtime/support/trying.h"

#include <stdatomic.h>

static enum faults allowed;
static _Atomic int failures;
static _Atomic ka_status last_failure;

void trying_begin(enum faults faults) {
  allowed = faults;
  atomic_store(&failures, 0);
  atomic_store(&last_failure, KA_OK);
}

int trying_failures(ka_status *last) {
  if (last)
    *last = atomic_load(&last_failure);
  return atomic_load(&failures);
}

enum faults trying_faults(void) { return allowed; }

bool trying_is_fault(ka_status status) {
  switch (status) {
  case KA_ERROR_NO_BACKEND:
  case KA_ERROR_NO_DEVICE:
  case KA_ERROR_BUILD_FAILED:
  case KA_ERROR_OUT_OF_MEMORY:
  case KA_ERROR_OUT_OF_DEVICE_MEMORY:
  case KA_ERROR_DRIVER:
  case KA_ERROR_KERNEL_FAILED:
    return true;
  default:
    return false;
  }
}

void trying_failed(ka_status status, const char *call, int line) {
  if (allowed == NO_FAULT)
    test_fail(__FILE__, line, "%s: %s: %s", call, ka_status_name(status), ka_error_message());
  if (!trying_is_fault(status))
    test_fail(__FILE__, line, "%s is %s, which no fault explains: %s", call, ka_status_name(status),
              ka_error_message());
  if (!*ka_error_message())
    test_fail(__FILE__, line, "%s failed without a text", call);
  if (ka_error_status() != status)
    test_fail(__FILE__, line, "%s gives %s, but ka_error_status() %s", call, ka_status_name(status),
              ka_status_name(ka_error_status()));
  atomic_store(&last_failure, status);
  atomic_fetch_add(&failures, 1);
}

bool trying_is_ok(ka_status status, const char *call, int line) {
  if (status != KA_OK)
    trying_failed(status, call, line);
  return status == KA_OK;
}

bool trying_is_ok_again(ka_status status, const char *call, int line) {
  if (status != KA_OK)
    test_fail(__FILE__, line, "%s failed again: %s: %s", call, ka_status_name(status),
              ka_error_message());
  return true;
}
