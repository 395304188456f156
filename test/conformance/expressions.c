// Expressions and declarations that kernels are pasted together from: generic selections, compound
// literals, statement expressions, Duff's device, pointers to functions that are never called.
#include "check.h"
#include <complex.h>
#include <stddef.h>
#include <stdint.h>

#define KIND(x)                                                                                    \
  _Generic((x),                                                                                    \
      int: 1,                                                                                      \
      unsigned: 2,                                                                                 \
      long: 3,                                                                                     \
      float: 4,                                                                                    \
      double: 5,                                                                                   \
      int *: 6,                                                                                    \
      const int *: 7,                                                                              \
      default: 8)

// Parameters of variable length are what is tested.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wvla"
static int sum(int n, const int v[n]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s = s * 3 + v[i];
  return s;
}
static int corner(int n, int m, int v[static n][m]) { return v[n - 1][m - 1] * 10 + v[0][m / 2]; }
#pragma clang diagnostic pop

struct point {
  int x, y;
};
struct shape {
  struct point p[3];
  union {
    struct {
      short low, high;
    };
    int both;
  };
  const char *name;
};

static int literals(int n) {
  int a = sum(5, (int[5]){n, [3] = 2, 1}) + sum(3, (int[]){[2] = n});
  struct point p = {.y = n}, *q = &(struct point){.x = 1, .y = n * 2};
  struct shape s = {.p = {[1] = {3, n}, [2].y = 7}, .high = 2, .name = "shape"};
  s.low = (short)n;
  const struct shape t = s;
  a += p.x + p.y + q->x * q->y + t.p[1].y + t.p[2].y + t.both + t.name[n % 5];
  int(*row)[3] = (int[][3]){{1, 2, 3}, {4, 5, n}};
  return a + row[1][2] + corner(2, 3, row) + (int)sizeof row[0] + "abc"[n % 3];
}

static int selections(int n) {
  const int *p = &n;
  return KIND(n) + 10 * KIND(1u) + 100 * KIND(n + 0L) + 1000 * KIND(1.0f) + 10000 * KIND(n * 1.0) +
         100000 * KIND(p) + 1000000 * KIND((char)n);
}

#define MAX(a, b)                                                                                  \
  ({                                                                                               \
    __auto_type a_ = (a);                                                                          \
    __auto_type b_ = (b);                                                                          \
    a_ > b_ ? a_ : b_;                                                                             \
  })
static int statements(int n) {
  int i = 0, inner = MAX(n % 5, 3), m = MAX(n % 7, inner);
  m += (i++, i++, i * 2);
  m += n ?: 9;
  m <<= n & 3;
  m -= ~n ^ -n;
  m = !m ? 5 : m;
  switch (n % 23) {
  case 1 ... 4:
    m += 100;
    break;
  case 5:
    m += 200;
    [[fallthrough]];
  case 9 ... 12:
    m += 400;
    [[fallthrough]];
  default:
    m ^= 0x55;
  }
  return m;
}

static int duff(int n) {
  char from[40], to[40] = {0};
  for (int i = 0; i < 40; i++)
    from[i] = (char)(i * n);
  int count = n % 31 + 1, turns = (count + 7) / 8;
  char *t = to;
  const char *f = from;
  switch (count % 8) {
  case 0:
    do {
      *t++ = *f++;
    case 7:
      *t++ = *f++;
    case 6:
      *t++ = *f++;
    case 5:
      *t++ = *f++;
    case 4:
      *t++ = *f++;
    case 3:
      *t++ = *f++;
    case 2:
      *t++ = *f++;
    case 1:
      *t++ = *f++;
    } while (--turns > 0);
  }
  int r = (int)(t - to);
  for (int i = 0; i < 40; i++)
    r = r * 7 + to[i];
  return r;
}

// Pointers in arrays, chosen, compared, subtracted, cast to integers and back.
static int pointers(int n) {
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {9, 8, 7, 6, 5, 4, 3, 2}, *p[8], r = 0;
  for (int i = 0; i < 8; i++)
    p[i] = n >> i & 1 ? a + i : &b[7 - i];
  for (int i = 0; i < 8; i++)
    r = r * 3 + *p[(i + n) & 7];
  int *q = n % 3 ? a + n % 8 : NULL, **pp = &q;
  if (*pp)
    r += **pp + (int)(*pp - a) + (*pp > a) + (q == &a[3]);
  uintptr_t u = (uintptr_t)&a[2];
  u += (uintptr_t)(n & 3) * sizeof(int);
  r += *(int *)u + (int)((char *)p[n & 1 ? 0 : 1] - (char *)p[n & 1 ? 0 : 1]);
  void *v = b + 1;
  return r + ((int *)v)[n & 3] + (int)(offsetof(struct shape, name));
}

// A pointer to a function that nobody calls on the device does no harm.
struct operation {
  int (*apply)(int);
  int value;
  const char *name;
};
static int unused_function_pointer(struct operation o, const struct operation *table, int n) {
  struct operation mine = o;
  return mine.value * 2 + table[n % 2].value + (table[n % 2].apply != NULL);
}

// Arrays of no elements, a flexible one, and shifts and conversions of booleans.
struct counted {
  int count;
  struct {
    char none[0];
  } empty;
  short values[];
};
static int odd_arrays(struct counted *c) {
  int s = (int)sizeof *c;
  for (int i = 0; i < c->count; i++)
    s += c->values[i] + c->empty.none[0] * 0;
  c->values[0]++;
  return s;
}
static int booleans(int n) {
  bool a = n & 1, b = n & 2, v[4] = {a, b, a ^ b, !a};
  int s = (a << 3) >> b, t = (int)((unsigned)a << 31 >> 30) + (b ? -1 : a);
  v[n & 3] ^= (bool)(n & 8);
  float f = v[1];
  return s * 100 + t + v[0] + v[2] * 4 + v[3] * 8 + (int)f * 16 + (v[n & 3] ? 'y' : 'n');
}

static double complex_numbers(int n) {
  double complex z = n + 2.0 * I, w = 3.0 - n * I;
  float complex f = 0.5f * n + 1.0f * I;
  z = z * w + conj(z) - creal(w);
  z -= cimag(z) * (n % 3 == 0);
  f = f * f - 2.0f;
  f = ~f;
  return creal(z) + 3 * cimag(z) + crealf(f) - cimagf(f) + (z == w) + (conjf(f) != f) * 2;
}

#define CASES 8
static int one(int which, int n) {
  switch (which) {
  case 0:
    return literals(n);
  case 1:
    return selections(n);
  case 2:
    return statements(n);
  case 3:
    return duff(n);
  case 4:
    return pointers(n);
  case 5:
    return booleans(n);
  case 6:
    return (int)complex_numbers(n);
  default:
    return n;
  }
}
[[ka::kernel]] void all(int *out, int n) {
  int i = (int)ka_global_id(0);
  out[i] = one(i / n, i % n);
}
[[ka::kernel]] void with_operations(int *out, struct operation o, const struct operation *table) {
  out[ka_global_id(0)] = unused_function_pointer(o, table, (int)ka_global_id(0));
}
[[ka::kernel]] void counted_arrays(int *out, struct counted *c) { *out = odd_arrays(c); }

// Kernels as plain functions of other kernels.
[[ka::kernel]] void store(int *out, int v) { out[ka_global_id(0)] += v; }
[[ka::kernel]] void store_twice(int *out) {
  store(out, 3);
  store(out + ka_global_size(0), 4);
}

int main(void) {
  enum { n = 200 };
  int *out = device_memory(CASES * n * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(CASES * n), all(out, n)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < CASES * n; i++) {
    int e = one(i / n, i % n);
    if (e != out[i])
      fprintf(stderr, "function %d of %d:\n", i / n, i % n);
    CHECK_SAME("function", &e, &out[i], 1);
  }

  struct operation o = {NULL, 5, "five"}, *table = device_memory(2 * sizeof *table);
  table[0] = (struct operation){abs, 6, "six"}, table[1] = (struct operation){NULL, 7, "seven"};
  KA_CHECK(ka_launch(backend(), ka_range(4), with_operations(out, o, table)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < 4; i++) {
    int e = unused_function_pointer(o, table, i);
    CHECK_SAME("pointers to functions", &e, &out[i], 1);
  }

  struct counted *c = device_memory(sizeof *c + 10 * sizeof *c->values);
  c->count = 10;
  for (int i = 0; i < 10; i++)
    c->values[i] = (short)(i * 3);
  int e = odd_arrays(c);
  KA_CHECK(ka_launch(backend(), ka_range(1), counted_arrays(out, c)));
  KA_CHECK(ka_synchronize(backend()));
  e += 1;
  CHECK_SAME("odd arrays", &e, out, 1);
  e = 2;
  CHECK_SAME("first of the flexible array", &e, &(int){c->values[0]}, 1);

  memset(out, 0, 20 * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(10), store_twice(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < 20; i++) {
    int v = i < 10 ? 3 : 4;
    CHECK_SAME("kernels that call kernels", &v, &out[i], 1);
  }
  return check_result();
}
