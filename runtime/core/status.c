/* Names of statuses, error texts and KA_CHECK. */
#include "runtime/core/status.h"

#include "runtime/core/thread_end.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The error text of a thread or task. */
struct ka__error {
  const char *shown; /* `text`, `heap` or NULL */
  char *heap;        /* a text too long for `text` */
  char text[1024];
  char spare[1024]; /* where the next text is made: it may quote the present one */
};

/* `error` is made at the first failure and released when the thread or task ends. While there is no
 * memory for it, `general` says what the status means in general. */
static _Thread_local struct ka__error_place here;

static void release(struct ka__error *error) {
  if (error)
    free(error->heap);
  free(error);
}

static void thread_end(void *pointer) {
  release(pointer);
  /* Destructors of other keys may still fail: they get a fresh text. */
  here.error = NULL;
}

static struct ka__thread_end end = KA__THREAD_END(thread_end);

/* The caller's; NULL if there is no memory for it. */
static struct ka__error *get_error(void) {
  if (here.error)
    return here.error;
  struct ka__error *error = calloc(1, sizeof *error);
  if (!error)
    return NULL;
  /* A task's text is released with the task. */
  if (!here.of_task && !ka__thread_end_set(&end, error)) {
    free(error);
    return NULL;
  }
  here.error = error;
  return error;
}

void ka__error_swap(struct ka__error_place *other) {
  struct ka__error_place place = here;
  here = *other;
  *other = place;
}

void ka__error_fini(struct ka__error_place *place) { release(place->error); }

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

static ka_status fail_va(ka_status status, const char *format, va_list arguments) {
  here.status = status;
  struct ka__error *error = get_error();
  if (!error) {
    here.general = status_text(status);
    return status;
  }
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
  fail_va(status, format, arguments);
  va_end(arguments);
  return status;
}

ka_status ka_error_status(void) { return here.status; }

const char *ka_error_message(void) {
  if (here.error && here.error->shown)
    return here.error->shown;
  return here.general ? here.general : "";
}

void ka__check(ka_status status, const char *call, const char *file, int line) {
  if (status == KA_OK)
    return;
  const char *message = ka_error_message();
  fprintf(stderr, "%s:%d: %s\n  %s: %s\n", file, line, call, ka_status_name(status),
          *message ? message : status_text(status));
  exit(EXIT_FAILURE);
}
