// Group memory: initialisers, several variables, helpers' variables, scratch sized at launch.
#include "check.h"

enum { group = 64 };

struct pair {
  char c;
  long l;
};

// Initialisers are there before the first statement, for every group, every time.
[[ka::kernel, ka::group_size(group)]] void initialised(long *out) {
  ka_local int table[5] = {3, 1, 4, 1, 5};
  ka_local struct pair pairs[3] = {{'a', 1}, {'b', -2}, {'c', 3}};
  ka_local char text[] = "barrier";
  ka_local double zeros[100] = {0};
  size_t l = ka_local_id(0);
  long sum = table[l % 5] * 1000 + pairs[l % 3].l * 100 + pairs[l % 3].c + text[l % 7];
  for (int i = 0; i < 100; i++)
    sum += (long)zeros[i];
  // What a group leaves behind is not what the next one finds.
  ka_barrier();
  table[l % 5] = -1;
  zeros[l] = 5;
  pairs[l % 3].l = 9;
  out[ka_global_id(0)] = sum;
}

static long expected_initialised(size_t l) {
  const int table[5] = {3, 1, 4, 1, 5};
  const struct pair pairs[3] = {{'a', 1}, {'b', -2}, {'c', 3}};
  return table[l % 5] * 1000 + pairs[l % 3].l * 100 + pairs[l % 3].c + "barrier"[l % 7];
}

// Variables of helper functions, one helper used twice.
static int rotate(int v, int by) {
  ka_local int buffer[group];
  size_t l = ka_local_id(0);
  ka_barrier();
  buffer[l] = v;
  ka_barrier();
  return buffer[(l + by) % group];
}

[[ka::kernel, ka::group_size(group)]] void helpers(const int *x, int *out) {
  size_t i = ka_global_id(0);
  int v = rotate(x[i], 1);
  v += rotate(v * 2, 5);
  out[i] = v;
}

// Scratch memory: a transposed tile, two scratch parameters.
[[ka::kernel]] void scratch(const int *x, int *out, ka_local int *a, int bias, ka_local double *b) {
  size_t l = ka_local_id(0), n = ka_local_size(0), base = ka_group_id(0) * n;
  a[l] = x[base + l] + bias;
  b[l] = l * 0.5;
  ka_barrier();
  out[base + l] = a[n - 1 - l] + (int)b[n - 1 - l];
}

// A histogram in group memory, added to the whole.
[[ka::kernel, ka::group_size(group)]] void histogram(const unsigned char *x, unsigned *bins) {
  ka_local unsigned mine[256];
  // In a partial group the bins that padding items would clear are zero.
  for (size_t b = ka_local_id(0); b < 256; b += group)
    mine[b] = 0;
  ka_barrier();
  __atomic_fetch_add(&mine[x[ka_global_id(0)]], 1, __ATOMIC_RELAXED);
  ka_barrier();
  // All items of a partial group that exist share the work: there may be less than `group`.
  size_t items = ka_global_size(0) - ka_group_id(0) * group;
  items = items < group ? items : group;
  for (size_t b = ka_local_id(0); b < 256; b += items)
    __atomic_fetch_add(&bins[b], mine[b], __ATOMIC_RELAXED);
}

// Barriers under uniform conditions, in helpers, before a loop that may not run.
static void meet(void) { ka_barrier(); }

[[ka::kernel, ka::group_size(group)]] void conditions(const int *x, int *out, int mode, int turns) {
  ka_local int a[group];
  size_t l = ka_local_id(0), i = ka_global_id(0);
  a[l] = x[i];
  if (mode & 1)
    meet();
  else
    meet();
  int v = a[(l + 1) % group];
  if (ka_group_id(0) > 0) {
    ka_barrier();
    a[l] = v + 1;
    ka_barrier();
    v += a[(l + 7) % group];
  }
  if (mode & 2) {
    ka_barrier();
    a[l] = v;
    ka_barrier();
    v -= a[(l + 3) % group];
  }
  for (int k = 0; k < turns; k++) {
    ka_barrier();
    a[l] = v + k;
    ka_barrier();
    v += a[(l + 2) % group];
  }
  if (l == 0)
    v += 5;
  ka_barrier();
  if (l == 0)
    v *= 2;
  out[i] = v;
}

static void expected_conditions(const int *x, int *out, size_t g, int mode, int turns) {
  int v[group], a[group];
  for (int l = 0; l < group; l++)
    v[l] = x[(l + 1) % group];
#define EACH(statement)                                                                            \
  for (int l = 0; l < group; l++)                                                                  \
  statement
  if (g > 0) {
    EACH(a[l] = v[l] + 1;)
    EACH(v[l] += a[(l + 7) % group];)
  }
  if (mode & 2) {
    EACH(a[l] = v[l];)
    EACH(v[l] -= a[(l + 3) % group];)
  }
  for (int k = 0; k < turns; k++) {
    EACH(a[l] = v[l] + k;)
    EACH(v[l] += a[(l + 2) % group];)
  }
  v[0] = (v[0] + 5) * 2;
  EACH(out[l] = v[l];)
}

// Global memory is ordered by a barrier as well.
[[ka::kernel, ka::group_size(group)]] void through_global(int *x, int *out) {
  size_t i = ka_global_id(0);
  x[i] = (int)i * 3;
  ka_barrier();
  out[i] = x[i ^ 1];
}

// Tree reduction: the sum of each group's numbers.
[[ka::kernel]] void scratch_sum(const int *x, int *sums, ka_local int *part) {
  size_t l = ka_local_id(0);
  part[l] = x[ka_global_id(0)];
  for (size_t width = ka_local_size(0) / 2; width; width /= 2) {
    ka_barrier();
    if (l < width)
      part[l] += part[l + width];
  }
  if (l == 0)
    sums[ka_group_id(0)] = part[0];
}

// One element with an initialiser, barriers in a branch, and then items that part.
[[ka::kernel]] void one_element(const int *x, int *out, int n) {
  ka_local int sum[1] = {3};
  size_t i = ka_global_id(0);
  out[i] = 0;
  if (n & 1)
    ka_barrier();
  ka_barrier();
  if (x[i] & 1) {
    out[i] = 1;
    return;
  }
  out[i] = sum[0];
}

int main(void) {
  enum { n = 640 };
  long *longs = device_memory(n * sizeof *longs);
  int *x = device_memory(n * sizeof *x), *out = device_memory(n * sizeof *out);
  for (int i = 0; i < n; i++)
    x[i] = i * i % 1001;

  for (int repeat = 0; repeat < 3; repeat++) {
    KA_CHECK(ka_launch(backend(), ka_range(n - repeat), initialised(longs)));
    KA_CHECK(ka_synchronize(backend()));
    for (int i = 0; i < n - repeat; i++) {
      long e = expected_initialised(i % group);
      CHECK_SAME("initialised", &e, &longs[i], 1);
    }
  }

  KA_CHECK(ka_launch(backend(), ka_range(n), helpers(x, out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    const int *tile = x + i / group * group;
    int l = i % group;
#define FIRST(k) tile[((k) + 1) % group]
    int e = FIRST(l) + FIRST((l + 5) % group) * 2;
    CHECK_SAME("helpers", &e, &out[i], 1);
  }

  for (size_t g = 16; g <= 128; g *= 2) {
    KA_CHECK(
        ka_launch(backend(), ka_with_group(ka_range(n / g * g), g),
                  scratch(x, out, ka_scratch(g * sizeof(int)), 7, ka_scratch(g * sizeof(double)))));
    KA_CHECK(ka_synchronize(backend()));
    for (size_t i = 0; i < n / g * g; i++) {
      size_t l = i % g;
      int e = x[i - l + g - 1 - l] + 7 + (int)((g - 1 - l) * 0.5);
      CHECK_SAME("scratch", &e, &out[i], 1);
    }
  }

  // Padding items write nothing, and the memory of a partial group begins as zero, whatever the
  // group before it left there.
  for (int size = 1; size < n; size += 37)
    for (size_t g = 16; g <= 128; g *= 2) {
      memset(out, 0, n * sizeof *out);
      KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(size), g),
                         scratch_sum(x, out, ka_scratch(g * sizeof(int)))));
      KA_CHECK(ka_synchronize(backend()));
      for (size_t first = 0; first < (size_t)size; first += g) {
        int e = 0;
        for (size_t i = first; i < first + g && i < (size_t)size; i++)
          e += x[i];
        CHECK_SAME("scratch in partial groups", &e, &out[first / g], 1);
      }
    }

  for (int size = n; size > n - 3; size--) {
    unsigned char *bytes = device_memory(n);
    unsigned *bins = device_memory(256 * sizeof *bins), expected[256] = {0};
    for (int i = 0; i < size; i++)
      expected[bytes[i] = (unsigned char)(i * 7 % 83)]++;
    KA_CHECK(ka_launch(backend(), ka_range(size), histogram(bytes, bins)));
    KA_CHECK(ka_synchronize(backend()));
    CHECK_SAME("histogram", expected, bins, 256);
  }

  for (int mode = 0; mode < 4; mode++)
    for (int turns = 0; turns < 3; turns++) {
      KA_CHECK(ka_launch(backend(), ka_range(n), conditions(x, out, mode, turns)));
      KA_CHECK(ka_synchronize(backend()));
      for (int g = 0; g < n / group; g++) {
        int e[group];
        expected_conditions(x + g * group, e, g, mode, turns);
        CHECK_SAME("conditions", e, out + g * group, group);
      }
    }

  // An item beyond the range does nothing, also where the path of the first item would have it.
  for (int size = n - 2; size <= n; size++) {
    memset(out, 0, n * sizeof *out);
    KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(size), 64), one_element(x, out, size)));
    KA_CHECK(ka_synchronize(backend()));
    for (int i = 0; i < n; i++) {
      int e = i >= size ? 0 : x[i] & 1 ? 1 : 3;
      CHECK_SAME("one element", &e, &out[i], 1);
    }
  }

  KA_CHECK(ka_launch(backend(), ka_range(n), through_global(x, out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    int e = (i ^ 1) * 3;
    CHECK_SAME("through global memory", &e, &out[i], 1);
  }
  return check_result();
}
