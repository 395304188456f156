/* Names of statuses, error texts and KA_CHECK. */
#include "runtime/core/status.h"

#include "runtime/core/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ka_status_name(ka_status status) {
  switch (status) {
#define NAME(name, text)                                                                           \
  case KA_##name:                                                                                  \
    return "KA_" #name;
    KA_STATUS_LIST(NAME)
#undef NAME
  }
  return "an unknown ka_status";
}

static const char *status_text(ka_status status) {
  switch (status) {
#define TEXT(name, text)                                                                           \
  case KA_##name:                                                                                  \
    return text;
    KA_STATUS_LIST(TEXT)
#undef TEXT
  }
  return "an unknown status";
}

ka_status ka__fail_va(ka_status status, const char *format, va_list arguments) {
  struct ka__error *error = ka__thread_error();
  if (!error)
    return status;
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0)
    return status;
  /* A build log can be long. The text is made beside the old one, which may be an argument. */
  size_t bytes = (size_t)length + 1;
  char *text = bytes <= sizeof error->spare ? error->spare : malloc(bytes);
  if (!text) {
    text = error->spare;
    bytes = sizeof error->spare;
  }
  vsnprintf(text, bytes, format, arguments);
  free(error->heap);
  error->heap = NULL;
  if (text == error->spare) {
    memcpy(error->text, text, bytes);
    error->shown = error->text;
  } else {
    error->heap = text;
    error->shown = text;
  }
  return status;
}

ka_status ka__fail(ka_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ka__fail_va(status, format, arguments);
  va_end(arguments);
  return status;
}

const char *ka_error_message(void) {
  const struct ka__error *error = ka__thread_error();
  return error && error->shown ? error->shown : "";
}

void ka__check(ka_status status, const char *call, const char *file, int line) {
  if (status == KA_OK)
    return;
  const char *message = ka_error_message();
  fprintf(stderr, "%s:%d: %s\n  %s: %s\n", file, line, call, ka_status_name(status),
          *message ? message : status_text(status));
  exit(EXIT_FAILURE);
}
