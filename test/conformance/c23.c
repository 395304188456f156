// What C23 adds to the language and its freestanding headers.
#include "check.h"
#include <limits.h>
#include <stdbit.h>
#include <stdckdint.h>
#include <stddef.h>
#include <stdint.h>

constexpr int rows = 3, table[rows] = {1, 0b1'0110, 0x7f'ff};
constexpr double half = .5;
constexpr struct pair {
  int x, y;
} origin = {.y = 4};
static_assert(rows == 3);
static_assert(table[1] == 22 && origin.y == 4, "known while compiling");

static unsigned long constants(int n) {
  constexpr unsigned long big = 0xffff'ffff'0000'0001, mask = (1ul << rows) - 1;
  constexpr char word[] = "word";
  static constexpr short inner[2] = {3, -4};
  int a[rows + table[0]] = {n};
  unsigned long r = big >> n % 8 & mask;
  MIX(r, table[n % rows]), MIX(r, word[n % 5]), MIX(r, inner[n & 1]), MIX(r, a[n % 4]),
      MIX(r, sizeof a);
  MIX(r, 1'000'000 + 0B11 + 0'17), MIX(r, half * n), MIX(r, origin.x + origin.y);
  switch (n) {
  case table[1] - 20:
    return MIX(r, 5);
  case rows *rows:
    return MIX(r, 6);
  default:
    return r;
  }
}

static unsigned long inferred(int n) {
  auto i = n;
  const auto f = n * 0.5f;
  auto p = &i;
  static auto constant = 5L;
  typeof(f) g = 2;
  typeof_unqual(f) h = f;
  typeof_unqual(const volatile int[2]) a = {n, 1};
  h += g, a[1] += *p, *p += 2;
  (void)sizeof constant;
  unsigned long r = _Generic(h, float: 1, default: 2) + (unsigned long)i;
  return MIX(r, h * 4), MIX(r, a[n & 1]);
}

static int of_null(nullptr_t, int unnamed_next) { return unnamed_next + 1; }
static unsigned long null_pointers(int n) {
  int *p = nullptr;
  nullptr_t none = nullptr;
  const char *w = n & 1 ? "some" : nullptr;
  unsigned long r = p == nullptr;
  MIX(r, w != nullptr), MIX(r, !none), MIX(r, none ? 1 : 2), MIX(r, (bool)nullptr),
      MIX(r, of_null(none, n)), MIX(r, _Generic(nullptr, int *: 1, nullptr_t: 2));
  p = n % 3 ? &n : none;
  return MIX(r, p ? *p : -1);
}

static bool both(bool a, bool b) { return a && b; }
static unsigned long booleans(int n) {
  bool b = n, c = true, v[2] = {false, n & 2};
  c ^= both(b, v[1]);
  unsigned long r = (unsigned long)b + true + (false == 0);
  return MIX(r, c), MIX(r, sizeof(bool) + sizeof true), MIX(r, _Generic(true, bool: 3, int: 4)),
         MIX(r, v[n & 1] + b);
}

enum tiny : unsigned char { tiny_zero, tiny_most = 255 };
enum wide : unsigned long { wide_most = ULONG_MAX, wide_one = 1 };
enum forward : short;
enum forward : short { minus = -5, plus = 5 };
struct of_enums {
  enum tiny t;
  enum forward f;
  enum wide w;
};
static enum tiny round_again(enum tiny t) { return ++t; }
static unsigned long typed_enumerations(int n) {
  struct of_enums e = {round_again((enum tiny)(n + 230)), n & 1 ? minus : plus, wide_most - n};
  unsigned long r = sizeof e + sizeof(enum tiny) * 100 + sizeof tiny_most;
  switch (e.f) {
  case minus:
    MIX(r, 1);
    break;
  case plus:
    MIX(r, 2);
  }
  return MIX(r, e.t), MIX(r, e.f), MIX(r, e.w / 3), MIX(r, (enum tiny)(n * 50) > 100),
         MIX(r, wide_most > 0);
}

static unsigned long empty_initialisers(int n) {
  struct of_enums e = {}, *p = &e;
  int a[3] = {}, scalar = {};
  struct pair q[2] = {{}, {n, {}}};
  *p = (struct of_enums){};
  p->t = (enum tiny)n;
  unsigned long r = (unsigned long)a[n % 3] + (unsigned long)scalar;
  return MIX(r, e.t + e.w), MIX(r, q[1].x + q[1].y), MIX(r, (int){}), MIX(r, ((struct pair){}).x);
}

// Labels before declarations and before the end of a block.
static unsigned long labels(int n) {
  unsigned long r = 0;
  if (n & 1)
    goto declared;
  MIX(r, 1);
declared:
  int later = n;
  switch (n % 3) {
  case 0:
    int in_switch = later * 2;
    MIX(r, in_switch);
    break;
  case 1:
  case 2:
  }
  for (int i = 0; i < 3; i++) {
    if (i == n % 4)
      goto next;
    MIX(r, i);
  next:
  }
  return r;
}

[[nodiscard("needed")]] static int kept(int n) { return n + 1; }
[[deprecated, maybe_unused]] static int old(int n) { return n; }
[[noreturn]] static void never(void) {
  for (;;)
    ;
}
[[gnu::always_inline, clang::nonnull]] static inline int first([[maybe_unused]] const int *p,
                                                               [[maybe_unused]] int unused) {
  return *p;
}
[[gnu::pure]] static int squared(int n)[[]] { return n * n; }
static unsigned long attributes(int n) {
  struct [[gnu::packed]] {
    char c;
    [[maybe_unused]] int i;
  } s = {1, n};
  unsigned long r = sizeof s;
  switch (n % 3) {
  case 0:
    MIX(r, 1);
    [[fallthrough]];
  case 1:
    [[likely_unknown]] MIX(r, 2);
    break;
  [[unlikely_unknown]] default:
    MIX(r, kept(n));
  }
  if (n < 0)
    never();
  return MIX(r, first(&s.i, 0) * 0 + s.i), MIX(r, squared(n) + old(n));
}

static unsigned long checked_integers(int n) {
  int sum;
  unsigned char narrow;
  long product;
  unsigned long r = ckd_add(&sum, INT_MAX - 20, n);
  MIX(r, sum), MIX(r, ckd_sub(&narrow, n, 20)), MIX(r, narrow),
      MIX(r, ckd_mul(&product, LONG_MAX / 30, n)), MIX(r, product);
  return r;
}

// Of <stdbit.h>, what is not a call into the library.
static unsigned long bits(int n) {
  unsigned long r = stdc_count_ones((unsigned)n);
  unsigned char c = (unsigned char)(n * 5);
  return MIX(r, stdc_leading_zeros(c)), MIX(r, stdc_trailing_zeros(0ul)),
         MIX(r, stdc_bit_width((unsigned long)n << 20)), MIX(r, stdc_bit_floor((unsigned)n)),
         MIX(r, stdc_bit_ceil((unsigned short)n)), MIX(r, stdc_has_single_bit(c)),
         MIX(r, stdc_first_leading_one((unsigned)n));
}

static unsigned long bit_precise(int n) {
  unsigned _BitInt(12) u = 4000uwb + (unsigned)n;
  _BitInt(40) s = -5wb * n;
  signed _BitInt(3) t = (signed _BitInt(3))n;
  u *= 3, s *= 32, t = t < 0 ? ~t : -t;
  unsigned long r = (unsigned long)u;
  return MIX(r, s), MIX(r, t), MIX(r, u < s), MIX(r, _Generic(1wb, _BitInt(2): 1, default: 2)),
         MIX(r, sizeof u + sizeof s), MIX(r, (_BitInt(12))u >> 3);
}

#define FIRST(a, ...) a
#define COUNT(...)    (0 __VA_OPT__(+1) __VA_OPT__(+FIRST(__VA_ARGS__)))
#if 0
#elifndef NO_SUCH_NAME
#define BRANCH 3
#elifdef NO_SUCH_NAME
#define BRANCH 4
#endif
static unsigned long preprocessor(int n) {
  unsigned long r = COUNT() + 10 * COUNT(n, 2) + BRANCH;
#if defined __has_c_attribute && __has_c_attribute(nodiscard) && true
  MIX(r, 7);
#endif
  return MIX(r, u8'a'), MIX(r, sizeof u8"\u00e4"), MIX(r, u8"abc"[n % 4]),
         MIX(r, __STDC_VERSION__ > 201710L);
}

static unsigned long impossible(int n) {
  switch (n & 3) {
  case 0:
    return 5;
  case 1:
    return 6;
  case 2:
  case 3:
    return 7;
  }
  unreachable();
}

static int without_names(int, float, struct pair, int n) { return n; }
static int no_arguments() { return 4; }
static unsigned long functions(int n) {
  struct pair p = {5, n};
  unsigned long r = (unsigned long)(without_names(1, 2, p, n) + no_arguments());
  return MIX(r, p.y);
}

#define CASES(X)                                                                                   \
  X(constants)                                                                                     \
  X(inferred)                                                                                      \
  X(null_pointers)                                                                                 \
  X(booleans)                                                                                      \
  X(typed_enumerations)                                                                            \
  X(empty_initialisers)                                                                            \
  X(labels)                                                                                        \
  X(attributes)                                                                                    \
  X(checked_integers)                                                                              \
  X(bits)                                                                                          \
  X(bit_precise)                                                                                   \
  X(preprocessor)                                                                                  \
  X(impossible)                                                                                    \
  X(functions)
#include "cases.h"
