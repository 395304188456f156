/* Kernel metadata (ka/abi.h), checked once and then used in place. */
#ifndef KA_RUNTIME_CORE_METADATA_H
#define KA_RUNTIME_CORE_METADATA_H

#include <ka/ka.h>

/* One kernel's records. Everything points into the bundle. */
struct ka__kernel_view {
  const struct ka_metadata_kernel *record;
  const struct ka_metadata_param *params;     /* record->param_count */
  const struct ka_metadata_pointer *pointers; /* the whole table */
  const struct ka_metadata_site *sites;       /* record->site_count */
  const char *strings;                        /* base of all string offsets */
  const char *name, *symbol, *file;
};

/* Checks everything that a reader relies on: sizes, offsets, indices, strings, kinds. `*why` gets
 * a static text on failure. `bytes` need not be what the header says, only as much. */
bool ka__metadata_check(const void *metadata, size_t bytes, const char **why);

/* Of checked metadata. */
uint32_t ka__metadata_kernel_count(const void *metadata);
void ka__metadata_kernel(const void *metadata, uint32_t index, struct ka__kernel_view *view);

#endif
