// Integer arithmetic: all widths, bit-fields, bit tricks, overflow tests, division
// without traps.
#include "check.h"
#include <limits.h>

struct fields {
  unsigned a : 3, b : 5, c : 24;
  int d : 11;
  unsigned long e : 50;
  signed char f : 4;
};
struct __attribute__((packed)) bytes {
  unsigned char b[3];
  unsigned short s;
  unsigned int i;
};

static unsigned long mix(unsigned long x) {
  x ^= x >> 31;
  x *= 0x7fb5d329728ea185;
  return x ^ x >> 27;
}

static unsigned long widths(unsigned long x) {
  signed char c = (signed char)x;
  unsigned char uc = (unsigned char)(x >> 3);
  short s = (short)(x >> 7);
  unsigned short us = (unsigned short)(x >> 9);
  int i = (int)(x >> 13);
  unsigned u = (unsigned)(x >> 17);
  c = (signed char)(c * 7 + uc);
  uc = (unsigned char)(uc << 3 | uc >> 5);
  s = (short)(s / 3 - c);
  us = (unsigned short)(us % 77 + s);
  i = i >> 3 ^ (int)u;
  u = u * 31u + (unsigned)i;
  return (unsigned long)c ^ (unsigned long)uc << 8 ^ (unsigned long)s << 16 ^
         (unsigned long)us << 20 ^ (unsigned long)i << 24 ^ (unsigned long)u << 32;
}

static unsigned long bit_fields(unsigned long x) {
  struct fields f = {0};
  f.a = (unsigned)x & 7;
  f.b = (unsigned)(x >> 3) & 31;
  f.c = (unsigned)(x >> 8) & 0xffffff;
  f.d = (int)(x >> 30) % 1000;
  f.e = x & ((1ul << 50) - 1);
  f.f = (signed char)((x >> 5) % 8);
  for (unsigned k = 0; k < f.a; k++) {
    f.b += f.a;
    f.c = f.c * 3 + f.b;
    f.d = f.d / 2 - 5;
    f.e += f.c;
    f.f = -f.f;
  }
  switch (f.a) {
  case 1:
    f.c ^= 0xf0f0f0;
    break;
  case 5:
    f.e >>= 3;
    break;
  case 7:
    f.d = -1;
    break;
  }
  return f.a + 8ul * f.b + 256ul * f.c + (unsigned long)f.d + f.e * 3 + (unsigned long)f.f;
}

static unsigned long byte_access(unsigned long x) {
  struct bytes v[2];
  memset(v, 0, sizeof v);
  v[0].b[0] = (unsigned char)x;
  v[0].b[1] = (unsigned char)(x >> 8);
  v[0].b[2] = (unsigned char)(x >> 16);
  v[0].s = (unsigned short)(x >> 24);
  v[0].i = (unsigned)(x >> 16);
  memcpy(&v[1], &v[0], sizeof v[0]);
  v[1].i += v[0].s;
  unsigned three = v[1].b[0] | v[1].b[1] << 8 | v[1].b[2] << 16;
  return three + v[1].s * 3ul + v[1].i * 5ul;
}

static unsigned long bit_tricks(unsigned long x) {
  unsigned u = (unsigned)(x >> 5);
  unsigned short s = (unsigned short)x;
  unsigned long r = 0;
  r = r * 3 + (unsigned long)__builtin_popcount(u) + (unsigned long)__builtin_popcountl(x);
  r = r * 3 + (unsigned long)__builtin_clz(u | 1) + (unsigned long)__builtin_clzl(x | 1);
  r = r * 3 + (unsigned long)__builtin_ctz(u | 0x80000000) +
      (unsigned long)__builtin_ctzl(x | 1ul << 63);
  r = r * 3 + __builtin_bswap32(u) + __builtin_bswap64(x) + __builtin_bswap16(s);
  r = r * 3 + __builtin_bitreverse32(u) + __builtin_bitreverse64(x) +
      __builtin_bitreverse8((unsigned char)x);
  r = r * 3 + __builtin_rotateleft32(u, (unsigned)x) + __builtin_rotateright64(x, u) +
      __builtin_rotateleft8((unsigned char)x, (unsigned char)u);
  r = r * 3 + (unsigned long)__builtin_ffs((int)u) + (unsigned long)__builtin_parity(u);
  r = r * 3 + (unsigned long)abs((int)u >> 1) + (unsigned long)labs((long)x >> 1);
  return r;
}

static unsigned long structures_of_division(unsigned long x) {
  int by = (int)(x >> 40 & 0xffff) + 2;
  by = x & 1 ? -by : by;
  div_t d = div((int)x, by);
  ldiv_t l = ldiv((long)x, by * 3l);
  lldiv_t ll = lldiv((long long)(x << 9 | x >> 55), by * 1000003ll);
  unsigned long r = (unsigned)d.quot;
  r = r * 3 + (unsigned)d.rem;
  r = r * 3 + (unsigned long)l.quot, r = r * 3 + (unsigned long)l.rem;
  r = r * 3 + (unsigned long)ll.quot, r = r * 3 + (unsigned long)ll.rem;
  return r;
}

static unsigned long overflow(unsigned long x) {
  int a = (int)x, b = (int)(x >> 20), r32;
  long c = (long)x, d = (long)(x << 17 | x >> 47), r64;
  unsigned ua = (unsigned)a, ub = (unsigned)b, ru32;
  unsigned long uc = (unsigned long)c, ud = (unsigned long)d, ru64;
  unsigned long r = 0;
  r = r * 2 + (unsigned long)__builtin_add_overflow(a, b, &r32), r += (unsigned)r32;
  r = r * 2 + (unsigned long)__builtin_sub_overflow(a, b, &r32), r += (unsigned)r32;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(a, b, &r32), r += (unsigned)r32;
  r = r * 2 + (unsigned long)__builtin_add_overflow(c, d, &r64), r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_sub_overflow(c, d, &r64), r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(c, d, &r64), r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(c, 3L, &r64), r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_add_overflow(ua, ub, &ru32), r += ru32;
  r = r * 2 + (unsigned long)__builtin_sub_overflow(ua, ub, &ru32), r += ru32;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(ua, ub, &ru32), r += ru32;
  r = r * 2 + (unsigned long)__builtin_add_overflow(uc, ud, &ru64), r += ru64;
  r = r * 2 + (unsigned long)__builtin_sub_overflow(uc, ud, &ru64), r += ru64;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(uc, ud, &ru64), r += ru64;
  return r;
}

// Operands and results of different types: computed in one that holds all (65 bits for a long and
// an unsigned long).
static unsigned long mixed_overflow(unsigned long x) {
  long a = (long)x, r64;
  unsigned long ua = x << 31 | x >> 33, ru64;
  int b = (int)(x >> 7), r32;
  unsigned ub = (unsigned)(x >> 21);
  signed char r8;
  unsigned short ru16;
  unsigned long r = 0;
  r = r * 2 + (unsigned long)__builtin_add_overflow(a, ua, &r64), r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_sub_overflow(ua, a, &r64), r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(a >> 30, ua >> 30, &r64),
  r += (unsigned long)r64;
  r = r * 2 + (unsigned long)__builtin_sub_overflow(b, ub, &r32), r += (unsigned)r32;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(b, ub, &ru64), r += ru64;
  r = r * 2 + (unsigned long)__builtin_add_overflow(b, ub, &ru64), r += ru64;
  r = r * 2 + (unsigned long)__builtin_mul_overflow(a >> 58, a << 2 >> 57, &r8),
  r += (unsigned long)r8;
  r = r * 2 + (unsigned long)__builtin_add_overflow(ub >> 16, b >> 17, &ru16), r += ru16;
  return r;
}

// _BitInt of widths that no machine has, in memory and in registers.
struct odd {
  _BitInt(7) a;
  unsigned _BitInt(20) b;
  _BitInt(37) c;
  unsigned _BitInt(61) d;
};
static unsigned long odd_widths(unsigned long x) {
  static const _BitInt(24) table[] = {1, -2, 0x7fffff, -0x800000};
  struct odd v[2] = {
      {(_BitInt(7))x, (unsigned _BitInt(20))(x >> 3), (_BitInt(37))(x >> 9), x >> 2}};
  v[1] = v[0];
  v[1].b = (unsigned _BitInt(20))(v[1].b * 3u + 1u);
  v[1].c = (_BitInt(37))((long)v[1].c / 5 - 1);
  v[1].d = v[1].d << 5 | v[1].d >> 56;
  v[x & 1].a = v[x >> 1 & 1].a > 5 ? -3 : 9;
  _BitInt(37) product;
  unsigned long r = (unsigned long)__builtin_mul_overflow(v[0].c, v[1].c, &product);
  r = r * 3 + (unsigned long)__builtin_popcountg(v[0].b) +
      (unsigned long)__builtin_clzg(v[0].d, 61);
  r = r * 3 + (unsigned long)__builtin_ctzg(v[0].b, 20) + (unsigned long)__builtin_clzg(v[1].b, 20);
  return r * 31 + (unsigned long)product + (unsigned long)v[1].a + v[1].b + (unsigned long)v[0].c +
         v[1].d + (unsigned long)table[x >> 5 & 3];
}

// Bit-fields of which none begins at a byte: one object of 168 bits to the compiler.
struct __attribute__((packed)) run {
  unsigned a : 10;
  int b : 23, c : 29, d : 21;
  unsigned e : 16, f : 7;
  int g : 9, h : 26, i : 22;
};
static unsigned long packed_run(unsigned long x) {
  struct run v[3] = {{1, -2, 3, -4, 5, 6, -7, 8, -9}};
  v[1] = v[0];
  struct run *p = &v[x & 1];
  p->e = (unsigned)(x & 0xffff);
  p->d += (int)(x >> 50);
  p->i = (int)(x >> 43);
  p->g = -p->g;
  v[2] = v[x >> 1 & 1];
  v[2].h ^= v[0].c;
  unsigned long r = 0;
  for (int k = 0; k < 3; k++)
    r = r * 31 + v[k].a + (unsigned)v[k].b * 3ul + (unsigned)v[k].c * 5ul + (unsigned)v[k].d * 7ul +
        v[k].e * 11ul + v[k].f * 13ul + (unsigned)v[k].g * 17ul + (unsigned)v[k].h * 19ul +
        (unsigned)v[k].i * 23ul;
  return r;
}

static long minimum(long a, long b) { return a < b ? a : b; }
static long clamped(long v, long low, long high) { return v < low ? low : v > high ? high : v; }

static unsigned long comparisons(unsigned long x) {
  long a = (long)x, b = (long)mix(x);
  unsigned s = (unsigned)x, t = (unsigned)(x >> 32);
  unsigned sum = s + t < s ? UINT_MAX : s + t, difference = s < t ? 0 : s - t;
  return (unsigned long)minimum(a, b) ^ (unsigned long)clamped(a, -1000, 1000) ^ sum ^
         (unsigned long)difference << 13 ^ (unsigned long)((a > b) - (a < b));
}

// Where C leaves the result open, kernels have one: x / 0 is x, x % 0 is 0, INT_MIN / -1 is
// INT_MIN.
static int quotient(int a, int b) { return b == 0 ? a : b == -1 ? (int)(0u - (unsigned)a) : a / b; }
static int rest(int a, int b) { return b == 0 || b == -1 ? 0 : a % b; }

#define CASES 11
static unsigned long one(int which, unsigned long x) {
  switch (which) {
  case 0:
    return widths(x);
  case 1:
    return bit_fields(x);
  case 2:
    return byte_access(x);
  case 3:
    return bit_tricks(x);
  case 4:
    return overflow(x);
  case 5:
    return comparisons(x);
  case 6:
    return mixed_overflow(x);
  case 7:
    return odd_widths(x);
  case 8:
    return packed_run(x);
  case 9:
    return structures_of_division(x);
  default:
    return mix(x);
  }
}

[[ka::kernel]] void all(unsigned long *out, int n) {
  size_t i = ka_global_id(0);
  out[i] = one((int)i / n, mix(i + 1));
}

[[ka::kernel]] void divisions(const int *a, const int *b, int *q, int *r, unsigned *uq, long *lq) {
  size_t i = ka_global_id(0);
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
  uq[i] = (unsigned)a[i] / (unsigned)b[i] + (unsigned)a[i] % (unsigned)b[i];
  lq[i] = ((long)a[i] << 32) / ((long)b[i] << 3);
}

// What the compiler can tell of the operands is no reason for another result.
[[ka::kernel]] void known_operands(const int *a, const int *b, int *out) {
  size_t i = ka_global_id(0);
  int none = 0, one = 1, less = -1;
  out[5 * i] = a[i] / none;
  out[5 * i + 1] = a[i] % none;
  out[5 * i + 2] = one / b[i];
  out[5 * i + 3] = a[i] / less;
  out[5 * i + 4] = a[i] / b[i];
  if (b[i] == 0)
    out[5 * i + 4] ^= 5;
}

// C leaves these open for 0 as well; kernels count all bits.
[[ka::kernel]] void counts(int *out, const unsigned *x, const unsigned long *y) {
  out[0] = __builtin_clz(*x);
  out[1] = __builtin_ctz(*x);
  out[2] = __builtin_clzl(*y);
  out[3] = __builtin_ctzl(*y);
  out[4] = __builtin_clzg(*x, 99);
}

[[ka::kernel]] void scalars(long *out, bool b, char c, signed char sc, unsigned char uc, short s,
                            unsigned short us, int i, unsigned u, long l, unsigned long long ull) {
  out[0] = b, out[1] = c, out[2] = sc, out[3] = uc, out[4] = s, out[5] = us, out[6] = i;
  out[7] = u, out[8] = l, out[9] = (long)ull;
}

int main(void) {
  enum { n = 1000 };
  unsigned long *out = device_memory(CASES * n * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(CASES * n), all(out, n)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < CASES * n; i++) {
    unsigned long e = one(i / n, mix((unsigned long)i + 1));
    CHECK_SAME("function", &e, &out[i], 1);
    if (check_failures)
      return fprintf(stderr, "function %d of %d\n", i / n, i % n), 1;
  }

  const int values[] = {0, 1, -1, 2, -2, 7, -7, 100, INT_MAX, INT_MIN, INT_MIN + 1};
  enum { m = sizeof values / sizeof *values };
  int *a = device_memory(m * m * sizeof *a), *b = device_memory(m * m * sizeof *b);
  int *q = device_memory(m * m * sizeof *q), *r = device_memory(m * m * sizeof *r);
  unsigned *uq = device_memory(m * m * sizeof *uq);
  long *lq = device_memory(m * m * sizeof *lq);
  for (int i = 0; i < m * m; i++)
    a[i] = values[i / m], b[i] = values[i % m];
  KA_CHECK(ka_launch(backend(), ka_range(m * m), divisions(a, b, q, r, uq, lq)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < m * m; i++) {
    unsigned x = (unsigned)a[i], y = (unsigned)b[i];
    long wide = (long)((unsigned long)a[i] << 32), by = (long)((unsigned long)b[i] << 3);
    const long expected[] = {quotient(a[i], b[i]), rest(a[i], b[i]), y ? x / y + x % y : x,
                             by ? wide / by : wide};
    const long actual[] = {q[i], r[i], uq[i], lq[i]};
    CHECK_SAME("division", expected, actual, 4);
  }
  int *known = device_memory(5 * m * m * sizeof *known);
  KA_CHECK(ka_launch(backend(), ka_range(m * m), known_operands(a, b, known)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < m * m; i++) {
    const int expected[] = {a[i], 0, quotient(1, b[i]), quotient(a[i], -1),
                            quotient(a[i], b[i]) ^ (b[i] ? 0 : 5)};
    CHECK_SAME("division of what is known", expected, known + 5 * i, 5);
  }

  unsigned long *zero = device_memory(sizeof *zero);
  KA_CHECK(ka_launch(backend(), ka_range(1), counts(q, (const unsigned *)zero, zero)));
  KA_CHECK(ka_synchronize(backend()));
  const int bits[] = {32, 32, 64, 64, 99};
  CHECK_SAME("bits of 0", bits, q, 5);

  long *l = device_memory(10 * sizeof *l);
  KA_CHECK(ka_launch(
      backend(), ka_range(1),
      scalars(l, 7, 'x', -3, 250, -300, 65000, -70000, 4000000000u, LONG_MIN, ULLONG_MAX - 1)));
  KA_CHECK(ka_synchronize(backend()));
  const long scalar[] = {1, 'x', -3, 250, -300, 65000, -70000, 4000000000, LONG_MIN, -2};
  CHECK_SAME("scalar parameters", scalar, l, 10);
  return check_result();
}
