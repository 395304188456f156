// Kernels with traps whose items keep something across a barrier, and ranges of such kernels
// without barriers: on CPUs one item of the device does the work of many (docs/design.md, the group
// variant).
#include "check.h"

#undef NDEBUG
#include <assert.h>
#include <complex.h>
#include <stdbool.h>
#include <string.h>

enum { GROUP = 32, ALL = 8 * GROUP, PARTLY = ALL - 5 };

struct pair {
  char first;
  double second;
};
typedef int int4 __attribute__((ext_vector_type(4)));
typedef short short2 __attribute__((ext_vector_type(2)));

// Each keeps a value of a type: made of the item's x, used behind the barrier.
#define VALUES(V)                                                                                  \
  V(kept_char, signed char, (signed char)x, v)                                                     \
  V(kept_bool, bool, x & 4, v + 1)                                                                 \
  V(kept_short, unsigned short, (unsigned short)(x * 1021), v)                                     \
  V(kept_long, long, x * 1000000007L, (int)(v >> 3))                                               \
  V(kept_odd, _BitInt(37), (_BitInt(37))x << 30, (int)(v >> 29))                                   \
  V(kept_float, float, (float)x / 3, (int)(v * 3))                                                 \
  V(kept_double, double, x / 7.0, (int)(v * 700))                                                  \
  V(kept_complex, float complex, CMPLXF((float)x, 2), (int)(crealf(v) + cimagf(v)))                \
  V(kept_vector, int4, ((int4){x, x + 1, x + 2, x + 3}), v.x + v.w)                                \
  V(kept_comparison, int4, ((int4){x, 9, x, 9} < (int4){9, x, x, 8}), v.x + 2 * v.y + 4 * v.z)     \
  V(kept_short_vector, short2, ((short2){(short)x, 3} != (short)3), v.x * 2 + v.y)                 \
  V(kept_struct, struct pair, ((struct pair){(char)x, x * 0.5}), v.first + (int)v.second)
#define VALUE(name, type, make, use)                                                               \
  [[ka::kernel, ka::group_size(GROUP)]] void name(const int *in, int *out) {                       \
    size_t i = ka_global_id(0);                                                                    \
    int x = in[i];                                                                                 \
    type v = make;                                                                                 \
    assert(x >= 0);                                                                                \
    ka_barrier();                                                                                  \
    out[i] = use;                                                                                  \
  }                                                                                                \
  static int host_##name(int x) {                                                                  \
    type v = make;                                                                                 \
    return use;                                                                                    \
  }
VALUES(VALUE)

// Each keeps a variable. Sizes are no multiples of what they are aligned to.
#define VARIABLES(V)                                                                               \
  V(kept_ints, int a[5] = {1 COMMA 2 COMMA 3 COMMA 4 COMMA 5};, a[x % 5] += x;, a[x % 5] + a[2])   \
  V(kept_chars, _Alignas(32) char a[20]; memset(a, 3, sizeof a);, a[x % 20] = (char)(x % 100);     \
    , a[x % 20] + a[(x + 1) % 20])                                                                 \
  V(kept_pointer, int a[8] = {0}; int *p = &a[u];, *p = x; a[x & 7] += 100;, *p + a[x & 7])        \
  V(kept_choice, int a[3] = {0} COMMA b[3] = {0}; int *p = u > 2 ? &a[1] : &b[1];, *p = x;         \
    , a[1] + 2 * b[1] + *p)                                                                        \
  V(kept_one_of_two, int a[3] = {0} COMMA b[3] = {0}; int *p = x & 1 ? &a[1] : &b[1];, *p = x;     \
    , a[1] + 2 * b[1] + *p)                                                                        \
  V(kept_address, int a[4] = {0}; int *p[2] = {&a[1] COMMA & a[2]};, *p[x & 1] = x;                \
    , a[1] - a[2] + *p[x & 1])                                                                     \
  V(kept_structs, struct pair a[3] = {{1 COMMA 2}};, a[x % 3].second += x; a[x % 3].first++;       \
    , (int)a[x % 3].second + a[0].first)
#define COMMA ,
#define VARIABLE(name, declare, change, use)                                                       \
  [[ka::kernel, ka::group_size(GROUP)]] void name(const int *in, int *out, int u) {                \
    size_t i = ka_global_id(0);                                                                    \
    int x = in[i];                                                                                 \
    (void)u;                                                                                       \
    declare change assert(x >= 0);                                                                 \
    ka_barrier();                                                                                  \
    out[i] = use;                                                                                  \
  }                                                                                                \
  static int host_##name(int x, int u) {                                                           \
    (void)u;                                                                                       \
    declare change return use;                                                                     \
  }
VARIABLES(VARIABLE)

// Values that go around in a loop with barriers, and change places; what all items share; group
// memory with an initialiser.
[[ka::kernel, ka::group_size(GROUP)]] void around(const int *in, int *out, int u) {
  ka_local int shared[GROUP] = {7};
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int a = in[i], b = u, turns = in[0] & 3;
  int seven = shared[0];
  ka_barrier();
  for (int k = 0; k < turns + u; k++) {
    shared[l] = a;
    assert(a != -1);
    ka_barrier();
    int next = shared[(l + 1) % GROUP];
    ka_barrier();
    int t = a;
    a = b + next;
    b = t;
    if (k == u)
      continue;
    b += k;
  }
  out[i] = a + 10 * b + seven;
}

static void host_around(const int *in, int *out, int u) {
  for (int g = 0; g < ALL; g += GROUP) {
    int a[GROUP], b[GROUP];
    for (int l = 0; l < GROUP; l++)
      a[l] = in[g + l], b[l] = u;
    for (int k = 0; k < (in[0] & 3) + u; k++) {
      int shared[GROUP];
      memcpy(shared, a, sizeof a);
      for (int l = 0; l < GROUP; l++) {
        int t = a[l];
        a[l] = b[l] + shared[(l + 1) % GROUP];
        b[l] = t + (k == u ? 0 : k);
      }
    }
    for (int l = 0; l < GROUP; l++)
      out[g + l] = a[l] + 10 * b[l] + 7;
  }
}

// Groups without a shape that matters: each item comes by once.
[[ka::kernel]] void visit(unsigned char *visits, size_t width, size_t height) {
  size_t x = ka_global_id(0) - ka_global_offset(0), y = ka_global_id(1) - ka_global_offset(1);
  size_t z = ka_global_id(2) - ka_global_offset(2);
  assert(x < width && y < height && width == ka_global_size(0));
  visits[(z * height + y) * width + x] +=
      1 + (ka_global_linear_id() != (z * height + y) * width + x);
}

static const int *input;
static int *output;

static void expect(bool good, const char *name, const char *what) {
  if (good)
    return;
  fprintf(stderr, "%s: %s\n", name, what);
  check_failures++;
}

static void check_kept(const char *name, ka_status launched, int (*host)(int, int), int items) {
  int expected[ALL] = {0};
  for (int i = 0; i < items; i++)
    expected[i] = host(input[i], 3);
  expect(launched == KA_OK && ka_synchronize(backend()) == KA_OK, name, ka_error_message());
  check_same(name, expected, output, ALL, sizeof *output);
  memset(output, 0, ALL * sizeof *output);
}

#define HOST_OF_VALUE(name, type, make, use)                                                       \
  static int with_u_##name(int x, int u) {                                                         \
    (void)u;                                                                                       \
    return host_##name(x);                                                                         \
  }
VALUES(HOST_OF_VALUE)

static void check_around(void) {
  for (int u = 0; u < 3; u++) {
    int expected[ALL];
    host_around(input, expected, u);
    expect(ka_launch(backend(), ka_range(ALL), around(input, output, u)) == KA_OK &&
               ka_synchronize(backend()) == KA_OK,
           "around", ka_error_message());
    CHECK_SAME("around", expected, output, ALL);
  }
}

static void check_visits(void) {
  static const ka_ndrange ranges[] = {
      {.dimensions = 1, .size = {1, 1, 1}},
      {.dimensions = 1, .size = {63, 1, 1}},
      {.dimensions = 1, .size = {100003, 1, 1}},
      {.dimensions = 1, .size = {100003, 1, 1}, .group = {1, 1, 1}},
      {.dimensions = 1, .size = {4096, 1, 1}, .group = {4096, 1, 1}, .offset = {5, 0, 0}},
      {.dimensions = 2, .size = {1, 70000, 1}},
      {.dimensions = 2, .size = {31, 1000, 1}},
      {.dimensions = 2, .size = {32, 1000, 1}, .offset = {1, 2, 0}},
      {.dimensions = 2, .size = {1025, 37, 1}, .group = {64, 4, 1}},
      {.dimensions = 3, .size = {37, 41, 43}, .group = {3, 5, 7}, .offset = {9, 8, 7}},
      {.dimensions = 3, .size = {2, 3, 5}},
  };
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
    size_t items = ranges[r].size[0] * ranges[r].size[1] * ranges[r].size[2];
    unsigned char *visits = device_memory(items);
    expect(ka_launch(backend(), ranges[r], visit(visits, ranges[r].size[0], ranges[r].size[1])) ==
                   KA_OK &&
               ka_synchronize(backend()) == KA_OK,
           "visit", ka_error_message());
    for (size_t i = 0; i < items; i++)
      expect(visits[i] == 1, "visit", "an item did not come by once");
    ka_free(visits);
  }
}

int main(void) {
  int *in = device_memory(ALL * sizeof *in);
  output = device_memory(ALL * sizeof *output);
  for (int i = 0; i < ALL; i++)
    in[i] = (i * 37 + 11) % 251;
  input = in;
  static const int items[] = {ALL, PARTLY};
  for (size_t n = 0; n < sizeof items / sizeof *items; n++) {
    ka_ndrange range = ka_range(items[n]);
#define CHECK_VALUE(name, type, make, use)                                                         \
  check_kept(#name, ka_launch(backend(), range, name(input, output)), with_u_##name, items[n]);
    VALUES(CHECK_VALUE)
#define CHECK_VARIABLE(name, ...)                                                                  \
  check_kept(#name, ka_launch(backend(), range, name(input, output, 3)), host_##name, items[n]);
    VARIABLES(CHECK_VARIABLE)
  }
  check_around();
  check_visits();
  ka_free(output);
  ka_free(in);
  return check_result();
}
