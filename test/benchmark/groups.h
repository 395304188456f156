/* The groups of the benchmark. Each returns false after a message if it could not be measured. */
#ifndef KA_BENCHMARK_GROUPS_H
#define KA_BENCHMARK_GROUPS_H

#include <stdbool.h>

bool group_kernels(void); /* a kernel's time, from launch to finish */
bool group_traps(void);   /* what an assertion costs a kernel */
bool group_saxpy(void);   /* over types, sizes and group sizes */
bool group_launch(void);  /* what a launch costs */
bool group_copy(void);    /* copies and fills */
bool group_memory(void);  /* ka_alloc, ka_free, and keeping what a launch uses */
bool group_tasks(void);   /* tasks, and waiting without blocking */
bool group_http(void);    /* an HTTP server while kernels run */
bool group_start(void);   /* a program's start to its first result */
bool group_compile(void); /* kacc beside clang */

#endif
