// What docs/reference/kernel-language.md says works, row by row: it compiles without a warning, and
// the SPIR-V is valid. Rows about running are held by the conformance tests.
//
// RUN: %kacc -Werror -Wall -std=gnu17 --ka-emit=spirv %s -o %t.spv
// RUN: spirv-val --target-env spv1.2 %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s
// RUN: %kacc -Werror -Wall -std=gnu17 -c %s -o %t.o
//
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "gnu_spelling"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "group_sizes"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "scalars"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "aggregates"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "statements"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "mathematics"
// CHECK-DAG: OpEntryPoint Kernel {{.*}} "printing"
#define _GNU_SOURCE // exp10, sincos
#include <ka/ka.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Kernels.
__attribute__((ka_kernel)) void gnu_spelling(int *p) { *p = 1; }
enum { WIDE = 4 };
[[ka::kernel, ka::group_size(8, 2 * WIDE, 1)]] void group_sizes(int *p) { *p = 1; }
[[ka::kernel]] [[ka::unsafe_indices]] void unguarded(int *p) { p[ka_global_id(0)] = 1; }
[[ka::kernel]] static void internal(int *p) { *p = 1; }
[[ka::kernel]] static inline void in_line(int *p) { *p = 1; }
[[ka::kernel]] void elsewhere(int *p);

int launch_them(ka_backend *be, int *p) {
  return ka_launch(be, ka_range(8), internal(p)) || ka_launch(be, ka_range(8), in_line(p)) ||
         ka_launch(be, ka_range(8), elsewhere(p));
}

// Parameters.
enum colour { RED, GREEN };
typedef float float4 __attribute__((ext_vector_type(4)));
[[ka::kernel]] void scalars(int i, unsigned char c, bool b, enum colour e, float f, double d,
                            _Float16 h, float4 v, double *out) {
  out[0] = i + c + b + e + f + d + (double)h + v.x;
}

struct inner {
  char c;
  float *p;
  int bits : 5;
};
struct outer {
  struct inner inner[2];
  union {
    int i;
    float f;
  } u;
};
[[ka::kernel]] void aggregates(struct outer o, const float *restrict in, volatile int *flag) {
  o.inner[1].p[0] = in[0] + o.u.f + (float)o.inner[0].bits;
  *flag = 1;
}
[[ka::kernel]] void scratch(ka_local float *s, float *out) {
  s[ka_local_id(0)] = 1;
  ka_barrier();
  out[ka_global_id(0)] = s[0];
}

// Statements and expressions.
static int twice(int x) { return 2 * x; }
#define KIND(x) _Generic((x), int: 1, float: 2, default: 3)
[[ka::kernel]] void statements(int *out, int n) {
  int sum = 0, i = 0;
again:
  switch (i % 4) {
  case 0:
    sum += twice(i);
    break;
  case 1:
    sum -= KIND(1.0f);
    // fallthrough, as C has it
  default:
    sum ^= (struct inner){.c = 3}.c;
  }
  if (++i < n)
    goto again;
  do
    --sum;
  while (sum > 100);
  int *p = &out[ka_global_id(0)];
  *(p + 0) = sum + __builtin_popcount((unsigned)sum);
}

// Variables.
static const float table[4] = {1, 2, 4, 8};
static const char letters[] = "abcd";
[[ka::kernel]] void variables(float *out) {
  static const int shifts[3] = {1, 2, 3};
  ka_local float tile[16];
  float own[3] = {0};
  size_t i = ka_global_id(0);
  own[i % 3] = table[i & 3] + (float)shifts[i % 3] + (float)letters[i & 3] + (float)"xyz"[i % 3];
  tile[ka_local_id(0) % 16] = own[0];
  ka_barrier();
  out[i] = tile[0] + own[1];
}

// Built-in functions.
static void meet(void) { ka_barrier(); }
[[ka::kernel]] void ids(size_t *out, int rounds) {
  size_t sum = 0;
  for (unsigned d = 0; d < 3; ++d)
    sum += ka_global_id(d) + ka_local_id(d) + ka_group_id(d) + ka_global_size(d) +
           ka_local_size(d) + ka_num_groups(d) + ka_global_offset(d);
  for (int i = 0; i < rounds; ++i)
    meet();
  out[ka_global_linear_id()] = sum + ka_local_linear_id() + ka_group_linear_id();
}

// Library functions.
#define BOTH(name)  d = name(d), s = name##f(s)
#define BOTH2(name) d = name(d, d), s = name##f(s, s)
[[ka::kernel]] void mathematics(double *dp, float *sp, long long *whole) {
  double d = dp[0];
  float s = sp[0];
  int exponent;
  BOTH(acos), BOTH(acosh), BOTH(asin), BOTH(asinh), BOTH(atan), BOTH(atanh), BOTH(cbrt);
  BOTH(ceil), BOTH(cos), BOTH(cosh), BOTH(erf), BOTH(erfc), BOTH(exp), BOTH(exp2), BOTH(expm1);
  BOTH(fabs), BOTH(floor), BOTH(lgamma), BOTH(log), BOTH(log10), BOTH(log1p), BOTH(log2);
  BOTH(logb), BOTH(nearbyint), BOTH(rint), BOTH(round), BOTH(sin), BOTH(sinh), BOTH(sqrt);
  BOTH(tan), BOTH(tanh), BOTH(tgamma), BOTH(trunc);
  BOTH2(atan2), BOTH2(copysign), BOTH2(fdim), BOTH2(fmax), BOTH2(fmin), BOTH2(fmod);
  BOTH2(hypot), BOTH2(nextafter), BOTH2(pow), BOTH2(remainder);
  d = fma(d, d, d), s = fmaf(s, s, s);
  d = frexp(d, &exponent), s = frexpf(s, &exponent);
  d = ldexp(d, exponent), s = ldexpf(s, exponent);
  d = scalbn(d, exponent), s = scalbnf(s, exponent);
  d = scalbln(d, exponent), s = scalblnf(s, exponent);
  d += modf(d, &dp[1]), s += modff(s, &sp[1]);
  BOTH(exp10), sincos(d, &dp[2], &dp[3]), sincosf(s, &sp[2], &sp[3]);
  whole[0] = ilogb(d) + ilogbf(s) + lrint(d) + lrintf(s) + lround(d) + lroundf(s);
  whole[1] = llrint(d) + llrintf(s) + llround(d) + llroundf(s);
  whole[2] = isnan(d) + isinf(s) + isfinite(d) + isnormal(s) + signbit(d) + fpclassify(s);
  whole[3] = abs(exponent) + labs((long)whole[0]) + llabs(whole[1]) + INT_MAX + (s < FLT_MAX);
  dp[0] = d;
  sp[0] = s;
}

struct block {
  int words[64];
};
[[ka::kernel]] void memory(struct block *a, struct block *b, atomic_int *counter, uint64_t *wide) {
  memcpy(a, b, sizeof *a);
  memmove(&a->words[1], &a->words[0], 8);
  memset(b, 0, sizeof *b);
  atomic_fetch_add(counter, 1);
  int expected = 0;
  atomic_compare_exchange_strong(counter, &expected, 2);
  __atomic_fetch_max(wide, 3, __ATOMIC_RELAXED);
}

// Output.
[[ka::kernel]] void printing(float4 *v, const char *name, size_t *n) {
  if (printf("%-8s %v4hlf %.3v4hle\n", name, v[0], v[1]) < 0)
    n[0] = 1;
  printf("%*d %zu %p %c%%\n", 5, (int)n[1], n[2], (void *)n, 'x');
  puts("a line");
  putchar('\n');
}
