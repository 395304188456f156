/* Checks kernel metadata, so that its users need not. */
#include "runtime/core/metadata.h"

/* A table of `count` records lies inside and is aligned for them. */
static bool table_fits(uint32_t total, uint32_t count, uint32_t offset, size_t record) {
  return offset % 8 == 0 && offset <= total && count <= (total - offset) / record;
}

static bool string_ok(const struct ka_metadata_header *h, uint32_t offset) {
  /* The table ends with a NUL, so a string that begins inside ends inside. */
  return offset < h->string_bytes;
}

static const char *check_param(const struct ka_metadata_header *h,
                               const struct ka_metadata_pointer *pointers,
                               const struct ka_metadata_kernel *kernel,
                               const struct ka_metadata_param *p) {
  if (!string_ok(h, p->name) || !string_ok(h, p->type))
    return "a parameter's name lies outside the strings";
  if (p->kind > KA_METADATA_LOCAL)
    return "a parameter has an unknown kind";
  if (p->offset > kernel->tuple_bytes || p->size > kernel->tuple_bytes - p->offset || p->size == 0)
    return "a parameter lies outside the tuple";
  if ((p->kind == KA_METADATA_POINTER || p->kind == KA_METADATA_LOCAL) && p->size != sizeof(void *))
    return "a pointer parameter has the wrong size";
  if (p->flags & KA_METADATA_SPILLED &&
      (p->kind == KA_METADATA_LOCAL || !(kernel->flags & KA_METADATA_SPILLS)))
    return "a parameter is spilled that cannot be";
  if (p->first_pointer > h->pointer_count || p->pointer_count > h->pointer_count - p->first_pointer)
    return "a parameter's pointers lie outside their table";
  if (p->pointer_count && p->kind != KA_METADATA_AGGREGATE)
    return "a parameter that is no aggregate has pointers inside";
  for (uint32_t i = 0; i < p->pointer_count; i++) {
    const struct ka_metadata_pointer *pointer = &pointers[p->first_pointer + i];
    if (p->size < sizeof(void *) || pointer->offset > p->size - sizeof(void *))
      return "a pointer lies outside its parameter";
    if (!string_ok(h, pointer->path))
      return "a pointer's path lies outside the strings";
  }
  return NULL;
}

static const char *check_sites(const struct ka_metadata_header *h,
                               const struct ka_metadata_site *sites,
                               const struct ka_metadata_kernel *kernel, uint32_t *left) {
  if (kernel->first_site > h->site_count || kernel->site_count > h->site_count - kernel->first_site)
    return "a kernel's sites lie outside their table";
  if (kernel->site_count > *left)
    return "kernels share sites";
  *left -= kernel->site_count;
  for (uint32_t i = 0; i < kernel->site_count; i++) {
    const struct ka_metadata_site *site = &sites[kernel->first_site + i];
    if (!string_ok(h, site->text) || !string_ok(h, site->file) || !string_ok(h, site->function))
      return "a site's text lies outside the strings";
  }
  return NULL;
}

static const char *check(const void *metadata, size_t bytes) {
  const struct ka_metadata_header *h = metadata;
  if ((uintptr_t)metadata % 8 != 0)
    return "the metadata is not aligned";
  if (bytes < sizeof *h)
    return "the metadata is too short";
  if (h->magic != KA_METADATA_MAGIC)
    return "the metadata does not begin with its magic number";
  if (h->version != KA_METADATA_VERSION)
    return "the metadata has another version";
  if (h->bytes > bytes || h->bytes < sizeof *h)
    return "the metadata is cut off";
  if (!table_fits(h->bytes, h->kernel_count, h->kernel_offset, sizeof(struct ka_metadata_kernel)) ||
      !table_fits(h->bytes, h->param_count, h->param_offset, sizeof(struct ka_metadata_param)) ||
      !table_fits(h->bytes, h->pointer_count, h->pointer_offset,
                  sizeof(struct ka_metadata_pointer)) ||
      !table_fits(h->bytes, h->site_count, h->site_offset, sizeof(struct ka_metadata_site)))
    return "a table of the metadata lies outside it";
  if (h->string_offset > h->bytes || h->string_bytes > h->bytes - h->string_offset)
    return "the strings of the metadata lie outside it";
  const char *base = metadata;
  if (h->string_bytes && base[h->string_offset + h->string_bytes - 1] != 0)
    return "the strings of the metadata do not end";

  const struct ka_metadata_kernel *kernels = (const void *)(base + h->kernel_offset);
  const struct ka_metadata_param *params = (const void *)(base + h->param_offset);
  const struct ka_metadata_site *sites = (const void *)(base + h->site_offset);
  const struct ka_metadata_pointer *pointers = (const void *)(base + h->pointer_offset);
  /* No record serves twice. Without this rule a small file could ask for a long check. */
  uint32_t params_left = h->param_count, pointers_left = h->pointer_count;
  uint32_t sites_left = h->site_count;
  for (uint32_t k = 0; k < h->kernel_count; k++) {
    const struct ka_metadata_kernel *kernel = &kernels[k];
    if (!string_ok(h, kernel->name) || !string_ok(h, kernel->symbol) || !string_ok(h, kernel->file))
      return "a kernel's name lies outside the strings";
    if (base[h->string_offset + kernel->symbol] == 0)
      return "a kernel has no symbol";
    if (kernel->first_param > h->param_count ||
        kernel->param_count > h->param_count - kernel->first_param)
      return "a kernel's parameters lie outside their table";
    if (kernel->param_count > params_left)
      return "kernels share parameters";
    params_left -= kernel->param_count;
    const char *why_sites = check_sites(h, sites, kernel, &sites_left);
    if (why_sites)
      return why_sites;
    const uint32_t *g = kernel->group_size;
    if ((g[0] || g[1] || g[2]) && !(g[0] && g[1] && g[2]))
      return "a kernel has a group size with a zero in it";
    for (uint32_t i = 0; i < kernel->param_count; i++) {
      const struct ka_metadata_param *param = &params[kernel->first_param + i];
      if (param->pointer_count > pointers_left)
        return "parameters share pointers";
      pointers_left -= param->pointer_count;
      const char *why = check_param(h, pointers, kernel, param);
      if (why)
        return why;
    }
  }
  return NULL;
}

bool ka__metadata_check(const void *metadata, size_t bytes, const char **why) {
  *why = check(metadata, bytes);
  return *why == NULL;
}

uint32_t ka__metadata_kernel_count(const void *metadata) {
  return ((const struct ka_metadata_header *)metadata)->kernel_count;
}

void ka__metadata_kernel(const void *metadata, uint32_t index, struct ka__kernel_view *view) {
  const struct ka_metadata_header *h = metadata;
  const char *base = metadata;
  view->record = (const struct ka_metadata_kernel *)(const void *)(base + h->kernel_offset) + index;
  view->params = (const struct ka_metadata_param *)(const void *)(base + h->param_offset) +
                 view->record->first_param;
  view->pointers = (const void *)(base + h->pointer_offset);
  view->sites = (const struct ka_metadata_site *)(const void *)(base + h->site_offset) +
                view->record->first_site;
  view->strings = base + h->string_offset;
  view->name = view->strings + view->record->name;
  view->symbol = view->strings + view->record->symbol;
  view->file = view->strings + view->record->file;
}
