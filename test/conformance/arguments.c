// Arguments by value: many, large, packed, over-aligned; sizes and alignments as on the host.
#include "check.h"
#include <stddef.h>
#include <stdint.h>

typedef int int3 __attribute__((ext_vector_type(3)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef double double4 __attribute__((ext_vector_type(4)));
typedef long long16 __attribute__((ext_vector_type(16)));
typedef short short8 __attribute__((ext_vector_type(8)));

struct tail {
  int i;
  char c;
};
struct __attribute__((packed)) packed_vector {
  char c;
  int3 v;
};
struct plain_vector {
  char c;
  int3 v;
};
struct holds_long16 {
  char c;
  long16 v;
};
struct over_aligned {
  char c;
  _Alignas(128) short s;
};
struct complex_numbers {
  char c;
  float _Complex f;
  char d;
  double _Complex g;
};
enum small { NONE, ONE };
enum large { HUGE_VALUE = 1L << 40 };

// Sizes, alignments and offsets are the host's.
#define LAYOUT(F)                                                                                  \
  F(sizeof(struct tail))                                                                           \
  F(sizeof(struct packed_vector))                                                                  \
  F(offsetof(struct packed_vector, v))                                                             \
  F(sizeof(struct plain_vector))                                                                   \
  F(offsetof(struct plain_vector, v))                                                              \
  F(_Alignof(int3))                                                                                \
  F(_Alignof(float3))                                                                              \
  F(sizeof(float3))                                                                                \
  F(_Alignof(double4))                                                                             \
  F(_Alignof(long16))                                                                              \
  F(_Alignof(short8))                                                                              \
  F(sizeof(struct holds_long16))                                                                   \
  F(offsetof(struct holds_long16, v))                                                              \
  F(sizeof(struct over_aligned))                                                                   \
  F(offsetof(struct over_aligned, s))                                                              \
  F(sizeof(struct complex_numbers))                                                                \
  F(offsetof(struct complex_numbers, g))                                                           \
  F(sizeof(enum small))                                                                            \
  F(sizeof(enum large))                                                                            \
  F(sizeof(bool))                                                                                  \
  F(sizeof(wchar_t))                                                                               \
  F(sizeof(long))                                                                                  \
  F(sizeof(void *))                                                                                \
  F(sizeof(max_align_t) / sizeof(long))                                                            \
  F(sizeof(_BitInt(37)))                                                                           \
  F(_Alignof(_BitInt(7)))
#define ONE_NUMBER(e)   e,
#define STORE_NUMBER(e) *out++ = e;
static const size_t layout[] = {LAYOUT(ONE_NUMBER)};
[[ka::kernel]] void sizes(size_t *out) { LAYOUT(STORE_NUMBER) }

// The address of a private variable is as aligned as its type asks for, and data survive.
[[ka::kernel]] void private_alignment(long *out, int at) {
  struct holds_long16 v[2] = {{'a', at}, {'b', 2}};
  struct over_aligned w = {'c', 5};
  long16 *p = &v[at & 1].v;
  p->s3 += (uintptr_t)p % 128 + (uintptr_t)&w % 128;
  (*p)[at & 15] += 7;
  for (int i = 0; i < 16; i++)
    out[i] = v[at & 1].v[i] + w.s;
}

static void check_private_alignment(void) {
  long *out = device_memory(16 * sizeof *out), expected[16];
  for (int at = 0; at < 2; at++) {
    KA_CHECK(ka_launch(backend(), ka_range(1), private_alignment(out, at)));
    KA_CHECK(ka_synchronize(backend()));
    for (int i = 0; i < 16; i++)
      expected[i] = (at ? 2 : 0) + (i == at ? 7 : 0) + 5;
    CHECK_SAME("private alignment", expected, out, 16);
  }
}

// Over-aligned and packed structures with vectors, by value.
[[ka::kernel]] void vectors_by_value(long *out, struct packed_vector p, struct plain_vector q,
                                     struct holds_long16 h, struct over_aligned a,
                                     struct complex_numbers z, float3 f, short8 s) {
  size_t i = ka_global_id(0);
  const long values[] = {
      p.c, p.v.z,     q.c,     q.v.y, h.c, h.v[i], a.c, a.s, (long)__imag__ z.g, (long)__real__ z.f,
      z.d, (long)f.z, s[i & 7]};
  out[i] = values[i % 13];
}

static void check_vectors_by_value(void) {
  struct packed_vector p = {'p', {1, 2, -3}};
  struct plain_vector q = {'q', {4, -5, 6}};
  struct holds_long16 h = {'h', {0, 1, 2, 3, 4, -50, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  struct over_aligned a = {'a', -77};
  struct complex_numbers z = {'z', 3.0f + 4.0fi, 'd', 5.0 - 6.0i};
  float3 f = {7, 8, 9};
  short8 s = {1, 2, 3, 4, 5, 6, 7, 8};
  const long expected[] = {'p', -3, 'q', -5, 'h', -50, 'a', -77, -6, 3, 'd', 9, 5};
  long *out = device_memory(13 * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(13), vectors_by_value(out, p, q, h, a, z, f, s)));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("vectors by value", expected, out, 13);
}

// 64 structures of 64 bytes, 4 KB of arguments.
struct block {
  int v[16];
};
// clang-format off: it finds no lasting form for these lists.
#define FOUR(F, n) F(n##0) F(n##1) F(n##2) F(n##3)
#define ALL(F)                                                                                     \
  FOUR(F, 0) FOUR(F, 1) FOUR(F, 2) FOUR(F, 3) FOUR(F, 10) FOUR(F, 11) FOUR(F, 12) FOUR(F, 13)      \
  FOUR(F, 20) FOUR(F, 21) FOUR(F, 22) FOUR(F, 23) FOUR(F, 30) FOUR(F, 31) FOUR(F, 32) FOUR(F, 33)
// clang-format on
// The names are octal numbers with digits up to 3.
#define NUMBER(n)    (((n) >> 6) * 16 + ((n) >> 3 & 7) * 4 + ((n) & 7))
#define PARAMETER(n) , struct block b##n
#define VALUE(n)     out[k++] = b##n.v[ka_global_id(0)];
#define ARGUMENT(n)  , blocks[NUMBER(0##n)]
[[ka::kernel]] void many_blocks(int *all ALL(PARAMETER)) {
  int *out = all + ka_global_id(0) * 64, k = 0;
  ALL(VALUE)
}

static void check_many_blocks(void) {
  struct block blocks[64];
  int *out = device_memory(16 * 64 * sizeof *out), expected[16 * 64];
  for (int b = 0; b < 64; b++)
    for (int i = 0; i < 16; i++)
      expected[i * 64 + b] = blocks[b].v[i] = b * 1000 + i;
  KA_CHECK(ka_launch(backend(), ka_range(16), many_blocks(out ALL(ARGUMENT))));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("64 blocks", expected, out, 16 * 64);
}

// 44 arguments of all scalar types in turn.
// clang-format off: as above.
#define ELEVEN(F, n)                                                                               \
  F(char, n##0) F(short, n##1) F(int, n##2) F(long, n##3) F(float, n##4) F(double, n##5)           \
  F(bool, n##6) F(unsigned char, n##7) F(unsigned short, n##8) F(unsigned, n##9)                   \
  F(unsigned long long, n##10)
// clang-format on
#define FORTY_FOUR(F)             ELEVEN(F, 0) ELEVEN(F, 1) ELEVEN(F, 2) ELEVEN(F, 3)
#define SCALAR_PARAMETER(type, n) , type s##n
#define SCALAR_VALUE(type, n)     *out++ = (double)s##n;
#define SCALAR_ARGUMENT(type, n)  , (type)(100 - 0x##n)
#define SCALAR_EXPECTED(type, n)  (double)(type)(100 - 0x##n),
[[ka::kernel]] void many_scalars(double *out FORTY_FOUR(SCALAR_PARAMETER)) {
  FORTY_FOUR(SCALAR_VALUE)
}

static void check_many_scalars(void) {
  const double expected[] = {FORTY_FOUR(SCALAR_EXPECTED)};
  double *out = device_memory(sizeof expected);
  KA_CHECK(ka_launch(backend(), ka_range(1), many_scalars(out FORTY_FOUR(SCALAR_ARGUMENT))));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("44 scalars", expected, out, sizeof expected / sizeof *expected);
}

int main(void) {
  size_t *out = device_memory(sizeof layout);
  KA_CHECK(ka_launch(backend(), ka_range(1), sizes(out)));
  KA_CHECK(ka_synchronize(backend()));
  CHECK_SAME("sizes", layout, out, sizeof layout / sizeof *layout);
  check_private_alignment();
  check_vectors_by_value();
  check_many_blocks();
  check_many_scalars();
  return check_result();
}
