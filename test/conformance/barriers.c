// Barriers in every kind of control flow that all items of a group take together, with groups of
// several sizes and ranges that they divide or not.
#include "check.h"

enum { most = 256, limit = 1000 };
static const size_t groups[] = {1, 7, 64, 256};

// The host's side of a case: one group of `items` items, of which `there` exist, the first of them
// being item `first`. A place in group memory that an item beyond the range would have written
// holds 0.
struct group {
  size_t number, first, items, there;
};
typedef void reference(const int *x, int *out, struct group g, int n);

#define EACH(l) for (size_t l = 0; l < g.there; l++)

// A bound on the first item of a group is the same for all its items.
[[ka::kernel]] void uniform_bound(const int *x, int *out, int n) {
  size_t i = ka_global_id(0), first = ka_group_id(0) * ka_local_size(0);
  out[i] = x[i];
  if ((int)first <= n / 2) {
    ka_barrier();
    out[i] = 1;
  }
}
static void uniform_bound_(const int *x, int *out, struct group g, int n) {
  EACH(l) out[g.first + l] = (int)g.first <= n / 2 ? 1 : x[g.first + l];
}

// A loop with a barrier, private memory, and an error path that ends in unreachable code.
[[ka::kernel]] void unreachable_error(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  int mine[4] = {1, 2, 3, 4};
  for (int k = 0; k < 5; k++) {
    tile[l] = mine[k & 3];
    ka_barrier();
    mine[(k + 1) & 3] += tile[(l + 1) % items] + x[i];
    ka_barrier();
    if (n < 0)
      __builtin_unreachable();
  }
  out[i] = mine[0] + mine[1] * 3 + mine[2] * 5 + mine[3] * 7;
}
static void unreachable_error_(const int *x, int *out, struct group g, int n) {
  (void)n;
  int tile[most] = {0}, mine[most][4];
  EACH(l) for (int k = 0; k < 4; k++) mine[l][k] = k + 1;
  for (int k = 0; k < 5; k++) {
    EACH(l) tile[l] = mine[l][k & 3];
    EACH(l) mine[l][(k + 1) & 3] += tile[(l + 1) % g.items] + x[g.first + l];
  }
  EACH(l) out[g.first + l] = mine[l][0] + mine[l][1] * 3 + mine[l][2] * 5 + mine[l][3] * 7;
}

// A switch whose default cannot be reached, then a barrier.
[[ka::kernel]] void unreachable_default(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  (void)n;
  switch (x[i] & 1) {
  case 0:
    tile[l] = 5;
    break;
  case 1:
    tile[l] = x[i];
    break;
  default:
    __builtin_unreachable();
  }
  ka_barrier();
  out[i] = tile[ka_local_size(0) - 1 - l];
}
static void unreachable_default_(const int *x, int *out, struct group g, int n) {
  (void)n;
  EACH(l) {
    size_t from = g.items - 1 - l;
    int v = from < g.there ? x[g.first + from] : 0;
    out[g.first + l] = from < g.there ? v & 1 ? v : 5 : 0;
  }
}

// A branch with a barrier, then a loop with barriers that may have no turn.
[[ka::kernel]] void branch_then_loop(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  int v = x[i];
  if (n & 1) {
    tile[l] = v;
    ka_barrier();
    v += tile[(l + 1) % items];
    ka_barrier();
  }
  for (int k = 0; k < n % 3; k++) {
    tile[l] = v + k;
    ka_barrier();
    v -= tile[(l + 2) % items];
    ka_barrier();
  }
  out[i] = v;
}
static void branch_then_loop_(const int *x, int *out, struct group g, int n) {
  int tile[most] = {0}, *v = out + g.first;
  EACH(l) v[l] = x[g.first + l];
  if (n & 1) {
    EACH(l) tile[l] = v[l];
    EACH(l) v[l] += tile[(l + 1) % g.items];
  }
  for (int k = 0; k < n % 3; k++) {
    EACH(l) tile[l] = v[l] + k;
    EACH(l) v[l] -= tile[(l + 2) % g.items];
  }
}

// What only the first item does between barriers is done once.
[[ka::kernel]] void one_writer(const int *x, int *out, int n) {
  ka_local int count, sum;
  size_t i = ka_global_id(0), l = ka_local_id(0);
  (void)n;
  if (l == 0)
    count = sum = 0;
  ka_barrier();
  if (l == 0)
    count++;
  __atomic_fetch_add(&sum, x[i], __ATOMIC_RELAXED);
  ka_barrier();
  if (l == 0)
    count += sum;
  ka_barrier();
  out[i] = count;
}
static void one_writer_(const int *x, int *out, struct group g, int n) {
  (void)n;
  int sum = 1;
  EACH(l) sum += x[g.first + l];
  EACH(l) out[g.first + l] = sum;
}

// One helper with a barrier, called in both branches and again, inlined or not.
static void meet(void) { ka_barrier(); }
__attribute__((noinline)) static int exchange(int *tile, int v, size_t with) {
  tile[ka_local_id(0)] = v;
  ka_barrier();
  v = tile[with];
  ka_barrier();
  return v;
}
[[ka::kernel]] void helpers(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  int v = x[i];
  if (n & 2)
    meet();
  else
    meet();
  if (ka_group_id(0) & 1)
    v += exchange(tile, v, (l + 1) % items);
  else
    v -= exchange(tile, v, (l + 3) % items);
  out[i] = v + exchange(tile, v, items - 1 - l);
}
static void helpers_(const int *x, int *out, struct group g, int n) {
  (void)n;
  int tile[most] = {0}, v[most] = {0};
  EACH(l) tile[l] = x[g.first + l];
  EACH(l)
  v[l] = g.number & 1 ? tile[l] + tile[(l + 1) % g.items] : tile[l] - tile[(l + 3) % g.items];
  EACH(l) out[g.first + l] = v[l] + v[g.items - 1 - l];
}

// Group memory is cleared, partly written, read, on a range that the group does not divide.
[[ka::kernel]] void reset_and_write(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  tile[l] = 0;
  ka_barrier();
  if ((int)i < n - 3)
    tile[(l + 1) % ka_local_size(0)] = x[i];
  ka_barrier();
  out[i] = tile[l];
}
static void reset_and_write_(const int *x, int *out, struct group g, int n) {
  EACH(l) out[g.first + l] = 0;
  EACH(l) {
    size_t to = (l + 1) % g.items;
    if ((int)(g.first + l) < n - 3 && to < g.there)
      out[g.first + to] = x[g.first + l];
  }
}

// Accesses to group memory that check bounds, between barriers.
static int checked(const int *tile, size_t at, size_t items) { return at < items ? tile[at] : -1; }
[[ka::kernel]] void bounds_checked(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  (void)n;
  if (l < most)
    tile[l] = x[i];
  ka_barrier();
  int left = checked(tile, l - 1, items), right = checked(tile, l + 1, items);
  ka_barrier();
  if (l < most)
    tile[l] = left + right;
  ka_barrier();
  out[i] = checked(tile, l + 2, items);
}
static void bounds_checked_(const int *x, int *out, struct group g, int n) {
  (void)n;
  int tile[most] = {0}, sum[most] = {0};
  EACH(l) tile[l] = x[g.first + l];
  EACH(l) sum[l] = checked(tile, l - 1, g.items) + checked(tile, l + 1, g.items);
  EACH(l) out[g.first + l] = checked(sum, l + 2, g.items);
}

// Private arrays and scalars live across barriers in loops in loops.
[[ka::kernel]] void private_survives(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  int history[6] = {0}, last = x[i];
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < n % 4; b++) {
      tile[l] = last;
      ka_barrier();
      last = last / 2 + tile[(l + items / 2) % items];
      history[a + b] += last;
      ka_barrier();
    }
    history[a] ^= a;
  }
  int sum = last;
  for (int k = 0; k < 6; k++)
    sum = sum * 3 + history[k];
  out[i] = sum;
}
static void private_survives_(const int *x, int *out, struct group g, int n) {
  int history[most][6] = {{0}}, last[most] = {0}, tile[most] = {0};
  EACH(l) last[l] = x[g.first + l];
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < n % 4; b++) {
      EACH(l) tile[l] = last[l];
      EACH(l) {
        last[l] = last[l] / 2 + tile[(l + g.items / 2) % g.items];
        history[l][a + b] += last[l];
      }
    }
    EACH(l) history[l][a] ^= a;
  }
  EACH(l) {
    int sum = last[l];
    for (int k = 0; k < 6; k++)
      sum = sum * 3 + history[l][k];
    out[g.first + l] = sum;
  }
}

// Only some groups come to the barrier.
[[ka::kernel]] void some_groups(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  (void)n;
  int v = x[i];
  if (ka_group_id(0) > 0) {
    tile[l] = v;
    ka_barrier();
    v += tile[ka_local_size(0) - 1 - l];
  }
  out[i] = v;
}
static void some_groups_(const int *x, int *out, struct group g, int n) {
  (void)n;
  EACH(l) {
    size_t from = g.items - 1 - l;
    out[g.first + l] = x[g.first + l] + (g.number && from < g.there ? x[g.first + from] : 0);
  }
}

// Paths that cannot be, before and between barriers, leave convergence alone.
static int nonzero(int v) {
  if (v == -12345)
    __builtin_unreachable();
  return v | 1;
}
[[ka::kernel]] void impossible_paths(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  (void)n;
  tile[l] = nonzero(x[i]);
  ka_barrier();
  int v = nonzero(tile[(l + 1) % items] * 2);
  ka_barrier();
  tile[l] = v;
  ka_barrier();
  out[i] = tile[(l + 1) % items];
}
static void impossible_paths_(const int *x, int *out, struct group g, int n) {
  (void)n;
  int first[most] = {0}, second[most] = {0};
  EACH(l) first[l] = nonzero(x[g.first + l]);
  EACH(l) second[l] = nonzero(first[(l + 1) % g.items] * 2);
  EACH(l) out[g.first + l] = second[(l + 1) % g.items];
}

// Global memory is ordered by a barrier as well.
[[ka::kernel]] void through_global(const int *x, int *out, int n) {
  size_t i = ka_global_id(0), l = ka_local_id(0), first = i - l;
  out[i] = x[i] * 3;
  ka_barrier();
  size_t other = first + (l ^ 1);
  int v = (l ^ 1) < ka_local_size(0) && (int)other < n ? out[other] : 7;
  ka_barrier();
  out[i] = v;
}
static void through_global_(const int *x, int *out, struct group g, int n) {
  (void)n;
  EACH(l) out[g.first + l] = (l ^ 1) < g.there ? x[g.first + (l ^ 1)] * 3 : 7;
}

// Loops around barriers that a uniform break, continue or goto leaves.
[[ka::kernel]] void left_loops(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  int v = x[i], turn = 0;
  do {
    tile[l] = v;
    ka_barrier();
    int next = tile[(l + 1) % items];
    ka_barrier();
    if (n % 5 == 1)
      goto out_of_here;
    if (turn == n % 4)
      break;
    if (turn & 1)
      continue;
    v += next;
  } while (++turn < 6);
  v *= 2;
out_of_here:
  out[i] = v;
}
static void left_loops_(const int *x, int *out, struct group g, int n) {
  int v[most] = {0}, tile[most] = {0}, turn = 0;
  EACH(l) v[l] = x[g.first + l];
  do {
    EACH(l) tile[l] = v[l];
    if (n % 5 == 1)
      goto out_of_here;
    if (turn == n % 4)
      break;
    if (turn & 1)
      continue;
    EACH(l) v[l] += tile[(l + 1) % g.items];
  } while (++turn < 6);
  EACH(l) v[l] *= 2;
out_of_here:
  EACH(l) out[g.first + l] = v[l];
}

// Loops whose few turns are known: the inner one's depend on the outer one's, some take no turn,
// some barriers stand in some turns only. One that is to be unrolled has unknown turns.
[[ka::kernel]] void known_turns(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  tile[l] = x[i];
  ka_barrier();
  for (int run = 1; run <= 4; run *= 2)
    for (int step = run; step > 0; step /= 2) {
      int its = tile[(l + (size_t)step) % items];
      ka_barrier();
      tile[l] = tile[l] * 3 + its + run;
      ka_barrier();
    }
  for (int k = 5; k < 5; k++) {
    tile[l] = 0;
    ka_barrier();
  }
  int v = tile[l];
  for (int k = 0; k < 5; k++) {
    if (k & 1)
      ka_barrier();
    v += tile[(l + (size_t)k) % items] * k;
    if (k % 4 == 2) {
      ka_barrier();
      tile[l] = v;
      ka_barrier();
    }
  }
  KA_UNROLL_N(3)
  for (int k = 0; k < n % 5; k++) {
    ka_barrier();
    tile[l] = v + k;
    ka_barrier();
    v ^= tile[items - 1 - l];
  }
  out[i] = v;
}
static void known_turns_(const int *x, int *out, struct group g, int n) {
  int tile[most] = {0}, its[most], v[most];
  EACH(l) tile[l] = x[g.first + l];
  for (int run = 1; run <= 4; run *= 2)
    for (int step = run; step > 0; step /= 2) {
      EACH(l) its[l] = tile[(l + (size_t)step) % g.items];
      EACH(l) tile[l] = tile[l] * 3 + its[l] + run;
    }
  EACH(l) v[l] = tile[l];
  for (int k = 0; k < 5; k++) {
    EACH(l) v[l] += tile[(l + (size_t)k) % g.items] * k;
    if (k == 2)
      EACH(l) tile[l] = v[l];
  }
  for (int k = 0; k < n % 5; k++) {
    EACH(l) tile[l] = v[l] + k;
    EACH(l) v[l] ^= tile[g.items - 1 - l];
  }
  EACH(l) out[g.first + l] = v[l];
}

// What items bring out of loops that count alike and that each leaves at a time of its own.
#define COUNT(x, n, found, square)                                                                 \
  do {                                                                                             \
    int j = 0;                                                                                     \
    do {                                                                                           \
      found = j * 4;                                                                               \
      j++;                                                                                         \
    } while (found < (x));                                                                         \
    j = 0;                                                                                         \
    do {                                                                                           \
      square = j * j;                                                                              \
      if (square >= (x))                                                                           \
        break;                                                                                     \
      j++;                                                                                         \
    } while (j < (n));                                                                             \
  } while (0)
[[ka::kernel]] void counters(const int *x, int *out, int n) {
  ka_local int tile[most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int found, square, mine = x[i];
  COUNT(mine, n, found, square);
  tile[l] = found;
  ka_barrier();
  out[i] = found + square * 3 + tile[ka_local_size(0) - 1 - l] * 5;
}
static void counters_(const int *x, int *out, struct group g, int n) {
  int tile[most] = {0}, found, square;
  EACH(l) {
    COUNT(x[g.first + l], n, found, square);
    tile[l] = found;
  }
  EACH(l) {
    COUNT(x[g.first + l], n, found, square);
    out[g.first + l] = found + square * 3 + tile[g.items - 1 - l] * 5;
  }
}

// Addresses that are worked out before a barrier and used behind it, in straight code.
[[ka::kernel]] void addresses(const int *x, int *out, int n) {
  ka_local int tile[most], other[most];
  int i = (int)ka_global_id(0), l = (int)ka_local_id(0), items = (int)ka_local_size(0);
  int *mine = &tile[l], *result = &out[i];
  const int *source = l & 1 ? &tile[items - 1 - l] : &other[(l ^ 1) % items];
  *mine = x[i], other[l] = x[i] - n;
  ka_barrier();
  int v = *source + mine[0];
  ka_barrier();
  if (v & 1)
    mine[0] = v;
  else
    *result = 3;
  for (int k = 1; k <= 3; k++) {
    ka_barrier();
    int its = tile[(l + k) % items];
    ka_barrier();
    tile[l] += its * k;
  }
  ka_barrier();
  *result = *mine + tile[items - 1 - l] * 3 + *source * 5;
}
static void addresses_(const int *x, int *out, struct group g, int n) {
  int tile[most] = {0}, other[most] = {0}, v[most];
  size_t items = g.items;
#define SOURCE(l) ((l) & 1 ? tile[items - 1 - (l)] : other[((l) ^ 1) % items])
  EACH(l) tile[l] = x[g.first + l], other[l] = x[g.first + l] - n;
  EACH(l) v[l] = SOURCE(l) + tile[l];
  EACH(l) if (v[l] & 1) tile[l] = v[l];
  for (size_t k = 1; k <= 3; k++) {
    EACH(l) v[l] = tile[(l + k) % items];
    EACH(l) tile[l] += v[l] * (int)k;
  }
  EACH(l) out[g.first + l] = tile[l] + tile[items - 1 - l] * 3 + SOURCE(l) * 5;
#undef SOURCE
}

static int *x, *out, expected[limit];

// The same in two dimensions, from an offset: an item swaps places with its mirror image.
enum { width = 40, height = 20, left = 3, top = 5, columns = 32, rows = 12 };
[[ka::kernel, ka::group_size(8, 4)]] void offsets(int *to) {
  ka_local int tile[4][8];
  size_t column = ka_local_id(0), row = ka_local_id(1),
         at = ka_global_id(1) * width + ka_global_id(0);
  int *mine = &tile[row][column], *result = &to[at];
  *mine = (int)at;
  ka_barrier();
  *result = tile[3 - row][7 - column];
  ka_barrier();
  *mine = *result + 1;
  ka_barrier();
  *result += tile[3 - row][column];
  to[at] *= 2;
}
static void check_offsets(void) {
  memset(out, 0, width * height * sizeof *out), memset(expected, 0, sizeof expected);
  KA_CHECK(ka_launch(backend(), ka_with_offset(ka_range(columns, rows), left, top), offsets(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      int across = left + c / 8 * 8 + 7 - c % 8, down = top + r / 4 * 4 + 3 - r % 4;
      // Down and back again: what the item in the mirrored row took.
      int its = (top + r) * width + across + 1;
      expected[(top + r) * width + left + c] = 2 * (down * width + across + its);
    }
  CHECK_SAME("offsets", expected, out, width * height);
}

static void compare(const char *name, reference *host, size_t group, int n) {
  KA_CHECK(ka_synchronize(backend()));
  for (size_t first = 0, number = 0; first < (size_t)n; first += group, number++) {
    size_t rest = (size_t)n - first;
    host(x, expected, (struct group){number, first, group, rest < group ? rest : group}, n);
  }
  if (memcmp(expected, out, (size_t)n * sizeof *out) != 0)
    fprintf(stderr, "%d items in groups of %zu:\n", n, group);
  CHECK_SAME(name, expected, out, n);
}

#define RUN(kernel)                                                                                \
  (ka_launch(backend(), ka_with_group(ka_range(n), group), kernel(x, out, n)) == KA_OK             \
       ? compare(#kernel, kernel##_, group, n)                                                     \
       : (void)(fprintf(stderr, "%s\n", ka_error_message()), exit(1)))

int main(void) {
  x = device_memory(limit * sizeof *x), out = device_memory(limit * sizeof *out);
  for (int i = 0; i < limit; i++)
    x[i] = i * 37 % 1001 - 300;
  for (int k = 0; k < 4; k++) {
    size_t group = groups[k];
    const int sizes[] = {1, 6, (int)group, (int)group * 3, (int)group * 3 - 1, 333, 770};
    for (int s = 0; s < 7; s++) {
      int n = sizes[s];
      RUN(uniform_bound);
      RUN(unreachable_error);
      RUN(unreachable_default);
      RUN(branch_then_loop);
      RUN(one_writer);
      RUN(helpers);
      RUN(bounds_checked);
      RUN(private_survives);
      RUN(some_groups);
      RUN(impossible_paths);
      RUN(through_global);
      RUN(left_loops);
      RUN(known_turns);
      RUN(addresses);
      RUN(counters);
      // Such a fault shows in most runs, not in all.
      for (int again = 0; again < 15; again++)
        RUN(reset_and_write);
    }
  }
  check_offsets();
  return check_result();
}
