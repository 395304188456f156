// Structures and unions by value: padding, nesting, pointers inside, size and alignment.
#include "check.h"

typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float3 __attribute__((ext_vector_type(3)));

struct tail {
  int i;
  char c;
};
struct inner_padding {
  int i;
  long l;
};
struct nested {
  struct tail t[2];
  struct inner_padding p;
  float f[3];
  const int *data;
};
struct large {
  unsigned char bytes[1024];
};
union either {
  int i;
  double d;
  char c[5];
};
struct wide {
  _Alignas(64) int x;
};
struct vectors {
  float4 v;
  float3 w;
  char c;
};
struct three {
  char c[3];
};
struct mixed {
  int a, b;
  long c;
  char d;
  long e;
  float f;
  short g;
  long h;
};
struct __attribute__((packed)) packed {
  char c;
  int i;
  short s;
  long l;
};
struct bits {
  unsigned a : 3, b : 7, c : 14;
  int d : 5;
  unsigned long e : 37;
};
struct six {
  float v[6];
};
struct two_six {
  struct six s[2];
  int last;
};

static long pick(size_t i, struct tail a, struct inner_padding b, struct nested c, struct large d,
                 union either u, struct wide w, struct vectors v, struct three s, struct mixed m,
                 struct packed p, struct bits z, struct two_six t, bool q, int n) {
  switch (i) {
  case 0:
    return a.i;
  case 1:
    return a.c;
  case 2:
    return b.i;
  case 3:
    return b.l;
  case 4:
    return c.t[1].i;
  case 5:
    return c.t[1].c;
  case 6:
    return c.p.l;
  case 7:
    return (long)c.f[2];
  case 8:
    return c.data[5];
  case 9:
    return d.bytes[n];
  case 10:
    return u.c[4];
  case 11:
    return w.x;
  case 12:
    return (long)v.v.z;
  case 13:
    return (long)v.w.y;
  case 14:
    return v.c;
  case 15:
    return s.c[0] + s.c[1] * 10 + s.c[2] * 100;
  case 16:
    return m.a + m.b;
  case 17:
    return m.c;
  case 18:
    return m.d;
  case 19:
    return m.e;
  case 20:
    return (long)m.f;
  case 21:
    return m.g;
  case 22:
    return m.h;
  case 23:
    return q ? 1 : 2;
  case 24:
    return p.i;
  case 25:
    return p.s;
  case 26:
    return p.l;
  case 27:
    return z.a + 8 * z.b;
  case 28:
    return z.c;
  case 29:
    return z.d;
  case 30:
    return (long)z.e;
  case 31:
    return (long)(t.s[1].v[5] + t.s[0].v[n & 3]);
  case 32:
    return t.last;
  case 33: {
    // A copy that is changed must not change the argument.
    struct nested copy = c;
    copy.t[n & 1].i += 3;
    return copy.t[1].i * 2 + copy.t[0].i - c.t[1].i;
  }
  case 34: {
    // The parameter itself is changed.
    d.bytes[n % 7] = 5;
    return d.bytes[0] + d.bytes[n & 1];
  }
  case 35: {
    z.a++;
    z.d = -z.d;
    z.e ^= (unsigned long)n << 30;
    return z.a + z.d + (long)z.e;
  }
  default:
    return d.bytes[i * 7 % 1024];
  }
}

[[ka::kernel]] void picks(long *out, struct tail a, struct inner_padding b, struct nested c,
                          struct large d, union either u, struct wide w, struct vectors v,
                          struct three s, struct mixed m, struct packed p, struct bits z,
                          struct two_six t, bool q, int n) {
  out[ka_global_id(0)] = pick(ka_global_id(0), a, b, c, d, u, w, v, s, m, p, z, t, q, n);
}

// Structures as elements of arrays: copies keep every byte that C keeps.
[[ka::kernel]] void copy_elements(struct mixed *to, const struct mixed *from, struct two_six *t,
                                  const struct two_six *f) {
  size_t i = ka_global_id(0);
  to[i] = from[i];
  struct two_six x = f[i];
  x.s[0].v[i % 6] += 1.0f;
  t[i] = x;
}

static void fill(void *p, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++)
    ((unsigned char *)p)[i] = (unsigned char)(i * 37 + (i >> 5) + seed);
}

int main(void) {
  enum { count = 64 };
  long *out = device_memory(count * sizeof *out), expected[count];
  int *data = device_memory(100 * sizeof *data);
  for (int i = 0; i < 100; i++)
    data[i] = i * 11;
  struct tail a = {-7, 'c'};
  struct inner_padding b = {-8, 1L << 40};
  struct nested c = {{{1, 2}, {3, 4}}, {5, 6L << 33}, {7, 8, 9.5f}, data};
  struct large d;
  fill(&d, sizeof d, 3);
  union either u = {.c = {1, 2, 3, 4, -5}};
  struct wide w = {77};
  struct vectors v = {{1, 2, 17, 4}, {1, -5, 3}, 'x'};
  struct three s = {{1, 2, 3}};
  struct mixed m = {1, 2, -3, 'd', 5L << 50, 99.5f, -7, -8};
  struct packed p = {'p', -123456, 321, -(1L << 50)};
  struct bits z = {5, 100, 12345, -13, 0x1234567890};
  struct two_six t = {{{{1, 2, 3, 4, 5, 6}}, {{7, 8, 9, 10, 11, 12}}}, 13};
  for (int n = 0; n < 1024; n += 341) {
    KA_CHECK(ka_launch(backend(), ka_range(count),
                       picks(out, a, b, c, d, u, w, v, s, m, p, z, t, n & 1, n)));
    KA_CHECK(ka_synchronize(backend()));
    for (size_t i = 0; i < count; i++)
      expected[i] = pick(i, a, b, c, d, u, w, v, s, m, p, z, t, n & 1, n);
    CHECK_SAME("picks", expected, out, count);
  }

  struct mixed *from = device_memory(count * sizeof *from), *to = device_memory(count * sizeof *to);
  struct two_six *f = device_memory(count * sizeof *f), *g = device_memory(count * sizeof *g);
  for (int i = 0; i < count; i++) {
    from[i] = (struct mixed){i, -i, i * 3, (char)i, i * 5L, (float)i, (short)-i, i * 7L};
    f[i] = t;
    f[i].last = i;
  }
  KA_CHECK(ka_launch(backend(), ka_range(count), copy_elements(to, from, g, f)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < count; i++) {
    struct two_six x = f[i];
    x.s[0].v[i % 6] += 1.0f;
    CHECK_SAME("copied structure", &x, &g[i], 1);
    if (to[i].a != from[i].a || to[i].h != from[i].h || to[i].d != from[i].d ||
        to[i].f != from[i].f || to[i].e != from[i].e || to[i].g != from[i].g)
      check_failures++, fprintf(stderr, "mixed %d differs\n", i);
  }
  return check_result();
}
