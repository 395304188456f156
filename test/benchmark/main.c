/* ka-bench - measures ka beside what it stands on: OpenCL by hand, and clang. */
#include "groups.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  bool (*run)(void);
  const char *what;
} groups[] = {
    {"kernels", group_kernels, "time of a kernel; peer: the same kernel in OpenCL C"},
    {"traps", group_traps, "cost of an assertion that holds; peer: the same kernel without it"},
    {"saxpy", group_saxpy, "saxpy over types, sizes, group sizes; peer: in OpenCL C"},
    {"launch", group_launch, "cost of a launch; peer: the same calls by hand"},
    {"copy", group_copy, "ka_copy and ka_fill; peer: memcpy and memset"},
    {"memory", group_memory, "allocating and freeing; keeping what a launch uses"},
    {"tasks", group_tasks, "tasks and cooperative waiting; peers: threads, libuv, blocking waits"},
    {"http", group_http, "an HTTP server's answers while kernels of 100 ms run; load by wrk"},
    {"start", group_start, "a program's start to its first result; peer: OpenCL by hand"},
    {"compile", group_compile, "kacc -O2 -c; peer: clang -O2 -c"},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static void print_groups(FILE *file) {
  for (int i = 0; i < GROUPS; ++i)
    fprintf(file, "  %-8s %s\n", groups[i].name, groups[i].what);
}

static void print_help(void) {
  puts(
      "Usage: ka-bench [GROUP...] [--json=FILE] [--quick] [--list] [--help]\n"
      "\n"
      "Measures ka and a peer in turn; prints medians, their ratio, the bound that ka promises "
      "for\n"
      "it, and the spread (the wider of the two interquartile ranges, in percent of its median).\n"
      "Without a peer the bound is one for ka itself. What is above its bound is marked with '!';\n"
      "the exit status is 0 all the same.\n"
      "\n"
      "  --json=FILE  writes each line of the table as one JSON object too\n"
      "  --quick      few runs of small problems: a test of the benchmark, not a measurement\n"
      "  --list       names the groups, each with what it measures\n"
      "\n"
      "Groups (default: all):");
  print_groups(stdout);
}

static int find_group(const char *name) {
  for (int i = 0; i < GROUPS; ++i)
    if (strcmp(name, groups[i].name) == 0)
      return i;
  return -1;
}

int main(int argc, char **argv) {
  struct effort effort = {.quick = false, .seconds = 3, .fewest_runs = 11, .most_runs = 1001};
  const char *json_path = NULL;
  bool wanted[GROUPS] = {false}, any = false;
  for (int i = 1; i < argc; ++i) {
    int group;
    if (strcmp(argv[i], "--help") == 0) {
      print_help();
      return 0;
    } else if (strcmp(argv[i], "--list") == 0) {
      print_groups(stdout);
      return 0;
    } else if (strcmp(argv[i], "--quick") == 0) {
      effort = (struct effort){.quick = true, .seconds = 0, .fewest_runs = 2, .most_runs = 2};
    } else if (strncmp(argv[i], "--json=", 7) == 0 && argv[i][7]) {
      json_path = argv[i] + 7;
    } else if ((group = find_group(argv[i])) >= 0) {
      wanted[group] = any = true;
    } else {
      fprintf(stderr, "ka-bench: there is no group or option '%s'; groups are:\n", argv[i]);
      print_groups(stderr);
      return 1;
    }
  }
  if (!measure_begin(&effort, json_path))
    return 1;
  bool good = true;
  for (int g = 0; g < GROUPS; ++g)
    if (wanted[g] || !any)
      good = groups[g].run() && good;
  return measure_end() && good ? 0 : 1;
}
