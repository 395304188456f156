/* The report for people. */
#include "report.h"

#include <ka/version.h>
#include <stdio.h>
#include <string.h>

static void print_unknown(const char *what) { printf("    %-22s not known\n", what); }

/* Bytes with a unit that people read: 1048576 is "1 MiB (1048576 bytes)". */
static void print_bytes(const char *what, uint64_t bytes) {
  if (bytes == 0) {
    print_unknown(what);
    return;
  }
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = (double)bytes;
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    unit++;
  }
  printf("    %-22s %.4g %s", what, value, units[unit]);
  if (unit)
    printf(" (%llu bytes)", (unsigned long long)bytes);
  putchar('\n');
}

static void print_number(const char *what, uint64_t number, const char *unit) {
  if (number == 0)
    print_unknown(what);
  else
    printf("    %-22s %llu%s%s\n", what, (unsigned long long)number, *unit ? " " : "", unit);
}

static void print_flag(const char *what, bool flag, const char *meaning) {
  printf("    %-22s %-4s(%s)\n", what, flag ? "yes" : "no", meaning);
}

/* Each line with an indent. */
static void print_lines(const char *lines, const char *indent) {
  while (*lines) {
    size_t length = strcspn(lines, "\n");
    printf("%s%.*s\n", indent, (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
}

static void print_device(const struct report *report, ka_backend *backend, int number) {
  ka_device_properties p;
  if (ka_device_info(backend, number, &p) != KA_OK) {
    printf("  %s:%d: %s\n", ka_backend_name(backend), number, ka_error_message());
    return;
  }
  bool chosen = backend == report->chosen && number == report->chosen_device;
  printf("  %s:%d  %s%s\n", ka_backend_name(backend), number, p.name, chosen ? "  (default)" : "");
  printf("    %-22s %s\n", "vendor", p.vendor);
  printf("    %-22s %s\n", "driver", p.driver);
  printf("    %-22s %s\n", "interface", p.api);
  printf("    %-22s %s\n", "kind", p.is_cpu ? "CPU" : p.is_gpu ? "GPU" : "accelerator");
  print_number("compute units", p.compute_units, p.is_cpu ? "cores" : "");
  print_number("clock, at most", p.clock_mhz, "MHz");
  print_number("dimensions of a range", p.max_dimensions, "");
  print_number("groups of a launch", p.max_groups, "at most");
  print_number("group size, at most", p.max_group_size, "items");
  printf("    %-22s %llu x %llu x %llu items\n", "along x, y, z",
         (unsigned long long)p.max_group_extent[0], (unsigned long long)p.max_group_extent[1],
         (unsigned long long)p.max_group_extent[2]);
  print_number("group sizes, best", p.preferred_group_multiple, "items, or a multiple");
  print_number("vector instructions", p.vector_bytes, "bytes, for float");
  print_number("sub-groups in a group", p.max_sub_groups, "at most");
  printf("    %-22s", "sub-group sizes");
  for (size_t i = 0; i < sizeof p.sub_group_sizes / sizeof *p.sub_group_sizes; i++)
    if (p.sub_group_sizes[i])
      printf("%s%u", i ? ", " : " ", p.sub_group_sizes[i]);
  printf("%s\n", p.sub_group_sizes[0] ? " items" : " not known");
  print_bytes("parameters, together", p.max_parameter_bytes);
  print_bytes("printf of OpenCL C", p.print_bytes);
  print_bytes("group memory", p.local_bytes);
  print_bytes("memory", p.memory_bytes);
  print_bytes("one allocation", p.max_alloc_bytes);
  print_bytes("cache", p.cache_bytes);
  print_bytes("cache line", p.cache_line_bytes);
  print_flag("separate group memory", p.local_is_separate,
             "group memory is memory of its own, faster than device memory");
  print_flag("shares memory", p.shares_memory, "device memory is the host's");
  print_flag("unified memory", p.unified, "ka_alloc memory is usable by host and device alike");
  print_flag("host pointers", p.host_pointers,
             "kernels may use malloc'ed, static and stack memory");
  print_flag("host atomics", p.host_atomics, "atomic operations hold between host and kernels");
  print_flag("error correction", p.error_correction, "of memory");
  print_flag("fp64", p.fp64, "double in kernels");
  print_flag("fp16", p.fp16, "_Float16 in kernels");
  print_flag("fp32 denormals", p.fp32_denormals, "denormal float numbers are not flushed to 0");
  print_flag("64-bit atomics", p.int64_atomics, "atomic operations on 64-bit objects");
  print_flag("sub-groups", p.sub_groups, "sub-group functions");
  print_flag("shuffles", p.shuffles, "between any items of a sub-group");
  print_flag("relative shuffles", p.relative_shuffles, "up and down in a sub-group");
  print_flag("ballots", p.ballots, "votes of a sub-group as a mask");
  print_number("timer resolution", p.timer_resolution_ns, "ns");
}

void report_print(const struct report *report) {
  printf("ka %s\n", KA_VERSION_STRING);
  printf("KA_BACKEND: %s\n", report->variable ? report->variable : "not set");
  if (!report->chosen)
    printf("No default backend: %s\n", report->reason);
  for (int i = 0; i < report->count; i++) {
    const struct backend_report *b = &report->backends[i];
    if (!b->backend) {
      printf("\n%s: does not work\n  %s\n", b->name, b->reason);
      continue;
    }
    int devices = ka_num_devices(b->backend);
    printf("\n%s: %d device%s\n", b->name, devices, devices == 1 ? "" : "s");
    for (int d = 0; d < devices; d++)
      print_device(report, b->backend, d);
    if (*ka_backend_notes(b->backend)) {
      printf("  Not usable:\n");
      print_lines(ka_backend_notes(b->backend), "    ");
    }
  }
}
