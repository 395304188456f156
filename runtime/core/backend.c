/* The registry of backends: names, KA_BACKEND, the default. */
#include "runtime/backends/backend.h"

#include "runtime/core/check.h"
#include "runtime/core/device.h"
#include "runtime/core/process.h"
#include "runtime/core/signals.h"
#include "runtime/core/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ka_backend backends[KA__BACKENDS_MAX];
static bool is_open[KA__BACKENDS_MAX];
/* Held while a driver is loaded: who asks for a backend meanwhile has to wait for it anyway. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(ka_backend *) chosen; /* what ka_default_backend found */

/* Why the thread's last attempt to get a backend failed, for programs that go on with NULL. */
static _Thread_local char last_failure[512];

/* Returns NULL, what the program then gets; the text of the failure is that of ka_error_message. */
static ka_backend *remember_failure(void) {
  snprintf(last_failure, sizeof last_failure, "%s", ka_error_message());
  return NULL;
}

ka_status ka__null_backend(const char *call) {
  if (*last_failure)
    return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                    "%s: the backend is NULL; this thread got none for this reason: %s", call,
                    last_failure);
  return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                  "%s: the backend is NULL; when ka_default_backend() returns NULL, "
                  "ka_error_message() says why",
                  call);
}

/* The index of the backend that "opencl" or "opencl:1" names, or -1. `*number` gets what is behind
 * the colon, or NULL. */
static int find(const char *text, const char **number) {
  size_t length = strcspn(text, ":");
  *number = text[length] ? text + length + 1 : NULL;
  for (int i = 0; ka__backend_tables[i]; i++) {
    const char *name = ka__backend_tables[i]->name;
    if (strlen(name) == length && strncmp(name, text, length) == 0)
      return i;
  }
  return -1;
}

/* The device's number that the text says, or -1. */
static int parse_number(const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  bool good = *text >= '0' && *text <= '9' && *end == 0 && errno == 0 && value <= 1000000;
  return good ? (int)value : -1;
}

/* Makes the device that KA_BACKEND asks for the default of all threads, once. The backend is open;
 * under the lock. */
static void apply_variable(ka_backend *backend) {
  static bool applied[KA__BACKENDS_MAX];
  const char *variable = getenv("KA_BACKEND"), *number;
  if (applied[backend->index] || !variable || find(variable, &number) != backend->index || !number)
    return;
  int device = parse_number(number);
  if (device < 0 || device >= backend->device_count)
    return; /* ka_default_backend says so */
  applied[backend->index] = true;
  atomic_store(&backend->default_device, device);
}

/* Under the lock. */
static ka_status open_backend(int index) {
  ka_backend *backend = &backends[index];
  if (!is_open[index]) {
    backend->table = ka__backend_tables[index];
    backend->index = index;
    sigset_t signals;
    ka__signals_block_all(&signals);
    ka__check_begin();
    ka_status status = backend->table->open(backend);
    ka__signals_restore(&signals);
    if (status != KA_OK)
      return status;
    is_open[index] = true;
    ka__exit_watch();
  }
  apply_variable(backend);
  return KA_OK;
}

const char *ka_backend_name(const ka_backend *backend) {
  return backend ? backend->table->name : "";
}

const char *ka_backend_name_at(int index) {
  for (int i = 0; i <= index; i++)
    if (!ka__backend_tables[i])
      return NULL;
  return index < 0 ? NULL : ka__backend_tables[index]->name;
}

const char *ka_backend_notes(const ka_backend *backend) {
  return backend && backend->notes ? backend->notes : "";
}

/* The backend of "opencl" or "opencl:1"; `*device` is -1 if the text says none. */
static ka_status parse(const char *what, const char *text, int *index, int *device) {
  const char *number;
  *index = find(text, &number);
  *device = -1;
  if (*index < 0) {
    char known[128] = "";
    for (int i = 0; ka__backend_tables[i]; i++) {
      size_t used = strlen(known);
      snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
               ka__backend_tables[i]->name);
    }
    return ka__fail(KA_ERROR_NO_BACKEND,
                    "%s\"%s\": there is no backend of this name; this libka has: %s", what, text,
                    known);
  }
  if (!number)
    return KA_OK;
  *device = parse_number(number);
  if (*device >= 0)
    return KA_OK;
  const char *name = ka__backend_tables[*index]->name;
  return ka__fail(KA_ERROR_NO_DEVICE, "%s\"%s\": \"%s\" is no device number; write %s or %s:0",
                  what, text, number, name, name);
}

/* Under the lock. */
static ka_status open_by_name(const char *what, const char *text, ka_backend **backend,
                              int *device) {
  int index = 0;
  ka_status status = parse(what, text, &index, device);
  if (status != KA_OK)
    return status;
  status = open_backend(index);
  if (status != KA_OK)
    return ka__fail(status, "%s\"%s\": %s", what, text, ka_error_message());
  ka_backend *found = &backends[index];
  if (*device >= found->device_count) {
    char list[512] = "";
    for (int d = 0; d < found->device_count; d++) {
      size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%s:%d (%s)", used ? ", " : "",
               found->table->name, d, found->devices[d].properties.name);
    }
    return ka__fail(KA_ERROR_NO_DEVICE, "%s\"%s\": there is no such device; there is: %s", what,
                    text, list);
  }
  *backend = found;
  return KA_OK;
}

ka_backend *ka_backend_open(const char *name) {
  if (!name) {
    ka__fail(KA_ERROR_INVALID_ARGUMENT, "ka_backend_open: the name is NULL");
    return remember_failure();
  }
  if (!ka__enter()) {
    ka__refused("ka_backend_open");
    return remember_failure();
  }
  ka_backend *backend = NULL;
  int device = -1;
  pthread_mutex_lock(&lock);
  ka_status status = open_by_name("ka_backend_open: ", name, &backend, &device);
  pthread_mutex_unlock(&lock);
  ka__leave();
  if (status == KA_OK && device >= 0)
    status = ka_set_device(backend, device);
  return status == KA_OK ? backend : remember_failure();
}

/* The first that works; the message collects why the others do not. Under the lock. */
static ka_backend *best(void) {
  char reasons[4096] = "";
  for (int i = 0; ka__backend_tables[i]; i++) {
    if (open_backend(i) == KA_OK)
      return &backends[i];
    size_t used = strlen(reasons);
    snprintf(reasons + used, sizeof reasons - used, "%s%s: %s", used ? "; " : "",
             ka__backend_tables[i]->name, ka_error_message());
  }
  ka__fail(KA_ERROR_NO_BACKEND, "no backend works on this machine. %s", reasons);
  return NULL;
}

ka_backend *ka_default_backend(void) {
  ka_backend *backend = atomic_load_explicit(&chosen, memory_order_acquire);
  if (backend && !ka__forked())
    return backend;
  if (!ka__enter()) {
    ka__refused("ka_default_backend");
    return remember_failure();
  }
  pthread_mutex_lock(&lock);
  backend = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!backend) {
    const char *wanted = getenv("KA_BACKEND");
    if (wanted && *wanted) {
      int device = -1;
      open_by_name("KA_BACKEND=", wanted, &backend, &device);
    } else {
      backend = best();
    }
    atomic_store_explicit(&chosen, backend, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  ka__leave();
  return backend ? backend : remember_failure();
}
