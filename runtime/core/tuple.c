/* Compares the arguments of ka_tuple with a kernel's parameters, and packs them. Metadata that does
 * not say what a type is made of (KA__ELEMENT 0) leaves kinds and sizes to compare. */
#include "runtime/core/tuple.h"

#include "runtime/core/status.h"

#include <stdio.h>
#include <string.h>

static uint32_t class_of(uint32_t element) { return element & 0xff; }

static uint32_t bytes_of(uint32_t element) { return element >> 8; }

/* "float", "8-byte integer", as far as an element says. */
static const char *name_of(uint32_t element, char text[40]) {
  static const char *const names[KA_METADATA_CLASSES] = {
      "object", "integer", "_Bool", "float", "complex", "vector", "structure", "void", "pointer"};
  uint32_t class = class_of(element), bytes = bytes_of(element);
  const char *name = class < KA_METADATA_CLASSES ? names[class] : names[0];
  if (class == KA_METADATA_FLOAT && bytes == sizeof(float))
    name = "float";
  else if (class == KA_METADATA_FLOAT && bytes == sizeof(double))
    name = "double";
  else if (class == KA_METADATA_FLOAT)
    name = "_Float16";
  else if (class == KA_METADATA_COMPLEX)
    name = bytes == 2 * sizeof(float) ? "float _Complex" : "double _Complex";
  else if (class != KA_METADATA_BOOL && bytes) {
    snprintf(text, 40, "%u-byte %s", bytes, name);
    return text;
  }
  return name;
}

static const char *describe(const ka_argument *a, char text[80]) {
  char element[40];
  switch (a->kind) {
  case KA__ARGUMENT_POINTER:
    snprintf(text, 80, "a pointer to %s%s", a->is_const ? "const " : "",
             name_of(a->element, element));
    break;
  case KA__ARGUMENT_ELSEWHERE:
    snprintf(text, 80, "%llu bytes by ka_by_value()", (unsigned long long)a->bytes);
    break;
  default:
    snprintf(text, 80, "a value of type %s", name_of(a->element, element));
  }
  return text;
}

/* Whether something of one type can stand for another: pointers to, or values. */
static bool same(uint32_t wanted, uint32_t given) {
  if (!class_of(wanted) || !class_of(given))
    return true;
  if (class_of(wanted) != class_of(given))
    return false;
  return !bytes_of(wanted) || !bytes_of(given) || bytes_of(wanted) == bytes_of(given);
}

/* A pointer to an object of unknown type may point to what ka_tuple has no name for. */
static bool same_pointee(uint32_t wanted, uint32_t given) {
  if (class_of(wanted) == KA_METADATA_VOID || class_of(given) == KA_METADATA_VOID)
    return true;
  bool nameless = !class_of(given) && class_of(wanted) != KA_METADATA_FLOAT &&
                  class_of(wanted) != KA_METADATA_INTEGER && class_of(wanted) != KA_METADATA_BOOL;
  return nameless || !class_of(wanted) || (class_of(given) && same(wanted, given));
}

/* What to do about an argument that does not fit, or NULL if it does. */
static const char *misfit(const struct ka_metadata_param *p, const ka_argument *a) {
  /* No program's memory lies there; sizes of group memory do. */
  enum { LOWEST_ADDRESS = 65536 };
  bool is_pointer = a->kind == KA__ARGUMENT_POINTER;
  if (a->kind == KA__ARGUMENT_ELSEWHERE && !a->where)
    return "the object is at NULL";
  switch (p->kind) {
  case KA_METADATA_LOCAL:
    return is_pointer && class_of(a->element) == KA_METADATA_VOID && !a->is_const
               ? NULL
               : "it is group memory: pass ka_scratch(bytes)";
  case KA_METADATA_POINTER:
    if (!is_pointer)
      return "pass a pointer";
    if (a->where && (uintptr_t)a->where < LOWEST_ADDRESS)
      return "the pointer is no address; ka_scratch() is for parameters marked ka_local";
    if (a->is_const && !(p->flags & KA_METADATA_CONST))
      return "the kernel may write there: pass a pointer to what is not const";
    return same_pointee(p->element, a->element) ? NULL : "pass a pointer to that type";
  case KA_METADATA_AGGREGATE:
    if (a->kind != KA__ARGUMENT_ELSEWHERE)
      return "pass ka_by_value(object)";
    return a->bytes == p->size ? NULL : "pass an object of that type";
  default:
    if (is_pointer)
      return "pass a value";
    if (a->bytes != p->size)
      return "convert the argument to that type";
    if (a->kind == KA__ARGUMENT_ELSEWHERE)
      return NULL;
    if (!class_of(p->element) && class_of(a->element) == KA_METADATA_FLOAT)
      return p->flags & KA_METADATA_FLOATING ? NULL : "convert the argument to that type";
    if (!class_of(p->element) && (p->flags & KA_METADATA_FLOATING))
      return "convert the argument to that type";
    return same(p->element, a->element) ? NULL : "convert the argument to that type";
  }
}

static ka_status wrong_count(const struct ka__kernel_view *kernel, size_t given) {
  char list[400] = "";
  size_t used = 0;
  uint32_t count = kernel->record->param_count;
  bool scratch = false;
  for (uint32_t p = 0; p < count; p++)
    scratch |= kernel->params[p].kind == KA_METADATA_LOCAL;
  for (uint32_t p = 0; p < count && used < sizeof list; p++) {
    const char *type = kernel->strings + kernel->params[p].type;
    bool spaced = *type && type[strlen(type) - 1] != '*';
    int n = snprintf(list + used, sizeof list - used, "%s%s%s%s", p ? ", " : "", type,
                     spaced ? " " : "", kernel->strings + kernel->params[p].name);
    used += n > 0 ? (size_t)n : 0;
  }
  if (used >= sizeof list)
    memcpy(list + sizeof list - 4, "...", 4);
  return ka__fail(KA_ERROR_ARGUMENT_MISMATCH,
                  "kernel '%s' (%s:%u) takes %u argument%s (%s), but ka_tuple() gives %zu%s",
                  kernel->name, kernel->file, kernel->record->line, count, count == 1 ? "" : "s",
                  list, given, scratch ? "; pass ka_scratch(bytes) for a ka_local parameter" : "");
}

ka_status ka__tuple_check(const struct ka__kernel_view *kernel, ka_arguments arguments) {
  if (arguments.count != kernel->record->param_count || (arguments.count && !arguments.list))
    return wrong_count(kernel, arguments.list ? arguments.count : 0);
  for (uint32_t i = 0; i < kernel->record->param_count; i++) {
    const struct ka_metadata_param *param = &kernel->params[i];
    const ka_argument *a = &arguments.list[i];
    const char *remedy = misfit(param, a);
    char given[80];
    if (remedy)
      return ka__fail(KA_ERROR_ARGUMENT_MISMATCH,
                      "kernel '%s' (%s:%u), parameter '%s' (number %u) is of type '%s' (%llu "
                      "bytes), but ka_tuple() gives %s (%llu bytes); %s",
                      kernel->name, kernel->file, kernel->record->line,
                      kernel->strings + param->name, i + 1, kernel->strings + param->type,
                      (unsigned long long)param->size, describe(a, given),
                      (unsigned long long)a->bytes, remedy);
  }
  return KA_OK;
}

void ka__tuple_pack(const struct ka__kernel_view *kernel, ka_arguments arguments, char *tuple) {
  for (uint32_t i = 0; i < kernel->record->param_count; i++) {
    const struct ka_metadata_param *param = &kernel->params[i];
    const ka_argument *a = &arguments.list[i];
    const void *from = a->kind == KA__ARGUMENT_POINTER     ? &a->where
                       : a->kind == KA__ARGUMENT_ELSEWHERE ? a->where
                                                           : (const void *)a->value;
    memcpy(tuple + param->offset, from, param->size);
  }
}
