/* What ka-info says, in two forms. */
#ifndef KA_TOOLS_KA_INFO_REPORT_H
#define KA_TOOLS_KA_INFO_REPORT_H

#include <ka/ka.h>

enum { REPORT_BACKENDS = 8 };

struct backend_report {
  const char *name;
  ka_backend *backend; /* NULL: does not work */
  char *reason;        /* why not */
};

struct report {
  int count;
  struct backend_report backends[REPORT_BACKENDS];
  ka_backend *chosen; /* the default backend; NULL: none */
  int chosen_device;
  char *reason;         /* why there is none */
  const char *variable; /* value of KA_BACKEND, or NULL */
};

void report_print(const struct report *report);
void report_json(const struct report *report);

#endif
