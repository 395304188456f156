// What items of a sub-group or group compute together, with values of every kind, groups of several
// sizes, and ranges that they divide or not. The host goes through the items one by one, in
// sub-groups of the size that ka/sub_group.h promises where the device's own are not used: the
// least power of two that holds the group, 32 at most.
#include "check.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

enum { limit = 1024, most_items = 256 };

// ---- The host's side ----

// One group: `items` items, of which those within the range exist. index[l] is where an item's
// values lie.
struct group {
  size_t items, number, index[most_items];
  bool exists[most_items];
};
static struct group groups[limit];
static size_t group_count, items_of_range, sub_group;
static ka_ndrange range;

// A range of width x height items in groups of gx x gy.
static void divide(size_t width, size_t height, size_t gx, size_t gy) {
  group_count = 0;
  items_of_range = width * height;
  for (size_t y0 = 0; y0 < height; y0 += gy)
    for (size_t x0 = 0; x0 < width; x0 += gx) {
      struct group *g = &groups[group_count];
      *g = (struct group){.items = gx * gy, .number = group_count};
      for (size_t l = 0; l < g->items; l++) {
        size_t x = x0 + l % gx, y = y0 + l / gx;
        g->exists[l] = x < width && y < height;
        g->index[l] = y * width + x;
      }
      group_count++;
    }
  sub_group = 1;
  while (sub_group < 32 && sub_group < gx * gy)
    sub_group *= 2;
  range = ka_with_group(ka_range(width, height), gx, gy);
}

#define EACH_GROUP(g) for (struct group *g = groups; g < groups + group_count; g++)
#define EACH_ITEM(g, l)                                                                            \
  for (size_t l = 0; l < g->items; l++)                                                            \
    if (g->exists[l])

static size_t first_of(size_t l) { return l / sub_group * sub_group; }
static size_t end_of(const struct group *g, size_t l) {
  size_t end = first_of(l) + sub_group;
  return end < g->items ? end : g->items;
}

enum mode { of_lane, up, down, other };

// The item whose value item l gets; -1 if there is none.
static long source(const struct group *g, size_t l, enum mode mode, unsigned n, size_t width) {
  size_t first = first_of(l), lane = l - first, start = lane / width * width, from = lane;
  if (mode == of_lane)
    from = start + n % width;
  else if (mode == up && n <= lane - start)
    from = lane - n;
  else if (mode == down && n < start + width - lane)
    from = lane + n;
  else if (mode == other && (lane ^ n) >= start && (lane ^ n) < start + width)
    from = lane ^ n;
  size_t item = first + from;
  return item < g->items && g->exists[item] ? (long)item : -1;
}

// ---- Shuffles ----

enum { shuffles = 8 };
static void *x, *out, *expected;
static const unsigned distances[] = {0, 1, 3, 13, 40, 0xffffffffu};

static void run_failed(void) {
  fprintf(stderr, "%s\n", ka_error_message());
  exit(1);
}

static void compare(const char *name, size_t per_item, size_t size) {
  KA_CHECK(ka_synchronize(backend()));
  int before = check_failures;
  check_same(name, expected, out, items_of_range * per_item, size);
  if (check_failures != before)
    fprintf(stderr, "%zu items in groups of %zu, %zu results each\n", items_of_range,
            groups[0].items, per_item);
}

static void expect_shuffles(size_t size, unsigned turn, unsigned width) {
  const char *from = x;
  char *to = expected;
  size_t part = width < sub_group ? width : sub_group;
  EACH_GROUP(g) EACH_ITEM(g, l) {
    for (int k = 0; k < shuffles; k++) {
      unsigned n = k < 2 ? (unsigned)l * 5 + turn : turn;
      long s = source(g, l, (enum mode)(k / 2), n, k % 2 ? part : sub_group);
      char *at = to + (g->index[l] * shuffles + k) * size;
      if (s < 0)
        memset(at, 0, size);
      else
        memcpy(at, from + g->index[s] * size, size);
    }
  }
}

typedef int vector __attribute__((vector_size(16)));
struct bytes3 {
  char c[3];
};
struct mixed {
  int a;
  float b;
  short c[2];
};
struct large {
  double d;
  long l;
  struct bytes3 odd[4];
  int i;
};
struct bytes13 {
  unsigned char c[13];
};
union either {
  float f;
  unsigned u;
};

#define FEW_TYPES(X) X(int, int_) X(struct large, large)
#define SHUFFLE_TYPES(X)                                                                           \
  X(bool, bool_)                                                                                   \
  X(char, char_)                                                                                   \
  X(short, short_)                                                                                 \
  X(unsigned long long, ullong)                                                                    \
  X(float, float_)                                                                                 \
  X(double, double_)                                                                               \
  X(_Float16, half)                                                                                \
  X(const char *, pointer)                                                                         \
  X(vector, vector_)                                                                               \
  X(struct bytes3, bytes3)                                                                         \
  X(struct mixed, mixed)                                                                           \
  X(struct bytes13, bytes13)                                                                       \
  X(union either, either)

#define SHUFFLE_KERNEL(T, name)                                                                    \
  [[ka::kernel]] void shuffle_##name(T const *in, T *to, unsigned turn, unsigned width) {          \
    size_t i = ka_global_linear_id();                                                              \
    unsigned lane = (unsigned)ka_local_linear_id() * 5 + turn;                                     \
    unsigned part = width < ka_sub_group_size() ? width : (unsigned)ka_sub_group_size();           \
    T v = in[i];                                                                                   \
    to[i * shuffles] = ka_sub_group_shuffle(v, lane);                                              \
    to[i * shuffles + 1] = ka_sub_group_shuffle_width(v, lane, part);                              \
    to[i * shuffles + 2] = ka_sub_group_shuffle_up(v, turn);                                       \
    to[i * shuffles + 3] = ka_sub_group_shuffle_up_width(v, turn, part);                           \
    to[i * shuffles + 4] = ka_sub_group_shuffle_down(v, turn);                                     \
    to[i * shuffles + 5] = ka_sub_group_shuffle_down_width(v, turn, part);                         \
    to[i * shuffles + 6] = ka_sub_group_shuffle_xor(v, turn);                                      \
    to[i * shuffles + 7] = ka_sub_group_shuffle_xor_width(v, turn, part);                          \
  }
FEW_TYPES(SHUFFLE_KERNEL)
SHUFFLE_TYPES(SHUFFLE_KERNEL)

// Bits that are a value of any type: bool has two.
static void fill(size_t size, bool boolean) {
  unsigned char *at = x;
  for (size_t b = 0; b < limit * size; b++)
    at[b] = boolean ? (b * 7 % 11) & 1 : (unsigned char)(b * 37 % 101 + 1);
}

static void run_shuffles(bool every) {
#define RUN_SHUFFLE(T, name)                                                                       \
  fill(sizeof(T), _Generic((T *)0, bool *: true, default: false));                                 \
  for (int t = 0; t < 6; t++) {                                                                    \
    unsigned width = 1u << t;                                                                      \
    memset(out, 0xee, items_of_range *shuffles * sizeof(T));                                       \
    if (ka_launch(backend(), range, shuffle_##name(x, out, distances[t], width)) != KA_OK)         \
      run_failed();                                                                                \
    expect_shuffles(sizeof(T), distances[t], width);                                               \
    compare("shuffles of " #T, shuffles, sizeof(T));                                               \
  }
  FEW_TYPES(RUN_SHUFFLE)
  if (!every)
    return;
  SHUFFLE_TYPES(RUN_SHUFFLE)
}

// ---- Reductions and scans ----

#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((b) > (a) ? (b) : (a))
#define SUM(a, b)  ((a) + (b))
#define AND(a, b)  ((a) & (b))
#define OR(a, b)   ((a) | (b))
#define XOR(a, b)  ((a) ^ (b))

// Six results of one operation, of the sub-group and of the group.
#define SIX(T, to, operation, v)                                                                   \
  (to)[0] = ka_sub_group_reduce_##operation(v);                                                    \
  (to)[1] = ka_sub_group_scan_##operation(v);                                                      \
  (to)[2] = ka_sub_group_scan_exclusive_##operation(v);                                            \
  (to)[3] = ka_group_reduce_##operation(v);                                                        \
  (to)[4] = ka_group_scan_##operation(v);                                                          \
  (to)[5] = ka_group_scan_exclusive_##operation(v);

#define EXPECT_SIX(T, g, l, to, OPERATION, NEUTRAL)                                                \
  for (int whole = 0; whole < 2; whole++) {                                                        \
    T all = (T)(NEUTRAL);                                                                          \
    size_t end = whole ? g->items : end_of(g, l);                                                  \
    for (size_t k = whole ? 0 : first_of(l); k < end; k++) {                                       \
      if (k == l)                                                                                  \
        (to)[whole * 3 + 2] = all;                                                                 \
      if (g->exists[k])                                                                            \
        all = (T)OPERATION(all, ((const T *)x)[g->index[k]]);                                      \
      if (k == l)                                                                                  \
        (to)[whole * 3 + 1] = all;                                                                 \
    }                                                                                              \
    (to)[whole * 3] = all;                                                                         \
  }

#define NUMBER_KERNEL(T, name, LOW, HIGH)                                                          \
  [[ka::kernel]] void combine_##name(const T *in, T *to) {                                         \
    size_t i = ka_global_linear_id();                                                              \
    T v = in[i];                                                                                   \
    SIX(T, to + i * 18, add, v)                                                                    \
    SIX(T, to + i * 18 + 6, min, v)                                                                \
    SIX(T, to + i * 18 + 12, max, v)                                                               \
  }                                                                                                \
  static void run_combine_##name(void) {                                                           \
    for (int i = 0; i < limit; i++)                                                                \
      ((T *)x)[i] = (T)((T)(i * 37 % 101) * (T)1.25 - (T)30);                                      \
    if (ka_launch(backend(), range, combine_##name(x, out)) != KA_OK)                              \
      run_failed();                                                                                \
    EACH_GROUP(g) EACH_ITEM(g, l) {                                                                \
      T *to = (T *)expected + g->index[l] * 18;                                                    \
      EXPECT_SIX(T, g, l, to, SUM, 0)                                                              \
      EXPECT_SIX(T, g, l, to + 6, LESS, HIGH)                                                      \
      EXPECT_SIX(T, g, l, to + 12, MORE, LOW)                                                      \
    }                                                                                              \
    compare("sums, least and largest of " #T, 18, sizeof(T));                                      \
  }
NUMBER_KERNEL(char, char_, CHAR_MIN, CHAR_MAX)
NUMBER_KERNEL(signed char, schar, SCHAR_MIN, SCHAR_MAX)
NUMBER_KERNEL(unsigned char, uchar, 0, UCHAR_MAX)
NUMBER_KERNEL(short, short_, SHRT_MIN, SHRT_MAX)
NUMBER_KERNEL(unsigned short, ushort_, 0, USHRT_MAX)
NUMBER_KERNEL(int, int_, INT_MIN, INT_MAX)
NUMBER_KERNEL(unsigned, uint_, 0, UINT_MAX)
NUMBER_KERNEL(long, long_, LONG_MIN, LONG_MAX)
NUMBER_KERNEL(unsigned long, ulong_, 0, ULONG_MAX)
NUMBER_KERNEL(long long, llong, LLONG_MIN, LLONG_MAX)
NUMBER_KERNEL(unsigned long long, ullong, 0, ULLONG_MAX)
NUMBER_KERNEL(_Float16, half, -INFINITY, INFINITY)
NUMBER_KERNEL(float, float_, -INFINITY, INFINITY)
NUMBER_KERNEL(double, double_, -INFINITY, INFINITY)

#define BITS_KERNEL(T, name)                                                                       \
  [[ka::kernel]] void bits_##name(const T *in, T *to) {                                            \
    size_t i = ka_global_linear_id();                                                              \
    T v = in[i];                                                                                   \
    SIX(T, to + i * 18, and, v)                                                                    \
    SIX(T, to + i * 18 + 6, or, v)                                                                 \
    SIX(T, to + i * 18 + 12, xor, v)                                                               \
  }                                                                                                \
  static void run_bits_##name(void) {                                                              \
    fill(sizeof(T), false);                                                                        \
    if (ka_launch(backend(), range, bits_##name(x, out)) != KA_OK)                                 \
      run_failed();                                                                                \
    EACH_GROUP(g) EACH_ITEM(g, l) {                                                                \
      T *to = (T *)expected + g->index[l] * 18;                                                    \
      EXPECT_SIX(T, g, l, to, AND, -1)                                                             \
      EXPECT_SIX(T, g, l, to + 6, OR, 0)                                                           \
      EXPECT_SIX(T, g, l, to + 12, XOR, 0)                                                         \
    }                                                                                              \
    compare("bits of " #T, 18, sizeof(T));                                                         \
  }
BITS_KERNEL(unsigned char, uchar)
BITS_KERNEL(int, int_)
BITS_KERNEL(unsigned long, ulong_)

// Of a NaN and a number, the number; of NaNs alone, a NaN.
[[ka::kernel]] void with_nan(const float *in, float *to) {
  size_t i = ka_global_linear_id();
  to[i * 2] = ka_sub_group_reduce_min(in[i]);
  to[i * 2 + 1] = ka_group_scan_max(in[i]);
}

static void run_with_nan(void) {
  float *v = x, *e = expected, *o = out;
  for (int i = 0; i < limit; i++)
    v[i] = i % 3 == 1 ? (float)(i * 37 % 101) - 30.5f : NAN;
  if (ka_launch(backend(), range, with_nan(x, out)) != KA_OK)
    run_failed();
  EACH_GROUP(g) EACH_ITEM(g, l) {
    float least = NAN, largest = NAN;
    for (size_t k = first_of(l); k < end_of(g, l); k++)
      least = g->exists[k] ? fminf(least, v[g->index[k]]) : least;
    for (size_t k = 0; k <= l; k++)
      largest = g->exists[k] ? fmaxf(largest, v[g->index[k]]) : largest;
    e[g->index[l] * 2] = least, e[g->index[l] * 2 + 1] = largest;
  }
  KA_CHECK(ka_synchronize(backend()));
  for (size_t i = 0; i < items_of_range * 2; i++)
    if (isnan(o[i]))
      o[i] = NAN;
    else
      continue;
  for (size_t i = 0; i < items_of_range * 2; i++)
    if (isnan(e[i]))
      e[i] = NAN;
  compare("least and largest with NaN", 2, sizeof(float));
}

// What items that do not exist would pass is not zero by itself, and must count for nothing: not
// for a sum of negative zeros either, nor for the least of NaNs.
[[ka::kernel]] void without_padding(const float *zeros, const float *nans, float *to) {
  size_t i = ka_global_linear_id();
  to[i * 5] = (float)ka_sub_group_shuffle_down(7, 1);
  to[i * 5 + 1] = (float)ka_sub_group_shuffle((int)ka_local_linear_id() + 5, 1000);
  to[i * 5 + 2] = (float)ka_group_reduce_add(1);
  to[i * 5 + 3] = ka_group_reduce_add(zeros[i]);
  to[i * 5 + 4] = isnan(ka_sub_group_reduce_min(nans[i])) ? 1.0f : 0.0f;
}

static void run_without_padding(void) {
  float *zeros = x, *nans = zeros + limit, *e = expected;
  for (int i = 0; i < limit; i++)
    zeros[i] = -0.0f, nans[i] = NAN;
  if (ka_launch(backend(), range, without_padding(zeros, nans, out)) != KA_OK)
    run_failed();
  EACH_GROUP(g) {
    float items = 0;
    EACH_ITEM(g, l) items++;
    EACH_ITEM(g, l) {
      float *to = e + g->index[l] * 5;
      long one = source(g, l, of_lane, 1000, sub_group);
      to[0] = source(g, l, down, 1, sub_group) < 0 ? 0 : 7;
      to[1] = one < 0 ? 0 : (float)one + 5;
      to[2] = items, to[3] = -0.0f, to[4] = 1;
    }
  }
  compare("what padding items pass", 5, sizeof(float));
}

// ---- Places and votes ----

enum { places = 12 };

[[ka::kernel]] void vote(const int *in, uint64_t *to) {
  size_t i = ka_global_linear_id();
  int v = in[i];
  uint64_t *o = to + i * places;
  o[0] = ka_sub_group_size();
  o[1] = ka_sub_group_id();
  o[2] = ka_sub_group_lane();
  o[3] = ka_sub_group_count();
  o[4] = ka_sub_group_any(v > 60);
  o[5] = ka_sub_group_all(v > -29);
  o[6] = ka_sub_group_ballot(v & 2);
  o[7] = ka_group_any(v > 68);
  o[8] = ka_group_all(v > -30);
  o[9] = ka_sub_group_match_any(v % 4);
  o[10] = ka_sub_group_match_any((double)(v % 3));
  o[11] = ka_sub_group_ballot(true);
  ka_sub_group_barrier();
}

static void run_votes(void) {
  int *v = x;
  for (int i = 0; i < limit; i++)
    v[i] = i * 37 % 101 - 30;
  if (ka_launch(backend(), range, vote(x, out)) != KA_OK)
    run_failed();
  EACH_GROUP(g) EACH_ITEM(g, l) {
    uint64_t *o = (uint64_t *)expected + g->index[l] * places;
    int mine = v[g->index[l]];
    size_t first = first_of(l);
    o[0] = sub_group, o[1] = l / sub_group, o[2] = l % sub_group;
    o[3] = (g->items + sub_group - 1) / sub_group;
    o[4] = o[6] = o[7] = o[9] = o[10] = o[11] = 0, o[5] = o[8] = 1;
    for (size_t k = 0; k < g->items; k++) {
      if (!g->exists[k])
        continue;
      int w = v[g->index[k]];
      o[7] |= w > 68, o[8] &= w > -30;
      if (k < first || k >= end_of(g, l))
        continue;
      uint64_t bit = (uint64_t)1 << (k - first);
      o[4] |= w > 60, o[5] &= w > -29;
      o[6] |= w & 2 ? bit : 0;
      o[9] |= w % 4 == mine % 4 ? bit : 0;
      // -0.0 has other bits than 0.0; integers have no such zero.
      o[10] |= w % 3 == mine % 3 ? bit : 0;
      o[11] |= bit;
    }
  }
  compare("places and votes", places, sizeof(uint64_t));
}

// ---- In branches and loops that all items of a group take together ----

static int rotate_in_helper(int v, int by) {
  return ka_sub_group_shuffle(v, (unsigned)(ka_sub_group_lane() + (size_t)by));
}

[[ka::kernel]] void flow(const int *in, int *to, int turns) {
  ka_local int tile[most_items];
  size_t i = ka_global_linear_id(), l = ka_local_linear_id();
  int v = in[i], left = v & 7;
  for (int t = 0; t < turns; t++) {
    v += rotate_in_helper(v, t);
    if (t == 2)
      continue;
    v ^= ka_sub_group_shuffle_xor(v, 1);
  }
  if (l == 0)
    v = v / 2 + 1;
  if ((ka_group_id(0) + ka_group_id(1)) & 1)
    v += ka_group_reduce_max(v);
  else
    v -= ka_sub_group_scan_add(v & 15);
  // How often depends on the items, yet is the same for all of them.
  int rounds = 0;
  while (ka_group_any(left > 0)) {
    if (left > 0)
      left -= 2;
    rounds++;
  }
  tile[l] = v;
  ka_barrier();
  int odd = ka_sub_group_scan_add(in[i] & 1);
  to[i] = tile[l] * 16 + rounds + ka_group_reduce_add(odd);
}

static void run_flow(void) {
  static int v[most_items], new[most_items];
  int *in = x, *e = expected;
  for (int turns_ = 0; turns_ < 5; turns_ += 2) {
    if (ka_launch(backend(), range, flow(x, out, turns_)) != KA_OK)
      run_failed();
#define OTHER(l, mode, n)                                                                          \
  (source(g, l, mode, n, sub_group) < 0 ? 0 : v[source(g, l, mode, n, sub_group)])
#define UPDATE(expression)                                                                         \
  EACH_ITEM(g, l) new[l] = (expression);                                                           \
  memcpy(v, new, sizeof v)
    EACH_GROUP(g) {
      memset(v, 0, sizeof v);
      int most_left = 0, sum = 0, highest = INT_MIN;
      EACH_ITEM(g, l) {
        v[l] = in[g->index[l]];
        most_left = MORE(most_left, v[l] & 7);
        for (size_t k = first_of(l); k <= l; k++)
          sum += g->exists[k] ? in[g->index[k]] & 1 : 0;
      }
      for (int t = 0; t < turns_; t++) {
        UPDATE((int)((unsigned)v[l] +
                     (unsigned)OTHER(l, of_lane, (unsigned)(l % sub_group) + (unsigned)t)));
        if (t != 2) {
          UPDATE(v[l] ^ OTHER(l, other, 1));
        }
      }
      UPDATE(l == 0 ? v[l] / 2 + 1 : v[l]);
      EACH_ITEM(g, l) highest = MORE(highest, v[l]);
      size_t columns = range.size[0] / range.group[0] + (range.size[0] % range.group[0] != 0);
      if ((g->number % columns + g->number / columns) & 1) {
        UPDATE(v[l] + highest);
      } else {
        EACH_ITEM(g, l) {
          new[l] = v[l];
          for (size_t k = first_of(l); k <= l; k++)
            new[l] -= g->exists[k] ? v[k] & 15 : 0;
        }
        memcpy(v, new, sizeof v);
      }
      EACH_ITEM(g, l) e[g->index[l]] = v[l] * 16 + (most_left + 1) / 2 + sum;
    }
    compare("branches and loops", 1, sizeof(int));
  }
}

// Behind scratch memory and so many arguments that some are read from memory.
struct wide {
  int v[250];
};
[[ka::kernel]] void behind_others(const int *in, int *to, struct wide a, ka_local int *scratch,
                                  struct wide b) {
  size_t i = ka_global_linear_id(), l = ka_local_linear_id();
  scratch[l] = in[i];
  int sum = ka_group_reduce_add(in[i]);
  to[i] = sum + scratch[l] + a.v[7] + b.v[249];
}

static void run_behind_others(void) {
  struct wide a = {.v[7] = 1000}, b = {.v[249] = 20000};
  int *in = x, *e = expected;
  if (ka_launch(backend(), range,
                behind_others(x, out, a, ka_scratch(groups[0].items * sizeof(int)), b)) != KA_OK)
    run_failed();
  EACH_GROUP(g) {
    int sum = 0;
    EACH_ITEM(g, l) sum += in[g->index[l]];
    EACH_ITEM(g, l) e[g->index[l]] = sum + in[g->index[l]] + 21000;
  }
  compare("behind other arguments", 1, sizeof(int));
}

static void check_info(void) {
  ka_kernel_properties info;
  KA_CHECK(ka_kernel_info(ka_kernel_of(backend(), shuffle_large), &info));
  if (info.sub_group_size != 32 || info.item_local_bytes != sizeof(struct large)) {
    fprintf(stderr, "sub-groups of %u, %llu bytes for each item\n", info.sub_group_size,
            (unsigned long long)info.item_local_bytes);
    check_failures++;
  }
}

int main(void) {
  size_t bytes = limit * 18 * sizeof(struct large);
  x = device_memory(bytes), out = device_memory(bytes), expected = calloc(1, bytes);
  if (!expected)
    return 1;
  ka_device_properties device;
  KA_CHECK(ka_device_info(backend(), 0, &device));
  bool halves = device.fp16;
  if (!halves)
    printf("sums of _Float16 skipped: device '%s' lacks its arithmetic\n", device.name);
  const size_t sizes[][4] = {{1, 1, 1, 1},    {7, 1, 7, 1},     {23, 1, 7, 1},  {128, 1, 64, 1},
                             {150, 1, 64, 1}, {300, 1, 256, 1}, {13, 11, 5, 3}, {10, 6, 5, 3}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    divide(sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3]);
    // What differs by type does not differ by size.
    bool every = sizes[s][0] == 150;
    run_shuffles(every);
    run_combine_int_();
    run_combine_float_();
    run_votes();
    run_flow();
    // A few small groups and several large ones, each with padding items.
    if (sizes[s][0] == 23 || every)
      run_without_padding();
    if (!every)
      continue;
    run_combine_char_();
    run_combine_schar();
    run_combine_uchar();
    run_combine_short_();
    run_combine_ushort_();
    run_combine_uint_();
    run_combine_long_();
    run_combine_ulong_();
    run_combine_llong();
    run_combine_ullong();
    run_combine_double_();
    if (halves)
      run_combine_half();
    run_bits_uchar();
    run_bits_int_();
    run_bits_ulong_();
    run_with_nan();
    run_behind_others();
  }
  check_info();
  free(expected);
  return check_result();
}
