/* The registry of backends: names, KA_BACKEND, the default. */
#include "runtime/backends/backend.h"

#include "runtime/core/device.h"
#include "runtime/core/exit.h"
#include "runtime/core/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ka_backend backends[KA__BACKENDS_MAX];
static bool is_open[KA__BACKENDS_MAX];
/* Held while a driver is loaded: who asks for a backend meanwhile has to wait for it anyway. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ka_backend *chosen; /* what ka_default_backend found */

/* Under the lock. */
static ka_status open_backend(int index) {
  if (is_open[index])
    return KA_OK;
  ka_backend *backend = &backends[index];
  backend->table = ka__backend_tables[index];
  backend->index = index;
  ka_status status = backend->table->open(backend);
  if (status != KA_OK)
    return status;
  is_open[index] = true;
  ka__exit_watch();
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

/* "opencl" or "opencl:1" taken apart; device -1: none was given. */
static ka_status parse(const char *what, const char *text, int *index, int *device) {
  size_t length = strcspn(text, ":");
  char known[128] = "";
  for (int i = 0; ka__backend_tables[i]; i++) {
    const char *name = ka__backend_tables[i]->name;
    if (strlen(name) == length && strncmp(name, text, length) == 0) {
      *index = i;
      *device = -1;
      if (text[length] == 0)
        return KA_OK;
      const char *number = text + length + 1;
      char *end;
      errno = 0;
      long value = strtol(number, &end, 10);
      if (*number < '0' || *number > '9' || *end != 0 || errno != 0 || value > 1000000)
        return ka__fail(KA_ERROR_NO_DEVICE,
                        "%s\"%s\": \"%s\" is no device number; write %s or %s:0", what, text,
                        number, name, name);
      *device = (int)value;
      return KA_OK;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", name);
  }
  return ka__fail(KA_ERROR_NO_BACKEND,
                  "%s\"%s\": there is no backend of this name; this libka has: %s", what, text,
                  known);
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
    return NULL;
  }
  ka_backend *backend = NULL;
  int device = -1;
  pthread_mutex_lock(&lock);
  ka_status status = open_by_name("ka_backend_open: ", name, &backend, &device);
  pthread_mutex_unlock(&lock);
  if (status == KA_OK && device >= 0)
    status = ka_set_device(backend, device);
  return status == KA_OK ? backend : NULL;
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
  pthread_mutex_lock(&lock);
  if (!chosen) {
    const char *wanted = getenv("KA_BACKEND");
    if (wanted && *wanted) {
      int device = -1;
      if (open_by_name("KA_BACKEND=", wanted, &chosen, &device) == KA_OK && device >= 0)
        atomic_store(&chosen->default_device, device);
    } else {
      chosen = best();
    }
  }
  ka_backend *backend = chosen;
  pthread_mutex_unlock(&lock);
  return backend;
}
