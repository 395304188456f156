// Initialisers and literals: designated, nested, overridden, flexible, empty; compound literals;
// strings and numbers in every spelling.
#include "check.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <uchar.h>
#include <wchar.h>

#define LENGTH(a) (int)(sizeof(a) / sizeof *(a))

struct point {
  int x, y;
};
struct shape {
  struct point corner[4];
  union {
    struct {
      short low, high;
    };
    int both;
    unsigned char bytes[8];
  };
  struct {
    const char *name;
    int length;
  } label;
  unsigned flags : 5, : 3, more : 9;
};
static unsigned long mix_shape(const struct shape *s) {
  unsigned long r = 0;
  for (int i = 0; i < 4; i++)
    MIX(r, s->corner[i].x), MIX(r, s->corner[i].y);
  MIX(r, s->both), MIX(r, s->label.length), MIX(r, s->flags), MIX(r, s->more);
  for (int i = 0; i < s->label.length; i++)
    MIX(r, s->label.name[i]);
  return r;
}

// Members out of order, of members of members, and elements in ranges of which later ones win.
static unsigned long designated(int n) {
  struct shape s = {
      .more = 300, .corner[2] = {n, 2}, .corner[1].y = n + 1, .high = 7, .label = {"abc", 3}};
  struct shape t = {.corner = {[0 ... 3] = {1, n}, [1].x = 5, [3] = {.y = 6}},
                    .label.name = "xy",
                    .label.length = 2,
                    17};
  int a[] = {[3] = n, 4, 5, [0] = 1, 2, [7 ... 9] = n * 2, [8] = -1};
  const char grid[3][4] = {[1] = "row", [2] = {'a', [2] = 'b'}};
  unsigned long r = mix_shape(&s);
  MIX(r, mix_shape(&t));
  for (int i = 0; i < LENGTH(a); i++)
    MIX(r, a[i]);
  for (int i = 0; i < 12; i++)
    MIX(r, grid[i / 4][i % 4]);
  return r;
}

// The same in tables, which the device holds.
static const struct shape shapes[] = {
    [2] = {.corner = {[1 ... 2] = {3, 4}, [2].y = 9},
           .both = 0x12345678,
           .label = {.name = "two", 3}},
    [0] = {{{1, 2}, {3, 4}, {5}}, .bytes = {1, 2, 3, [6] = 7}, {"zero", 4}, 31, 511},
};
static const int sparse[64] = {[60 ... 63] = 5, [10] = 1, 2, 3, [62] = -7};
static const unsigned char square[][3][2] = {{{1, 2}, {3}}, [2] = {[1] = {4, 5}, {6}}};
static unsigned long tables(int n) {
  unsigned long r = mix_shape(&shapes[n % 3]);
  MIX(r, sparse[n]), MIX(r, sparse[63 - n % 4]), MIX(r, LENGTH(shapes)), MIX(r, LENGTH(square));
  MIX(r, square[n % 3][n / 3 % 3][n & 1]);
  for (int i = 0; i < 3; i++)
    MIX(r, shapes[0].bytes[n % 4 + i]);
  return r;
}

// One that takes another as a whole, then changes a part of it; and unnamed rest that is zero.
static unsigned long overridden(int n) {
  const struct point p = {n, 2 * n};
  struct {
    struct point a, b[2];
    int rest[3];
  } s = {.a = p, .a.y = 9, .b = {p, [1].x = 3}, {[1] = n}}, t = s;
  t.b[0] = (struct point){.y = t.b[0].x};
  unsigned long r = 0;
  MIX(r, s.a.x), MIX(r, s.a.y), MIX(r, s.b[0].y), MIX(r, s.b[1].x), MIX(r, s.b[1].y);
  MIX(r, s.rest[0]), MIX(r, s.rest[1]), MIX(r, s.rest[2]), MIX(r, t.b[0].x), MIX(r, t.b[0].y);
  return r;
}

static int total(const int *v, int count) {
  int s = 0;
  for (int i = 0; i < count; i++)
    s = s * 5 + v[i];
  return s;
}
static void move(struct point *p, struct point by) { p->x += by.x, p->y += by.y; }

// Each turn of a loop has its literal anew; what was changed in the last turn is gone.
static unsigned long compound_literals(int n) {
  unsigned long r = 0;
  for (int i = 0; i < 4; i++) {
    int *a = (int[]){n, i, [4] = 7};
    MIX(r, total(a, 5));
    a[2] += 100;
    struct point *p = &(struct point){.y = i};
    move(p, (struct point){n, 1});
    move(p, *&(struct point){1, 1});
    MIX(r, p->x), MIX(r, p->y);
    MIX(r, (&(int[3]){1, 2, 3}[1])[i & 1]);
    MIX(r, ((struct shape){.both = i, .corner[0] = *p}).corner[0].y);
  }
  int(*row)[2] = (int[][2]){{1, 2}, {n, 4}};
  MIX(r, row[1][0] + row[n & 1][1]);
  MIX(r, (n ? (struct point){1, 2} : (struct point){3, 4}).y);
  MIX(r, (int){n} += 5);
  MIX(r, sizeof(int[]){1, 2, 3, n}), MIX(r, *(const long[]){3} + (char){(char)(n + 200)});
  const char *word = (char[]){"changed"};
  ((char *)word)[n % 7] = 'X';
  for (; *word; word++)
    MIX(r, *word);
  return r;
}

// Flexible arrays with an initialiser, of static storage only, and behind pointers into bytes.
struct counted {
  unsigned char count;
  short values[];
};
static const struct counted five = {5, {1, -2, 3, -4, 500}}, none = {0};
static const short *const inside[] = {five.values, &five.values[2], none.values};
static unsigned long flexible(int n) {
  _Alignas(struct counted) unsigned char bytes[sizeof(struct counted) + 4 * sizeof(short)];
  struct counted *own = (struct counted *)bytes;
  own->count = 4;
  for (int i = 0; i < own->count; i++)
    own->values[i] = (short)(n * i);
  const struct counted *all[] = {&five, &none, own};
  const struct counted *c = all[n % 3];
  unsigned long r = sizeof(struct counted) + offsetof(struct counted, values);
  for (int i = 0; i < c->count; i++)
    MIX(r, c->values[i]);
  MIX(r, inside[n & 1][n % 3]), MIX(r, inside[2] != NULL), MIX(r, five.values[n % 5]);
  return r;
}

// No bytes at all: structures and arrays that GNU C has empty.
struct nothing {};
struct around {
  struct nothing a;
  int before;
  struct nothing b[3];
  int none[0];
  struct {
    struct nothing inner;
  } c;
  int after;
};
static const struct nothing constant_nothing, constant_nothings[3];
static const struct around constant = {.before = 3, .after = 4}, constants[] = {[1] = {.after = 5}};
static struct nothing give(struct nothing x, int *calls) {
  ++*calls;
  return x;
}
static unsigned long empty(int n) {
  struct nothing x = constant_nothing, y = constant_nothings[n % 3], *p = &y;
  int calls = 0, zeroes[3] = {};
  struct around s = {.before = n, .after = n + 1}, t;
  t = s;
  *p = give(give(x, &calls), &calls);
  t.a = *p;
  unsigned long r = sizeof(struct nothing) + 10 * sizeof(struct around) + sizeof s.none;
  MIX(r, calls), MIX(r, t.before), MIX(r, t.after), MIX(r, offsetof(struct around, after));
  MIX(r, zeroes[n % 3]), MIX(r, t.none == &t.after);
  MIX(r, constant.after), MIX(r, constants[n & 1].after), MIX(r, (&constant + n % 1)->before);
  return r;
}

static const char joined[] = "one"
                             " two\0three"
                             "\x41"
                             "BC\7";
static const char exact[3] = "abc", padded[8] = "ab\0c", braced[] = {"in braces"};
static const wchar_t wide[] = L"w\u00e4\U0001F600"
                              L"z";
static const char16_t sixteen[] = u"\u00e4\U0001F600";
static const char32_t thirty_two[] = U"\u00e4\U0001F600";
static const unsigned char eight[] = u8"\u00e4\U0001F600";
static unsigned long strings(int n) {
  unsigned long r = sizeof joined + 10 * sizeof wide + 100 * sizeof sixteen +
                    1000 * sizeof thirty_two + sizeof eight;
  MIX(r, joined[n % LENGTH(joined)]), MIX(r, exact[n % 3]), MIX(r, padded[n % 8]),
      MIX(r, sizeof braced);
  MIX(r, wide[n % LENGTH(wide)]), MIX(r, sixteen[n % LENGTH(sixteen)]), MIX(r, thirty_two[n % 3]);
  MIX(r, eight[n % LENGTH(eight)]), MIX(r, braced[n % 10]);
  MIX(r, "abc"[n % 4] + n % 2 ["xyz"]), MIX(r, L"wide\0r"[n % 7]), MIX(r, *("a\0b" + n % 3)),
      MIX(r, "\377"[0] < 0);
  const char *words[] = {"", "a\
b",
                         "\"'\\\?\a\b\f\n\r\t\v\e"},
             *w = words[n % 3];
  while (*w)
    MIX(r, *w++);
  char mine[] = "mine", (*pointer)[5] = &mine;
  (*pointer)[n % 4]++;
  MIX(r, mine[n % 5]), MIX(r, sizeof "with\0nul"), MIX(r, (&"suffix"[2])[n & 1]);
  return r;
}

// Numbers in all bases and with all suffixes; characters of several letters.
static unsigned long numbers(int n) {
  static const double doubles[] = {0x1.8p3, 0x.8P-1,   1e3,        .5,
                                   5.,      0x1p-1074, 1e-400 * 0, 0x1.fffffffffffffp1023};
  static const float floats[] = {0x1.8p3f, 1e3f, .1F, 0x1p-149f, 16777217.f, 1.f / 3};
  static const unsigned long integers[] = {
      0777,       0b1011u, 0xffffffff,      0xFFFFFFFFFL, 4294967296, 1u << 31,
      'ab',       '\0',    '\x7f',          L'\u00e4',    u'x',       00,
      2147483648, -1u,     0x7fffffff + 0u, 1ull << 63};
  static const double beyond[] = {INFINITY, -HUGE_VAL, __builtin_nan(""), __builtin_inf()};
  unsigned long r = 0, bits;
  double d = doubles[n % LENGTH(doubles)] * (n % 2 ? 1 : 0.5);
  float f = floats[n % LENGTH(floats)];
  memcpy(&bits, &d, sizeof d);
  MIX(r, bits), MIX(r, integers[n % LENGTH(integers)]);
  MIX(r, f * 1000), MIX(r, 5 / 2 * 2.0 + n),
      MIX(r, sizeof 1L + sizeof 1.0f + sizeof 'a' + sizeof 0x80000000);
  MIX(r, (beyond[n & 3] > 1) + 2 * (beyond[n & 3] < 1)), MIX(r, -1 < 0u), MIX(r, (n - 100) / 7),
      MIX(r, (n - 100) % 7), MIX(r, (n - 100) >> 2), MIX(r, -7 % (n + 1));
  return r;
}

#define CASES(X)                                                                                   \
  X(designated)                                                                                    \
  X(tables)                                                                                        \
  X(overridden)                                                                                    \
  X(compound_literals)                                                                             \
  X(flexible)                                                                                      \
  X(empty)                                                                                         \
  X(strings)                                                                                       \
  X(numbers)
#include "cases.h"
