// Declarations and types: old definitions, array parameters, anonymous and transparent members,
// enumerations, alignment, offsets, types that are asked for, promotions, questions to the
// compiler.
#include "check.h"
#include <complex.h>
#include <limits.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

// Without a prototype, arguments are promoted, then converted to what the definition says.
static long old_style();
struct pair {
  int x, y;
};
static unsigned long old_definitions(int n) {
  const int v[] = {n, 2 * n};
  unsigned long r = 0;
  for (int i = 0; i < 2; i++)
    MIX(r, old_style((short)n, (char)(n + 100), n * 0.5f, v + i, (struct pair){n, 3}));
  MIX(r, old_style(-1, 'c', 2.0, v, (struct pair){.y = n}));
  return r;
}
static long old_style(a, c, f, p, s)
short a;
char c;
float f;
const int *p;
struct pair s;
{
  return a * 1000L + c + (long)(f * 4) + *p + s.y;
}
static int no_parameters() { return 7; }

static int of_static(int n, const int v[static 3], int w[const restrict]) {
  return v[n % 3] + w[n % 2];
}
static int of_matrix(int n, int m, int v[n][m + 1], double (*w)[m]) {
  w[1][m - 1] += 1;
  return v[n - 1][m] * 10 + v[0][m / 2] + (int)w[1][m - 1] + (int)sizeof *v + (int)sizeof *w;
}
static int of_star(int n, int v[*]);
static int of_star(int n, int v[n]) { return v++, v[n - 2]; }
static int of_function(int n, int f(int)) { return n + (f != NULL); }
static int of_typedef(int (*const v)[2], const struct pair *restrict p) { return (*v)[1] + p->y; }
static unsigned long array_parameters(int n) {
  int v[12] = {1, 2, 3, n, 5, 6, 7, 8, 9, 10, 11, n}, two[2] = {n, -n};
  double d[6] = {0.5, 1.5, 2.5, 3.5, n, 5};
  unsigned long r = of_static(n, v, two);
  MIX(r, of_matrix(4, 2, (int(*)[3])v, (double(*)[2])d)),
      MIX(r, of_matrix(3, 3, (int(*)[4])v, (double(*)[3])d));
  MIX(r, of_star(5 + n % 7, v)), MIX(r, of_typedef(&two, &(struct pair){1, n})), MIX(r, d[5]),
      MIX(r, no_parameters());
  return MIX(r, of_function(n, NULL));
}

struct __attribute__((packed)) header {
  uint8_t kind;
  union {
    struct {
      uint16_t port;
      union {
        uint32_t address;
        uint8_t byte[4];
      };
    };
    uint8_t raw[6];
  };
  struct {
    int : 0;
    unsigned low : 3, high : 13;
  };
};
static unsigned long anonymous_members(int n) {
  struct header h = {3, {{0x1234, {.byte = {1, 2, 3}}}}, .high = 77};
  h.byte[3] = (uint8_t)n;
  h.low = (unsigned)n;
  unsigned long r = h.address;
  h.raw[n % 6] ^= 0x55;
  MIX(r, h.port), MIX(r, h.address), MIX(r, h.low * 10 + h.high), MIX(r, sizeof h);
  MIX(r, offsetof(struct header, address)), MIX(r, offsetof(struct header, byte[2])),
      MIX(r, &h.raw[2] - (uint8_t *)&h);
  return r;
}

// A parameter that takes each of its members, without a cast.
typedef union {
  int *i;
  const char *c;
  struct pair *p;
} any_pointer __attribute__((transparent_union));
static int by_any(any_pointer a, int kind) { return kind == 0 ? *a.i : kind == 1 ? *a.c : a.p->y; }
static unsigned long transparent_unions(int n) {
  struct pair p = {1, n};
  any_pointer a = {.p = &p};
  unsigned long r = 0;
  MIX(r, by_any(&n, 0)), MIX(r, by_any("text" + n % 4, 1)), MIX(r, by_any(&p, 2)),
      MIX(r, by_any(a, 2));
  return r;
}

// Types between integers and floating point: read as one, written as the other.
static unsigned long unions_of_numbers(int n) {
  union {
    double d;
    float f[2];
    uint64_t u;
    unsigned char c[8];
    struct {
      unsigned long mantissa : 52, exponent : 11, sign : 1;
    };
    void *p;
    bool b;
  } u = {.d = n * -1.5};
  unsigned long r = u.u;
  MIX(r, u.c[n & 7]), MIX(r, u.exponent), MIX(r, u.mantissa), MIX(r, u.sign);
  u.exponent += 2;
  MIX(r, u.d), u.f[n & 1] = 3.25f, MIX(r, u.u);
  u.p = &u;
  MIX(r, u.p == &u), u.u = 0, MIX(r, u.p == NULL), MIX(r, u.b), u.b = n, MIX(r, u.c[0]);
  return r;
}

enum later;
enum colour { red = -2, green, blue = green + 5, last = blue, after };
enum later { first_later = 3 };
enum __attribute__((packed)) small { small_one = 1, small_most = 200 };
enum large { large_one = 1, large_most = 0x123456789abc };
enum unsigned_one { u_zero, u_most = UINT_MAX };
enum wider { wider_least = -1, wider_most = 1l << 40 };
struct with_enums {
  enum colour c : 4;
  enum small s[3];
  enum large l;
  enum unsigned_one u;
};
static enum colour next(enum colour c) { return c == after ? red : c + 1; }
static unsigned long enumerations(int n) {
  enum { local = 5, from_size = sizeof(struct with_enums), from_other = local * after };
  struct with_enums w = {next(n % 3 - 2), {small_most, small_one, n}, large_most - n, -n};
  unsigned long r = from_size + from_other + first_later;
  switch (w.c) {
  case red:
  case blue:
    MIX(r, 1);
    break;
  case green ... 0:
    MIX(r, 2);
    break;
  default:;
  }
  MIX(r, w.c), MIX(r, w.s[n % 3] + 100), MIX(r, w.l >> 4), MIX(r, w.u > 5),
      MIX(r, sizeof(enum small) + sizeof(enum large) * 10);
  MIX(r, (enum colour) - 1 < 0), MIX(r, (enum unsigned_one) - 1 > 0),
      MIX(r, sizeof(large_most) + sizeof(red));
  return r;
}

_Static_assert(sizeof(struct pair) == 8, "as on the host");
struct asserted {
  _Static_assert(CHAR_BIT == 8, "within a structure");
  char c;
};
// Over-aligned: variables, members, arrays of structures, and the lesser alignment of packed ones.
struct aligned_members {
  char c;
  alignas(32) int i;
  _Alignas(double) char d;
  short s __attribute__((aligned(16)));
} __attribute__((aligned(64)));
struct __attribute__((packed, aligned(2))) lesser {
  char c;
  long l;
  struct pair p;
};
typedef int odd_int __attribute__((aligned(1)));
static unsigned long alignments(int n) {
  _Static_assert(alignof(struct aligned_members) == 64, "");
  alignas(128) char bytes[3] = {1, 2, (char)n};
  struct aligned_members a[2] = {{.i = n}, {.s = 5}}, *p = a;
  struct lesser l[3] = {[1] = {1, n * 100L, {2, 3}}};
  l[2] = l[1], l[0].p = l[2].p, l[n % 3].l ^= 0x123456789;
  unsigned long r = (uintptr_t)bytes % 128 + (uintptr_t)p % 64 + bytes[n % 3];
  odd_int *o = (odd_int *)((char *)&l[n % 3].l + n % 4);
  MIX(r, *o), *o += 3;
  for (int i = 0; i < 3; i++)
    MIX(r, l[i].l + l[i].p.y);
  p += n & 1;
  MIX(r, p->i + p->s), MIX(r, sizeof a), MIX(r, (char *)&p->s - (char *)p),
      MIX(r, __alignof__(odd_int) + alignof(struct lesser));
  MIX(r, offsetof(struct aligned_members, d)), MIX(r, _Alignof(max_align_t) + __alignof__(a[0].s)),
      MIX(r, sizeof(struct asserted));
  return r;
}

struct outer {
  char c;
  struct {
    struct pair p[3];
    char tail[];
  } in;
};
// Also with an index that is known only when it runs; and a structure found from its member.
static unsigned long offsets(int n) {
  struct outer o = {.in.p[1] = {4, n}};
  int *y = &o.in.p[1].y;
  struct pair *p = (struct pair *)((char *)y - offsetof(struct pair, y));
  unsigned long r =
      offsetof(struct outer, in.p[2].y) + __builtin_offsetof(struct outer, in.p[n % 3].y);
  MIX(r, p->x), MIX(r, p - o.in.p), MIX(r, (size_t)&((struct outer *)0)->in.p[1]),
      MIX(r, offsetof(struct outer, in.tail));
  return r;
}

#define SAME(a, b) __builtin_types_compatible_p(__typeof__(a), b)
#define SWAP(a, b)                                                                                 \
  do {                                                                                             \
    __typeof__(a) kept = (a);                                                                      \
    (a) = (b), (b) = kept;                                                                         \
  } while (0)
static unsigned long types_asked_for(int n) {
  __auto_type i = n;
  __auto_type p = &i;
  __auto_type d = n * 1.5f;
  typeof(int[3]) a = {1, 2, n};
  typeof(*a) *first = a;
  typeof(const struct pair) q = {n, 2};
  __typeof__(int(*)[3]) whole = &a;
  __extension__ typedef typeof(q.x) member;
  member m = q.x;
  struct pair s = q, t = {5, 6};
  float two = 2;
  SWAP(s, t);
  SWAP(first[0], a[2]);
  SWAP(d, two);
  *p += m;
  unsigned long r = SAME(i, int) + 2 * SAME(d, float) + 4 * SAME(a, int[3]) + 8 * SAME(p, int *) +
                    16 * SAME(q, struct pair);
  MIX(r, i), MIX(r, d), MIX(r, (*whole)[n % 3]), MIX(r, s.x + t.y),
      MIX(r, SAME('a', int) + 2 * SAME(+(char)1, int));
  MIX(r, sizeof(typeof(n + 1L)) + sizeof(__typeof__(struct { char c[3]; })));
  return r;
}

#define NAME(x)                                                                                    \
  _Generic((x),                                                                                    \
      char: "char",                                                                                \
      signed char: "signed char",                                                                  \
      _Bool: "bool",                                                                               \
      short: "short",                                                                              \
      unsigned long: "size",                                                                       \
      float: "float",                                                                              \
      const int *: "const int *",                                                                  \
      int *: "int *",                                                                              \
      char *: "text",                                                                              \
      struct pair: "pair",                                                                         \
      int(*)[3]: "array",                                                                          \
      double complex: "complex",                                                                   \
      enum wider: "wider",                                                                         \
      default: "other")
#define ABSOLUTE(x) _Generic((x), int: abs, long: labs, float: absolute_float)(x)
static float absolute_float(float x) { return x < 0 ? -x : x; }
static unsigned long generic_selections(int n) {
  int i = n, a[3] = {0}, effects = 0;
  const int *p = a;
  const short s = 1;
  struct pair q = {n, n};
  unsigned long r = 0;
  const char *names[] = {NAME((char)1), NAME('a'),       NAME(sizeof i),      NAME(1.0f),
                         NAME(p),       NAME(a),         NAME("x"),           NAME(q),
                         NAME(&a),      NAME(1.0 * I),   NAME((_Bool)n),      NAME(s),
                         NAME(+s),      NAME(effects++), NAME((enum wider)3), NAME(i ? p : 0)};
  for (const char *w = names[n % 16]; *w; w++)
    MIX(r, *w);
  MIX(r, ABSOLUTE(20 - n)), MIX(r, ABSOLUTE(20L - n)), MIX(r, ABSOLUTE(20.5f - n)), MIX(r, effects);
  _Generic(i, int: a, default: p)[1] = 5;
  return MIX(r, a[1] + _Generic(q, struct pair: q).y);
}

#define CHOOSE(c, a, b) __builtin_choose_expr(c, a, b)
static inline int known(int x) { return __builtin_constant_p(x) ? 1 : 2; }
static unsigned long questions(int n) {
  char buffer[20], *p = buffer + 5;
  struct pair pairs[4];
  int effects = 0;
  unsigned long r = 0;
  // What is not chosen is not evaluated, and may have another type.
  MIX(r, CHOOSE(1, n, "text")), MIX(r, CHOOSE(0, n / 0, n + 1)),
      MIX(r, CHOOSE(sizeof(long) == 8, 3, effects++));
  MIX(r, sizeof(CHOOSE(0, 1.0, 'c'))),
      MIX(r, __builtin_constant_p(3 + 4) + 2 * __builtin_constant_p(effects++));
  MIX(r, __builtin_constant_p("text") + known(n) % 1);
  MIX(r, __builtin_object_size(buffer, 0)), MIX(r, __builtin_object_size(&pairs[1], 1)),
      MIX(r, __builtin_object_size(&pairs[1].y, 1));
  MIX(r, effects), MIX(r, __builtin_types_compatible_p(int[], int[3]) +
                              2 * __builtin_types_compatible_p(char, signed char));
  MIX(r, __builtin_expect(n > 5, 1) ? 4 : 5), MIX(r, __builtin_expect_with_probability(n, 3, 0.5));
  MIX(r, __builtin_classify_type(1.0) + __builtin_isless(n, 3.0) + (p - buffer));
  MIX(r, __builtin_is_aligned(&pairs[n % 4], 4) + (char *)__builtin_align_up(p, 1) - p);
  MIX(r, __has_builtin(__builtin_choose_expr) + __has_attribute(cleanup) + __COUNTER__ * 0);
  __builtin_assume(n < 1000000);
  return MIX(r, __builtin_dynamic_object_size(pairs, 0));
}

// Narrow operands and bit-fields become int where int holds their values, unsigned else.
struct narrow {
  unsigned u3 : 3, u31 : 31, u32 : 32;
  int s5 : 5;
  bool b1 : 1;
  unsigned long u40 : 40, u33 : 33;
  long s34 : 34;
  unsigned char c7 : 7;
  enum colour e : 5;
};
static unsigned long promotions(int n) {
  struct narrow f = {5, 1u << 30, 7, -3, 1, 1ul << 39, 1ul << 32, -1, 100, red};
  f.u3 += (unsigned)n, f.u31 -= (unsigned)n, f.s5 = n % 16, f.u40 = f.u40 << 1 | (unsigned)n,
                                             f.s34 *= n, f.c7 = ~f.c7, f.b1 ^= n;
  unsigned long r = 0;
  MIX(r, (f.u3 - 8 < 0) + 2 * (f.u31 - INT_MAX < 0) + 4 * (f.u32 - 8 < 0) + 8 * (-f.u3 < 0) +
             16 * (~f.c7 < 0));
  MIX(r, sizeof(+f.u3) + sizeof(f.u40 + 1) + sizeof(f.u3 ? f.c7 : f.b1)), MIX(r, f.u3 << 20 >> 19),
      MIX(r, (f.u40 << 30) >> 20);
  MIX(r, f.s5 * f.u3), MIX(r, f.s5 / 2), MIX(r, f.s34 / 3), MIX(r, f.u33 - f.u40),
      MIX(r, f.c7 - 200 < 0), MIX(r, ++f.u3), MIX(r, f.u3++ + f.u3);
  MIX(r, f.e), MIX(r, f.e < 0), MIX(r, f.b1), MIX(r, (f.s5 = n)), MIX(r, (f.u3 = 9 + n)),
      MIX(r, f.u32 * f.u32 > f.u40);
  unsigned char c = (unsigned char)(200 + n), d = 100;
  signed char s = (signed char)(n - 100);
  unsigned short h = 0xffff;
  MIX(r, c + d), MIX(r, c << 4), MIX(r, (unsigned char)(c + d)), MIX(r, -c), MIX(r, ~c),
      MIX(r, c * c - 50000 < 0), MIX(r, s >> 1), MIX(r, s < c);
  MIX(r, h + 1), MIX(r, (short)h), MIX(r, (unsigned)s > 5u), MIX(r, s ? c : 1u), MIX(r, c++ + ++d),
      MIX(r, c += 300), MIX(r, s -= h), MIX(r, (c ^= h));
  MIX(r, n < 5u - 10), MIX(r, (n ? -1 : 0u) >> 4), MIX(r, 1 ? n - 20 : 0ul), MIX(r, !c + !!d),
      MIX(r, (char)(n * 5) / 3 % 4), MIX(r, (float)c / 2 * 8);
  return r;
}

// Constants that the compiler computes: in sizes, initialisers, cases and conditions.
#define BIT(n) (1u << (n))
enum {
  size = 3 * (sizeof(int) == 4 ? 2 : 9),
  shifted = BIT(4) | BIT(1),
  negative = -7 / 2 * 3 % 5,
  chosen = 1 ? 2 : 1 / 1
};
static const unsigned masks[size + (int)2.9] = {
    BIT(0), [shifted & 6] = ~0u >> 4, [size] = (unsigned char)300, (int)(1.5 * 3) + 'a'};
static const double ratios[] = {
    1 / 3.,    7 / 2, -1.0 / 0.0, 0x1p-3 + (float)0.1, (char)200, sizeof masks / sizeof *masks,
    1e308 * 10};
static const char *const halves[] = {"abcdef" + 3, &"abc"[1], (const char *)masks};
static const long addresses[] = {(const char *)&masks[4] - (const char *)&masks[1],
                                 (long)&((struct outer *)16)->in};
static unsigned long computed_constants(int n) {
  unsigned long r = 0;
  switch (n) {
  case size:
  case sizeof masks + shifted % 3:
    MIX(r, 1);
    break;
  case (int)'a' - 90 ...(int) 3.7 * 4:
    MIX(r, 2);
    break;
  case BIT(4) | negative % 2:
    MIX(r, 3);
  }
  if (0 && 1 / 0)
    MIX(r, 9);
  double d = ratios[n % 7];
  MIX(r, masks[n % 8]), MIX(r, d > -1e9 && d < 1e9 ? (long)(d * 1000) : d > 0),
      MIX(r, halves[n % 2][n % 3]), MIX(r, halves[2][n % 8]);
  MIX(r, addresses[n & 1]), MIX(r, negative), MIX(r, chosen), MIX(r, (int[]){1, 2, 3}[n % 3]);
  return r;
}

// All four operations, of both widths, with reals and conjugates; no infinities, which libraries
// treat.
static unsigned long complex_arithmetic(int n) {
  double complex z = n + 2.0 * I, w = 3.0 - n * I, q = z / w;
  float complex f = (n & 7) + 0.5f * I, g = f * f / 2 - 1.0f;
  unsigned long r = 0;
  MIX(r, creal(z * w)), MIX(r, cimag(z * w) * 8), MIX(r, creal(q * 4096)), MIX(r, cimag(q) * 4096),
      MIX(r, crealf(g) * 64);
  z += 1, z *= I, w = -~w, w -= z, f /= 0.25f, z = n & 1 ? z : conj(w);
  MIX(r, creal(z)), MIX(r, __imag__ w), MIX(r, __real__ f * 4), MIX(r, z == w),
      MIX(r, z != conj(z)), MIX(r, !f);
  __real__ z = 5, __imag__ z += n;
  double complex v[2] = {z, CMPLX(n, -0.0)}, *p = v + (n & 1);
  *p = *p + v[0];
  int complex i = n + 3i;
  i = i * i - 2;
  MIX(r, (double)v[0]), MIX(r, cimag(v[1])), MIX(r, __real__ i), MIX(r, __imag__ i),
      MIX(r, sizeof z + sizeof f);
  return r;
}

// Qualified in every place: pointers to what is const, volatile, restrict, register, in any order.
static unsigned long qualifiers(int n) {
  volatile int v = n, *volatile pv = &v;
  int const volatile *const restrict cp = pv;
  register int counter = n;
  const struct pair a[2] = {{1, n}, {n, 2}}, *p = a;
  volatile struct pair w = {n, 1};
  const volatile char text[] = "volatile";
  struct pair copy = w;
  v++, *pv += 2, w.y -= *cp, counter += w.x, p++;
  const int *const *const q = &(const int *){&p->x};
  typedef const int constant[2];
  constant c = {n, 4}, *pc = &c;
  unsigned long r = (unsigned long)counter;
  MIX(r, v), MIX(r, w.y), MIX(r, copy.x), MIX(r, **q), MIX(r, (*pc)[n & 1]), MIX(r, text[n % 9]),
      MIX(r, *(int *)&c[1]);
  return r;
}

// One name in several scopes and name spaces; declarations that are repeated.
static int repeated(int);
static int repeated(int), repeated(int n);
static int repeated(int n) { return n * 3; }
static const int same = 3;
typedef struct same {
  int same;
} Same;
static unsigned long scopes(int n) {
  int r = same, same = n + 1;
  struct same s = {same};
  {
    enum { same = 5 };
    r = r * 31 + same;
    struct same {
      char c[9];
    } t;
    r += (int)sizeof t + (int)sizeof(struct same);
    extern int never_used(int);
    goto same;
  }
same:
  for (int same = 0; same < 2; same++) {
    int same = n;
    r = r * 31 + same;
  }
  typedef long n_type, Same;
  int repeated(int);
  return (unsigned long)r * 31 + s.same + sizeof(n_type) + sizeof(Same) + repeated(same);
}

#define CASES(X)                                                                                   \
  X(old_definitions)                                                                               \
  X(array_parameters)                                                                              \
  X(anonymous_members)                                                                             \
  X(transparent_unions)                                                                            \
  X(unions_of_numbers)                                                                             \
  X(enumerations)                                                                                  \
  X(alignments)                                                                                    \
  X(offsets)                                                                                       \
  X(types_asked_for)                                                                               \
  X(generic_selections)                                                                            \
  X(questions)                                                                                     \
  X(promotions)                                                                                    \
  X(computed_constants)                                                                            \
  X(complex_arithmetic)                                                                            \
  X(qualifiers)                                                                                    \
  X(scopes)
#include "cases.h"
