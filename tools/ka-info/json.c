/* The report for programs: one JSON object. */
#include "report.h"

#include <ka/version.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at `at`, 0 if there is none. */
static size_t utf8_bytes(const char *at, size_t left) {
  const unsigned char *c = (const unsigned char *)at;
  size_t bytes = c[0] < 0x80                   ? 1
                 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                               : 0;
  if (bytes > left)
    return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  return bytes;
}

/* Names come from drivers and messages may quote paths, so any byte is possible. */
static void text_bytes(const char *text, size_t bytes) {
  putchar('"');
  for (size_t i = 0; i < bytes;) {
    size_t character = utf8_bytes(text + i, bytes - i);
    unsigned char c = (unsigned char)text[i];
    if (character == 0)
      printf("\\ufffd");
    else if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      printf("\\u%04x", c);
    else
      printf("%.*s", (int)character, text + i);
    i += character ? character : 1;
  }
  putchar('"');
}

static void text(const char *string) { text_bytes(string, strlen(string)); }

static void member(const char *indent, const char *name) { printf("%s\"%s\": ", indent, name); }

static void text_member(const char *indent, const char *name, const char *value) {
  member(indent, name);
  text(value);
  printf(",\n");
}

static void number_member(const char *indent, const char *name, uint64_t value) {
  printf("%s\"%s\": %llu,\n", indent, name, (unsigned long long)value);
}

static void flag_member(const char *indent, const char *name, bool value) {
  printf("%s\"%s\": %s,\n", indent, name, value ? "true" : "false");
}

static void device(ka_backend *backend, int number) {
  static const char indent[] = "          ";
  ka_device_properties p = {0};
  ka_device_info(backend, number, &p);
  printf("        {\n");
  number_member(indent, "number", (uint64_t)number);
  text_member(indent, "name", p.name);
  text_member(indent, "vendor", p.vendor);
  text_member(indent, "driver", p.driver);
  text_member(indent, "api", p.api);
  flag_member(indent, "is_cpu", p.is_cpu);
  flag_member(indent, "is_gpu", p.is_gpu);
  number_member(indent, "compute_units", p.compute_units);
  number_member(indent, "clock_mhz", p.clock_mhz);
  number_member(indent, "max_dimensions", p.max_dimensions);
  number_member(indent, "max_groups", p.max_groups);
  number_member(indent, "max_group_size", p.max_group_size);
  printf("%s\"max_group_extent\": [%llu, %llu, %llu],\n", indent,
         (unsigned long long)p.max_group_extent[0], (unsigned long long)p.max_group_extent[1],
         (unsigned long long)p.max_group_extent[2]);
  number_member(indent, "preferred_group_multiple", p.preferred_group_multiple);
  number_member(indent, "vector_bytes", p.vector_bytes);
  number_member(indent, "max_sub_groups", p.max_sub_groups);
  printf("%s\"sub_group_sizes\": [", indent);
  for (size_t i = 0; i < sizeof p.sub_group_sizes / sizeof *p.sub_group_sizes; i++)
    if (p.sub_group_sizes[i])
      printf("%s%u", i ? ", " : "", p.sub_group_sizes[i]);
  printf("],\n");
  number_member(indent, "max_parameter_bytes", p.max_parameter_bytes);
  number_member(indent, "print_bytes", p.print_bytes);
  number_member(indent, "local_bytes", p.local_bytes);
  number_member(indent, "memory_bytes", p.memory_bytes);
  number_member(indent, "max_alloc_bytes", p.max_alloc_bytes);
  number_member(indent, "cache_bytes", p.cache_bytes);
  number_member(indent, "cache_line_bytes", p.cache_line_bytes);
  flag_member(indent, "local_is_separate", p.local_is_separate);
  flag_member(indent, "shares_memory", p.shares_memory);
  flag_member(indent, "unified", p.unified);
  flag_member(indent, "host_pointers", p.host_pointers);
  flag_member(indent, "host_atomics", p.host_atomics);
  flag_member(indent, "error_correction", p.error_correction);
  flag_member(indent, "fp64", p.fp64);
  flag_member(indent, "fp16", p.fp16);
  flag_member(indent, "fp32_denormals", p.fp32_denormals);
  flag_member(indent, "int64_atomics", p.int64_atomics);
  flag_member(indent, "sub_groups", p.sub_groups);
  flag_member(indent, "shuffles", p.shuffles);
  flag_member(indent, "relative_shuffles", p.relative_shuffles);
  flag_member(indent, "ballots", p.ballots);
  printf("%s\"timer_resolution_ns\": %u\n", indent, p.timer_resolution_ns);
  printf("        }");
}

static void backend(const struct backend_report *b) {
  static const char indent[] = "      ";
  printf("    {\n");
  text_member(indent, "name", b->name);
  flag_member(indent, "works", b->backend != NULL);
  if (!b->backend)
    text_member(indent, "reason", b->reason);
  printf("%s\"devices\": [", indent);
  int devices = b->backend ? ka_num_devices(b->backend) : 0;
  for (int d = 0; d < devices; d++) {
    printf("%s\n", d ? "," : "");
    device(b->backend, d);
  }
  printf("%s],\n", devices ? "\n      " : "");
  printf("%s\"not_usable\": [", indent);
  const char *notes = ka_backend_notes(b->backend);
  for (int n = 0; *notes; n++) {
    size_t length = strcspn(notes, "\n");
    printf("%s", n ? ", " : "");
    text_bytes(notes, length);
    notes += length + (notes[length] == '\n');
  }
  printf("]\n    }");
}

void report_json(const struct report *report) {
  printf("{\n");
  text_member("  ", "version", KA_VERSION_STRING);
  member("  ", "ka_backend_variable");
  if (report->variable)
    text(report->variable);
  else
    printf("null");
  printf(",\n");
  if (report->chosen) {
    printf("  \"default\": {\"backend\": ");
    text(ka_backend_name(report->chosen));
    printf(", \"device\": %d},\n", report->chosen_device);
  } else {
    printf("  \"default\": null,\n");
    text_member("  ", "reason", report->reason);
  }
  printf("  \"backends\": [");
  for (int i = 0; i < report->count; i++) {
    printf("%s\n", i ? "," : "");
    backend(&report->backends[i]);
  }
  printf("\n  ]\n}\n");
}
