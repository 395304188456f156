/* The kernels of kernels.cl as a module, and their argument tuples. */
#ifndef KA_TEST_RUNTIME_SUPPORT_KERNELS_H
#define KA_TEST_RUNTIME_SUPPORT_KERNELS_H

#include "test/runtime/support/module_writer.h"

enum test_kernel {
  K_empty,
  K_saxpy,
  K_visit,
  K_groups,
  K_fixed_groups,
  K_group_sum,
  K_spare_local,
  K_add_pair,
  K_slow,
  K_meet,
  K_is_null,
  K_many,
  K_tally,
  K_one,
  K_few,
  K_hundreds,
  K_bundled,
  K_blocks,
  K_spilled,
  K_mixed,
  K_picky,
  K_says,
  K_COUNT
};

/* The descriptor of a kernel. The module is made and registered on the first call. */
struct ka__kernel *test_kernel(enum test_kernel kernel);

/* What the module is made of, for tests that make modules of their own. */
extern const struct kernel_spec test_kernel_specs[K_COUNT];
extern const char test_spirv[], test_spirv_end[];

struct args_empty {
  char none[0]; /* as a kernel without parameters: sizeof is 0 */
};
struct args_saxpy {
  float a;
  const float *x;
  float *y;
};
struct args_visit {
  int *count;
  uint64_t *ids;
};
struct args_groups {
  uint64_t *sizes;
};
struct args_fixed_groups {
  uint64_t *sizes;
};
struct args_group_sum {
  const int *in;
  int *out;
  void *scratch; /* ka_scratch() */
};
struct args_spare_local {
  int *out;
  void *scratch; /* ka_scratch() */
};
struct pair {
  int *p;
  struct {
    int *q;
  } in;
  int n;
};
struct args_add_pair {
  struct pair pair;
};
struct args_slow {
  int *p;
  uint64_t rounds;
};
struct args_meet {
  int *mine, *other;
  uint64_t most;
  int *met;
};
struct args_is_null {
  int *out;
  const int *p;
};
struct args_many {
  uint64_t *out;
  uint64_t a[39];
};
struct args_tally {
  uint64_t *total;
  uint64_t least;
};
/* The sum of all numbers, the last one twice, for 1, 4 and 200 arguments (as `many` for 40), and
 * for a structure as the only one. */
struct args_one {
  uint64_t *out;
};
struct args_few {
  uint64_t *out;
  uint64_t a[3];
};
struct args_hundreds {
  uint64_t *out;
  uint64_t a[199];
};
struct bundled {
  uint64_t *out;
  uint64_t a[7];
};
struct args_bundled {
  struct bundled all;
};
/* 64 structures of 64 bytes. */
struct block {
  uint64_t a[8];
};
struct args_blocks {
  uint64_t *out;
  struct block b[64];
};
/* More than devices take: all but the first argument are in memory. */
struct args_spilled {
  uint64_t *out;
  const uint64_t *more;
  struct block b[32];
};
/* One parameter of each kind. */
struct triple {
  int a, b, c;
};
struct args_mixed {
  double *out;
  float f;
  double d;
  int i;
  uint64_t n;
  int16_t s;
  uint8_t u;
  struct triple t;
  const float *x;
  void *scratch; /* ka_scratch() */
};

/* Sets out[i] to 1 for each item below `first`; the others fail, those with even numbers at the
 * first of its sites, those with odd ones at the second. Any group size. */
struct args_picky {
  int *out;
  uint64_t first;
};
/* Prints nothing, and stores the address of the print buffer. */
struct args_says {
  uintptr_t *buffer;
};

/* LAUNCH(be, ka_range(n), saxpy, 2.0f, x, y): what kacc makes of ka_launch. */
#define LAUNCH(backend, range, kernel, ...)                                                        \
  ka__launch((backend), (range), test_kernel(K_##kernel), &(struct args_##kernel){__VA_ARGS__},    \
             sizeof(struct args_##kernel))

/* Rounds that make `slow` run for about this long on the machine at hand. */
uint64_t test_slow_rounds(ka_backend *backend, double milliseconds);

/* Seconds, from some point in the past. */
double test_now(void);

#endif
