// Vectors of all lengths, clang's and GCC's, and complex numbers.
#include "check.h"
#include <complex.h>

typedef float float3 __attribute__((ext_vector_type(3)));
typedef float float5 __attribute__((ext_vector_type(5)));
typedef int int3 __attribute__((ext_vector_type(3)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef short short16 __attribute__((ext_vector_type(16)));
typedef bool bool8 __attribute__((ext_vector_type(8)));
typedef int gcc_int4 __attribute__((vector_size(16)));
typedef signed char gcc_char16 __attribute__((vector_size(16)));

struct values {
  float3 f3;
  float5 f5;
  int3 i3;
  double2 d2;
  short16 s16;
  gcc_int4 g4;
  gcc_char16 g16;
  float _Complex cf;
  double _Complex cd;
  unsigned char bits;
  int sum;
};

static void compute(struct values *v, float3 a, double2 b, short16 s, float _Complex c,
                    double _Complex d, int n) {
  v->f3 = v->f3 * a + 1.0f;
  v->i3 = v->f3 < a.zyx;
  v->f3 = v->i3.x ? v->f3.zyx : a.yyy;
  v->f3.y += 2;
  v->f5 = v->f5 * 2.0f + a.x;
  v->f5[n % 5] = -1;
  v->d2 = v->d2.yx - b;
  v->s16 = v->s16 * s + (short16)(short)n;
  v->s16.lo = v->s16.hi;
  v->g4 = v->g4 * 3 + (v->g4 < n);
  v->g4[n & 3] = 7;
  v->g16 =
      __builtin_shufflevector(v->g16, v->g16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  v->cf = v->cf + c * 2.0f;
  v->cd = v->cd - d;
  bool8 flags = {n & 1, n & 2, n & 4, n & 8, 1, 0, 1, 0};
  flags[n & 7] = !flags[n & 7];
  v->bits = __builtin_bit_cast(unsigned char, flags);
  v->sum =
      __builtin_reduce_add(v->i3.xyzz) + __builtin_reduce_max(v->g4) + __builtin_reduce_xor(v->g4);
}

[[ka::kernel]] void all(struct values *v, float3 a, double2 b, short16 s, float _Complex c,
                        double _Complex d) {
  size_t i = ka_global_id(0);
  compute(&v[i], a, b, s, c, d, (int)i);
}

int main(void) {
  enum { n = 100 };
  struct values *v = device_memory(n * sizeof *v), e[n];
  memset(e, 0, sizeof e);
  for (int i = 0; i < n; i++) {
    e[i].f3 = (float3){i, i * 0.5f, -i};
    for (int k = 0; k < 5; k++)
      e[i].f5[k] = (float)(k * i);
    e[i].d2 = (double2){i, 1};
    for (int k = 0; k < 16; k++)
      e[i].s16[k] = (short)(k - i), e[i].g16[k] = (signed char)(k * i);
    e[i].g4 = (gcc_int4){i, -i, 50, 2 * i};
    e[i].cf = i + 2.0f * I;
    e[i].cd = 1.5 - i * I;
  }
  memcpy(v, e, sizeof e);
  float3 a = {3, 1, 2};
  double2 b = {0.25, 8};
  short16 s = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  float _Complex c = 1.0f - 4.0f * I;
  double _Complex d = 3.0 + I;
  KA_CHECK(ka_launch(backend(), ka_range(n), all(v, a, b, s, c, d)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    compute(&e[i], a, b, s, c, d, i);
    for (int k = 0; k < 3; k++)
      if (e[i].f3[k] != v[i].f3[k] || e[i].i3[k] != v[i].i3[k])
        check_failures++, fprintf(stderr, "float3 %d[%d] differs\n", i, k);
    for (int k = 0; k < 5; k++)
      if (e[i].f5[k] != v[i].f5[k])
        check_failures++, fprintf(stderr, "float5 %d[%d] differs\n", i, k);
    CHECK_SAME("double2", &e[i].d2, &v[i].d2, 1);
    CHECK_SAME("short16", &e[i].s16, &v[i].s16, 1);
    CHECK_SAME("int4", &e[i].g4, &v[i].g4, 1);
    CHECK_SAME("char16", &e[i].g16, &v[i].g16, 1);
    CHECK_SAME("float complex", &e[i].cf, &v[i].cf, 1);
    CHECK_SAME("double complex", &e[i].cd, &v[i].cd, 1);
    CHECK_SAME("bools", &e[i].bits, &v[i].bits, 1);
    CHECK_SAME("reductions", &e[i].sum, &v[i].sum, 1);
  }
  return check_result();
}
