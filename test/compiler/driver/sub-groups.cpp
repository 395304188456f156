// Sub-group and group functions in C++, where they are templates and overloads: one group of which some items are
// missing, each result compared with a loop on the host.
// RUN: %kaccxx -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror -O2 %s -o %t
// RUN: %t
// RUN: not %kaccxx -std=c++17 -DREFUSED -fsyntax-only %s 2>&1 | FileCheck %s
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ka/ka.h>
#include <limits>

constexpr unsigned items = 37, group = 48, sub_group = 32;

struct Odd {
  char c[3];
  bool operator==(const Odd &o) const { return !memcmp(c, o.c, sizeof c); }
};
template <class T> T make(unsigned i) { return T(i * 37 % 101); }
template <> Odd make<Odd>(unsigned i) { return {{char(i), char(i * 3), char(i + 7)}}; }

static int failures;
template <class T> void same(const char *what, const T *expected, const T *actual) {
  for (unsigned i = 0; i < items; i++)
    if (!(expected[i] == actual[i])) {
      fprintf(stderr, "%s: item %u differs\n", what, i);
      failures++;
      return;
    }
}
template <class T> T *memory(ka_backend *be) {
  auto *p = static_cast<T *>(ka_alloc_zeroed(be, items * 8 * sizeof(T)));
  if (!p) {
    fprintf(stderr, "%s\n", ka_error_message());
    exit(1);
  }
  return p;
}

// A kernel cannot be a template, what it calls can.
template <class T> static inline void combine(const T *in, T *out) {
  size_t i = ka_global_id(0);
  out[i] = ka_sub_group_reduce_add(in[i]);
  out[i + items] = ka_sub_group_scan_min(in[i]);
  out[i + 2 * items] = ka_group_scan_exclusive_max(ka_sub_group_scan_add(in[i]));
}
template <class T> static inline void exchange(const T *in, T *out) {
  size_t i = ka_global_id(0);
  out[i] = ka_sub_group_shuffle(in[i], unsigned(i * 5));
  out[i + items] = ka_sub_group_shuffle_down_width(in[i], 1, 8);
}
template <class T> static inline void bits(const T *in, T *out) {
  size_t i = ka_global_id(0);
  out[i] = ka_group_reduce_xor(in[i]);
  out[i + items] = T(ka_sub_group_match_any(T(in[i] & 3)));
}

template <class T> static void check_combine(const char *name, const T *in, const T *out) {
  T sum[items], least[items], largest[items], scan[items];
  for (unsigned i = 0; i < items; i++) {
    unsigned first = i / sub_group * sub_group;
    T s = 0, low = in[first];
    for (unsigned k = first; k < items && k < first + sub_group; k++) {
      s = T(s + in[k]);
      if (k <= i)
        scan[i] = s, low = in[k] < low ? in[k] : low;
    }
    sum[i] = s, least[i] = low;
  }
  T before = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  for (unsigned i = 0; i < items; i++) {
    largest[i] = before;
    before = scan[i] > before ? scan[i] : before;
  }
  same(name, sum, out), same(name, least, out + items), same(name, largest, out + 2 * items);
}
template <class T> static void check_exchange(const char *name, const T *in, const T *out) {
  T one[items] = {}, other[items] = {};
  for (unsigned i = 0; i < items; i++) {
    unsigned first = i / sub_group * sub_group, from = first + i * 5 % sub_group;
    if (from < items)
      one[i] = in[from];
    from = i % 8 == 7 ? i : i + 1;
    if (from < items)
      other[i] = in[from];
  }
  same(name, one, out), same(name, other, out + items);
}
template <class T> static void check_bits(const char *name, const T *in, const T *out) {
  T all = 0, exclusive[items], match[items] = {};
  for (unsigned i = 0; i < items; i++)
    all = T(all ^ in[i]);
  for (unsigned i = 0; i < items; i++) {
    exclusive[i] = all;
    unsigned first = i / sub_group * sub_group;
    uint64_t m = 0;
    for (unsigned k = first; k < items && k < first + sub_group; k++)
      m |= uint64_t((in[k] & 3) == (in[i] & 3)) << (k - first);
    match[i] = T(m);
  }
  same(name, exclusive, out), same(name, match, out + items);
}

#define TEST(form, T, name)                                                                                            \
  [[ka::kernel]] static void form##_##name(const T *in, T *out) { form(in, out); }                                     \
  static void run_##form##_##name(ka_backend *be) {                                                                    \
    auto *in = memory<T>(be), *out = memory<T>(be);                                                                    \
    for (unsigned i = 0; i < items; i++)                                                                               \
      in[i] = make<T>(i);                                                                                              \
    KA_CHECK(ka_launch(be, ka_with_group(ka_range(items), group), form##_##name(in, out)));                            \
    KA_CHECK(ka_synchronize(be));                                                                                      \
    check_##form(#form " of " #T, in, out);                                                                            \
  }
#define NUMBERS(X)                                                                                                     \
  X(combine, float, float_) X(combine, double, double_) X(combine, char, char_) X(combine, short, short_)
#define INTEGERS(X, form)                                                                                              \
  X(form, signed char, schar) X(form, unsigned char, uchar) X(form, unsigned short, ushort_) X(form, int, int_)        \
  X(form, unsigned, unsigned_) X(form, long, long_) X(form, unsigned long, ulong_) X(form, long long, llong)           \
  X(form, unsigned long long, ullong)
#define ALL(X)                                                                                                         \
  NUMBERS(X) INTEGERS(X, combine) INTEGERS(X, bits) X(bits, char, char_)                                               \
  X(exchange, bool, bool_) X(exchange, double, double_) X(exchange, Odd, odd)
ALL(TEST)

#ifdef REFUSED
[[ka::kernel]] void refused(bool *b, Odd *o, float *f) {
  // CHECK: [[#@LINE+1]]:{{.*}} error: 'ka__combined{{.*}}' is unavailable: it takes _Float16, float, double and all integers but bool
  b[0] = ka_sub_group_reduce_add(b[1]);
  // CHECK: [[#@LINE+1]]:{{.*}} error: 'ka__combined{{.*}}' is unavailable: it takes _Float16, float, double and all integers but bool
  o[0] = ka_group_scan_max(o[1]);
  // CHECK: [[#@LINE+1]]:{{.*}} error: 'ka__bits_combined{{.*}}' is unavailable: it takes all integers but bool
  f[0] = ka_sub_group_reduce_or(f[1]);
  // CHECK: [[#@LINE+1]]:{{.*}} error: 'ka__matched{{.*}}' is unavailable: it takes _Float16, float, double and all integers but bool
  f[0] = (float)ka_sub_group_match_any(o[1]);
}
#endif

int main() {
  ka_backend *be = ka_default_backend();
  if (!be) {
    printf("no backend: %s\n", ka_error_message());
    return 0;
  }
#define RUN(form, T, name) run_##form##_##name(be);
  ALL(RUN)
  return failures != 0;
}
