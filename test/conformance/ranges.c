// Ranges of any size: every item once, none beyond, ids and sizes as asked for; with barriers the
// padding items of the last groups come along without effect.
#include "check.h"

struct ids {
  size_t global[3], local[3], group[3], size[3], groups[3], linear, local_linear;
};

static struct ids own_ids(void) {
  struct ids r;
  for (unsigned d = 0; d < 3; d++) {
    r.global[d] = ka_global_id(d);
    r.local[d] = ka_local_id(d);
    r.group[d] = ka_group_id(d);
    r.size[d] = ka_global_size(d);
    r.groups[d] = ka_num_groups(d);
  }
  r.linear = ka_global_linear_id();
  r.local_linear = ka_local_linear_id();
  return r;
}

[[ka::kernel]] void report(struct ids *out, unsigned *hits, size_t capacity) {
  struct ids r = own_ids();
  if (r.linear < capacity) {
    out[r.linear] = r;
    hits[r.linear]++;
  } else {
    hits[capacity]++;
  }
}

// The same with barriers: each item's number goes to its neighbour and comes back through another
// array. A neighbour that is padding leaves a zero.
[[ka::kernel]] void report_with_barrier(struct ids *out, unsigned *hits, size_t capacity) {
  ka_local size_t there[256], back[256];
  struct ids r = own_ids();
  size_t items = ka_local_size(0) * ka_local_size(1) * ka_local_size(2);
  size_t l = r.local_linear;
  there[(l + 1) % items] = r.linear + 1;
  ka_barrier();
  back[(l + items - 1) % items] = there[l];
  ka_barrier();
  size_t number = back[l];
  if (number != r.linear + 1 && number != 0)
    hits[capacity]++;
  if (r.linear < capacity) {
    out[r.linear] = r;
    hits[r.linear]++;
  } else {
    hits[capacity]++;
  }
}

static void check_range(ka_ndrange r, const char *what) {
  size_t n = r.size[0] * r.size[1] * r.size[2];
  struct ids *out = device_memory((n + 1) * sizeof *out);
  unsigned *hits = device_memory((n + 1) * sizeof *hits);
  // Without a group size the runtime may choose one that the array has no room for.
  for (int barrier = 0; barrier < 1 + (r.group[0] != 0); barrier++) {
    memset(hits, 0, (n + 1) * sizeof *hits);
    if (barrier)
      KA_CHECK(ka_launch(backend(), r, report_with_barrier(out, hits, n)));
    else
      KA_CHECK(ka_launch(backend(), r, report(out, hits, n)));
    KA_CHECK(ka_synchronize(backend()));
    size_t i = 0, wrong = hits[n];
    for (size_t z = 0; z < r.size[2]; z++)
      for (size_t y = 0; y < r.size[1]; y++)
        for (size_t x = 0; x < r.size[0]; x++, i++) {
          size_t at[3] = {x, y, z};
          const struct ids *o = &out[i];
          wrong += hits[i] != 1 || o->linear != i;
          for (int d = 0; d < 3; d++) {
            size_t g = r.group[d] ? r.group[d] : 0;
            wrong += o->global[d] != at[d] + r.offset[d];
            wrong += o->size[d] != r.size[d];
            wrong += g && (o->local[d] != at[d] % g || o->group[d] != at[d] / g);
            wrong += g && o->groups[d] != (r.size[d] + g - 1) / g;
          }
        }
    if (wrong) {
      fprintf(stderr, "%s, barrier %d, %zux%zux%zu in groups of %zux%zux%zu: %zu wrong\n", what,
              barrier, r.size[0], r.size[1], r.size[2], r.group[0], r.group[1], r.group[2], wrong);
      check_failures++;
    }
  }
  KA_CHECK(ka_free(out));
  KA_CHECK(ka_free(hits));
}

// A tree sum of a tile: right for every size without a bound check, since padding leaves zeros.
[[ka::kernel, ka::group_size(64)]] void tile_sums(const int *x, int *sums) {
  ka_local int tile[64];
  size_t l = ka_local_id(0);
  tile[l] = x[ka_global_id(0)];
  ka_barrier();
  for (size_t s = 32; s > 0; s /= 2) {
    if (l < s)
      tile[l] += tile[l + s];
    ka_barrier();
  }
  if (l == 0)
    sums[ka_group_id(0)] = tile[0];
}

// Loops, switches and early ends between barriers; how often is read from memory.
static int step(int acc, int x, int next, int k) {
  acc += next;
  if (x & 1) {
    for (int j = 0; j < (x & 15); j += 1 + (x & 1))
      acc += j;
  } else {
    acc ^= x;
  }
  acc += k * 7;
  switch (x % 3) {
  case 0:
    return acc + 1 - 2;
  case 1:
    return acc * 3 - 2;
  default:
    return acc;
  }
}

[[ka::kernel, ka::group_size(64)]] void rounds(const unsigned *x, int *out, const int *count) {
  ka_local int tile[64];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int acc = 0;
  for (int k = 0; k < *count; k++) {
    tile[l] = (int)(x[i] >> 8) + k;
    ka_barrier();
    acc = step(acc, (int)(x[i] >> 8), tile[(l + 1) % 64], k);
    ka_barrier();
  }
  out[i] = acc;
}

// Items that wait for a condition which a padding item could never fulfil.
[[ka::kernel, ka::group_size(32)]] void searches(const int *x, int *out, int n) {
  ka_local int found[32];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int j = 0;
  while (x[(i + j) % n] != 7)
    j++;
  found[l] = j + 1;
  ka_barrier();
  out[i] = found[31 - l] + 1000 * found[l];
}

static void check_guards(size_t n) {
  unsigned *x = device_memory(n * sizeof *x);
  int *out = device_memory(n * sizeof *out), *sums = device_memory((n / 64 + 1) * sizeof *sums);
  int *count = device_memory(sizeof *count);
  *count = 3;
  for (size_t i = 0; i < n; i++)
    x[i] = (unsigned)i * 2654435761u;
  KA_CHECK(ka_launch(backend(), ka_range(n), tile_sums((const int *)x, sums)));
  KA_CHECK(ka_launch(backend(), ka_range(n), rounds(x, out, count)));
  KA_CHECK(ka_synchronize(backend()));
  for (size_t g = 0; g * 64 < n; g++) {
    unsigned sum = 0;
    for (size_t i = g * 64; i < n && i < g * 64 + 64; i++)
      sum += x[i];
    CHECK_SAME("tile_sums", (const unsigned *)&sum, (unsigned *)&sums[g], 1);
    for (size_t i = g * 64; i < n && i < g * 64 + 64; i++) {
      int acc = 0;
      for (int k = 0; k < *count; k++) {
        size_t next = g * 64 + (i + 1) % 64;
        acc = step(acc, (int)(x[i] >> 8), next < n ? (int)(x[next] >> 8) + k : 0, k);
      }
      CHECK_SAME("rounds", &acc, &out[i], 1);
    }
  }

  int *y = (int *)x;
  for (size_t i = 0; i < n; i++)
    y[i] = i % 19 == 0 ? 7 : (int)i;
  KA_CHECK(ka_launch(backend(), ka_range(n), searches(y, out, (int)n)));
  KA_CHECK(ka_synchronize(backend()));
  for (size_t i = 0; i < n; i++) {
    int steps[2] = {0, 0};
    size_t at[2] = {i, i / 32 * 32 + 31 - i % 32};
    for (int s = 0; s < 2; s++) {
      while (at[s] < n && y[(at[s] + steps[s]) % n] != 7)
        steps[s]++;
      steps[s] = at[s] < n ? steps[s] + 1 : 0;
    }
    int expected = steps[1] + 1000 * steps[0];
    CHECK_SAME("searches", &expected, &out[i], 1);
  }
  KA_CHECK(ka_free(x));
  KA_CHECK(ka_free(out));
  KA_CHECK(ka_free(sums));
  KA_CHECK(ka_free(count));
}

int main(void) {
  const size_t sizes[] = {1, 7, 64, 257, 1009}, groups[] = {1, 7, 64, 256};
  for (int s = 0; s < 5; s++) {
    check_range(ka_range(sizes[s]), "one dimension, no group size");
    for (int g = 0; g < 4; g++)
      check_range(ka_with_group(ka_range(sizes[s]), groups[g]), "one dimension");
  }
  check_range(ka_range(37, 41, 43), "three dimensions, no group size");
  check_range(ka_with_group(ka_range(37, 41, 43), 4, 4, 4), "three dimensions");
  check_range(ka_with_group(ka_range(37, 41), 16, 8), "two dimensions");
  check_range(ka_with_group(ka_range(5, 70), 1, 64), "two dimensions");
  check_range(ka_with_offset(ka_with_group(ka_range(37, 5), 8, 2), 3, 100), "offset");
  check_range(ka_with_offset(ka_range(100), 11), "offset, no group size");
  for (size_t n = 1; n < 200; n += n < 5 ? 1 : 31)
    check_guards(n);
  check_guards(64 * 5);
  check_guards(1009);
  return check_result();
}
