// Kernels that find something wrong: what is told of it, that nothing is done behind it, and that
// everything else goes on. Groups of several sizes, ranges that they divide or not.
#include "check.h"

#undef NDEBUG
#include <assert.h>

enum { N = 1000, Most = 256, Turns = 6 };
static const size_t groups[] = {1, 7, 64, 256};

// ---- Kernels. Item `bad` fails; nothing may come to N or beyond. ----

// As in any program.
static int at_most(int value, int limit) {
  assert(value <= limit);
  return value;
}

__attribute__((noinline)) static void mark(int *out, size_t i, int n) {
  if (i >= (size_t)n)
    ka_trap("an item that does not exist");
  out[i] += 1;
}

[[ka::kernel]] void plain(int *out, int bad, int n) {
  size_t i = ka_global_id(0);
  out[i] = 1;
  assert((int)i != bad && (int)i < n);
  out[i] = 2;
}

[[ka::kernel]] void in_helpers(int *out, int bad, int n) {
  size_t i = ka_global_id(0);
  mark(out, i, n);
  at_most((int)i == bad ? n : 0, n - 1);
  mark(out, i, n);
}

[[ka::kernel]] void in_loop(int *out, int bad, int n) {
  size_t i = ka_global_id(0);
  for (int k = 0; k < Turns; k++) {
    assert(k < 3 || (int)i != bad);
    mark(out, i, n);
  }
}

// The group of the item that fails ends at the barrier behind.
[[ka::kernel]] void with_barriers(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  tile[l] = 1;
  ka_barrier();
  mark(out, i, n);
  at_most((int)i == bad ? n : 0, n - 1);
  out[i] += 10 * tile[l];
  ka_barrier();
  out[i] += 100 * tile[0];
}

// Before the first barrier there is.
[[ka::kernel]] void before_barriers(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  if ((int)i == bad)
    abort();
  mark(out, i, n);
  tile[l] = 1;
  ka_barrier();
  out[i] += 10 * tile[0];
}

// Behind the last one.
[[ka::kernel]] void behind_barriers(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  tile[l] = 1;
  ka_barrier();
  mark(out, i, n);
  if ((int)i == bad)
    __builtin_trap();
  out[i] += 10 * tile[0];
}

// Items that a partly filled group lacks count the turns, too.
[[ka::kernel]] void counted_before_the_check(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int turn = 0;
  tile[l] = 1;
  while (turn++ < n / 160)
    assert((int)i != bad || turn != 2);
  mark(out, i, n);
  ka_barrier();
  out[i] += 10 * tile[0];
}

// Items of the group are in the third turn then, some already in it, some not yet.
[[ka::kernel]] void barrier_in_loop(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int sum = 0;
  for (int k = 0; k < Turns; k++) {
    tile[l] = k;
    assert(k != 2 || (int)i != bad);
    mark(out, i, n);
    ka_barrier();
    sum += tile[0];
    ka_barrier();
  }
  out[i] += 100 * (sum >= 0);
}

// The same when nobody knows how many turns there are.
[[ka::kernel]] void barrier_in_any_loop(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int sum = 0;
  for (int k = 0; k < n / 160; k++) {
    tile[l] = k;
    assert(k != 2 || (int)i != bad);
    mark(out, i, n);
    ka_barrier();
    sum += tile[0];
    ka_barrier();
  }
  out[i] += 100 * (sum >= 0);
}

// In front of such a loop; the others do not begin it.
[[ka::kernel]] void before_any_loop(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int sum = 0;
  assert((int)i != bad);
  for (int k = 0; k < n / 160; k++) {
    tile[l] = k;
    out[i]++;
    ka_barrier();
    sum += tile[0];
    ka_barrier();
  }
  out[i] += 100 * (sum >= 0);
}

// The whole group fails, and with it comes by no barrier.
[[ka::kernel]] void whole_group(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0), items = ka_local_size(0);
  mark(out, i, n);
  size_t first = ka_group_id(0) * items;
  if (bad >= 0)
    assert((size_t)bad < first || (size_t)bad >= first + items);
  tile[l] = 1;
  ka_barrier();
  out[i] += 10 * tile[0];
}

// In a turn of several, at the trap of single items.
[[ka::kernel]] void whole_group_in_turn(int *out, int bad, int n) {
  ka_local int tile[Most];
  size_t i = ka_global_id(0), l = ka_local_id(0);
  int group = (int)ka_group_id(0), other = bad < 0 ? -1 : bad / (int)ka_local_size(0);
  mark(out, i, n);
  KA_UNROLL
  for (int k = 0; k < 4; k++)
    if (k >= n / 500 && (group == other || (int)i % n == n + k))
      ka_trap("all of them");
  tile[l] = 1;
  ka_barrier();
  out[i] += 10 * tile[0];
}

[[ka::kernel]] void with_group_functions(int *out, int bad, int n) {
  size_t i = ka_global_id(0);
  mark(out, i, n);
  int all = ka_group_reduce_add(1);
  assert(all <= Most && (int)i != bad);
  out[i] += 10;
  out[i] += 100 * (ka_group_reduce_max(all) > 0);
}

[[ka::kernel, ka::unsafe_indices]] void unguarded(int *out, int bad, int n) {
  size_t i = ka_global_id(0);
  if (i >= (size_t)n)
    return;
  out[i] = 1;
  if ((int)i == bad)
    ka_trap("100 %s of it");
  out[i] = 2;
}

[[ka::kernel]] void in_box(int *out, int x, int y, int z) {
  size_t i = ka_global_id(0), j = ka_global_id(1), k = ka_global_id(2);
  size_t at = (k * ka_global_size(1) + j) * ka_global_size(0) + i;
  out[at] = 1;
  assert((int)i != x || (int)j != y || (int)k != z);
  out[at] = 2;
}

[[ka::kernel]] void in_box_with_barrier(int *out, int x, int y, int z) {
  size_t i = ka_global_id(0), j = ka_global_id(1), k = ka_global_id(2);
  size_t at = (k * ka_global_size(1) + j) * ka_global_size(0) + i;
  assert(i < ka_global_size(0) && j < ka_global_size(1) && k < ka_global_size(2));
  out[at] = 1;
  assert((int)i != x || (int)j != y || (int)k != z);
  ka_barrier();
  out[at] = 2;
}

[[ka::kernel]] void all_fail(int *out, int limit) {
  size_t i = ka_global_id(0);
  at_most((int)i + 1, limit);
  out[i] = 1;
}

// Nothing else ends these.
[[ka::kernel]] void always(int *out) {
  out[ka_global_id(0)] = 1;
  ka_trap("always");
}

[[ka::kernel]] void for_ever(int *out, int turns) {
  size_t i = ka_global_id(0);
  for (int k = 0;; k++) {
    out[i] = k;
    assert(k < turns);
  }
}

[[ka::kernel]] void for_ever_with_barriers(int *out, int turns) {
  size_t i = ka_global_id(0), l = ka_local_id(0);
  for (int k = 0;; k++) {
    out[i] = k;
    ka_barrier();
    assert(k < turns || l != 5);
    ka_barrier();
  }
}

// All of the group trap in the loop, each in another turn. Items that it lacks are not left in
// there.
[[ka::kernel]] void for_ever_before_a_barrier(int *out, int turns) {
  size_t i = ka_global_id(0), l = ka_local_id(0);
  for (int k = 0; k < 3 || turns; k++) {
    out[i] = k;
    assert(k < turns + (int)(l & 3));
    assert(turns < 100);
  }
  ka_barrier();
  out[i] = -1;
}

// The others go on to the barrier.
[[ka::kernel]] void for_ever_where_items_part(int *out, int turns) {
  size_t i = ka_global_id(0);
  out[i] = turns;
  if (i & 1)
    for (int k = 0;; k++) {
      out[i] = k;
      assert(k < turns);
    }
  ka_barrier();
  out[i] = -1;
}

// One of them alone, or all together; how often they went round is known to all.
[[ka::kernel]] void counted_by_all(int *out, int turns) {
  size_t i = ka_global_id(0);
  int turn = 0;
  out[i] = turns;
  while (turn < 2 * turns) {
    turn++;
    assert(turn < 3 || i != 5);
    assert(turn < turns);
  }
  for (int k = 0; k < turn; k++) {
    out[i]++;
    ka_barrier();
  }
}

// Before the barrier items part and meet again, though nobody comes to the end.
[[ka::kernel]] void always_behind_a_barrier(int *out, int turns) {
  size_t i = ka_global_id(0);
  for (int k = 0; k < (int)(i & 3) + 1; k++)
    out[i] = turns;
  ka_barrier();
  ka_trap("always");
}

// ---- What they should leave, and say ----

// What an item has when it has failed, when another of its group has, and when none has.
typedef ka_status launcher(ka_ndrange range, int *out, int bad);
#define CASE(kernel, failed, beside, good, place)                                                  \
  static ka_status launch_##kernel(ka_ndrange range, int *out, int bad) {                          \
    return ka_launch(backend(), range, kernel(out, bad, N));                                       \
  }
#define CASES(X)                                                                                   \
  X(plain, 1, 2, 2, ": assertion '(int)i != bad && (int)i < n' failed")                            \
  X(in_helpers, 1, 2, 2, " in 'at_most'; assertion 'value <= limit' failed")                       \
  X(in_loop, 3, 6, 6, ": assertion 'k < 3 || (int)i != bad' failed")                               \
  X(with_barriers, 1, 11, 111, " in 'at_most'; assertion 'value <= limit' failed")                 \
  X(before_barriers, 0, 1, 11, ": abort()")                                                        \
  X(behind_barriers, 1, 11, 11, ": __builtin_trap()")                                              \
  X(counted_before_the_check, 0, 1, 11, ": assertion '(int)i != bad || turn != 2' failed")         \
  X(barrier_in_loop, 2, 3, 106, ": assertion 'k != 2 || (int)i != bad' failed")                    \
  X(barrier_in_any_loop, 2, 3, 106, ": assertion 'k != 2 || (int)i != bad' failed")                \
  X(before_any_loop, 0, 0, 106, ": assertion '(int)i != bad' failed")                              \
  X(whole_group, 1, 1, 11,                                                                         \
    ": assertion '(size_t)bad < first || (size_t)bad >= first + items' "                           \
    "failed")                                                                                      \
  X(whole_group_in_turn, 1, 1, 11, ": all of them")                                                \
  X(with_group_functions, 1, 11, 111, ": assertion 'all <= Most && (int)i != bad' failed")         \
  X(unguarded, 1, 2, 2, ": 100 %s of it")
CASES(CASE)
#undef CASE

static const struct {
  const char *name;
  launcher *launch;
  int failed, beside, good;
  const char *says; // where, if in another function, and what
} cases[] = {
#define CASE(kernel, failed, beside, good, says)                                                   \
  {#kernel, launch_##kernel, failed, beside, good, says},
    CASES(CASE)
#undef CASE
};

static void expect(bool condition, const char *name, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%s: %s; message: %s\n", name, what, ka_error_message());
  check_failures++;
}

static void expect_piece(const char *name, const char *piece) {
  if (!strstr(ka_error_message(), piece)) {
    fprintf(stderr, "%s: '%s' is not in the message: %s\n", name, piece, ka_error_message());
    check_failures++;
  }
}

// A kernel's message but for the line, which is checked by itself.
static void expect_message(const char *name, const char *says, size_t bad, size_t group) {
  char piece[200];
  snprintf(piece, sizeof piece, "kernel '%s' stopped at ", name);
  expect_piece(name, piece);
  expect_piece(name, "traps.c:");
  snprintf(piece, sizeof piece, "item (%zu, 0, 0) of group (%zu, 0, 0): ", bad, bad / group);
  expect_piece(name, piece);
  const char *text = strchr(says, ';');
  snprintf(piece, sizeof piece, "%.*s, item", (int)(text ? text - says : 0), says);
  expect_piece(name, piece);
  expect_piece(name, text ? text + 2 : says);
}

static void check_case(size_t c, size_t group, int bad, int *out) {
  memset(out, 0, N * sizeof *out);
  ka_status launched = cases[c].launch(ka_with_group(ka_range(N), group), out, bad);
  expect(launched == KA_OK, cases[c].name, "it was not launched");
  ka_status status = ka_synchronize(backend());
  int expected[N];
  for (size_t i = 0; i < N; i++) {
    bool beside = bad >= 0 && i / group == (size_t)bad / group;
    // Without a barrier the others of a group know nothing; the value says so.
    expected[i] = (int)i == bad ? cases[c].failed : beside ? cases[c].beside : cases[c].good;
  }
  if (bad < 0) {
    expect(status == KA_OK, cases[c].name, "it failed without a reason");
  } else {
    expect(status == KA_ERROR_KERNEL_TRAP, cases[c].name, "it did not fail as it should");
    // Of a group that fails as a whole any item may have been the first.
    if (strncmp(cases[c].name, "whole_group", strlen("whole_group")) != 0)
      expect_message(cases[c].name, cases[c].says, (size_t)bad, group);
  }
  check_same(cases[c].name, expected, out, N, sizeof *out);
}

static void check_box(bool barrier) {
  enum { X = 10, Y = 6, Z = 5 };
  int *out = device_memory(X * Y * Z * sizeof *out);
  ka_ndrange range = ka_with_group(ka_range(X, Y, Z), 4, 2, 3);
  ka_launch(backend(), range, in_box(out, 9, 4, 3));
  if (barrier)
    ka_launch(backend(), range, in_box_with_barrier(out, 9, 4, 3));
  ka_status status = ka_synchronize(backend());
  expect(status == KA_ERROR_KERNEL_TRAP, "in_box", "it did not fail");
  expect_piece("in_box", "kernel 'in_box' stopped");
  expect_piece("in_box", "item (9, 4, 3) of group (2, 2, 1): assertion '(int)i != x");
  int expected[X * Y * Z];
  for (int i = 0; i < X * Y * Z; i++) {
    int x = i % X, y = i / X % Y, z = i / X / Y;
    bool beside = x / 4 == 2 && y / 2 == 2 && z / 3 == 1;
    expected[i] = (barrier ? beside : x == 9 && y == 4 && z == 3) ? 1 : 2;
  }
  CHECK_SAME(barrier ? "in_box_with_barrier" : "in_box", expected, out, X * Y * Z);
  ka_free(out);
}

// One is described, whole, whichever it is.
static void check_first_wins(void) {
  enum { Many = 20000 };
  int *out = device_memory(Many * sizeof *out);
  for (int round = 0; round < 5; round++) {
    ka_launch(backend(), ka_with_group(ka_range(Many), 100), all_fail(out, Many / 2));
    ka_launch(backend(), ka_range(Many), all_fail(out, 0));
    ka_status status = ka_synchronize(backend());
    expect(status == KA_ERROR_KERNEL_TRAP, "all_fail", "it did not fail");
    unsigned item = 0, group = 1;
    const char *at = strstr(ka_error_message(), "item (");
    expect(at && sscanf(at, "item (%u, 0, 0) of group (%u, 0, 0)", &item, &group) == 2, "all_fail",
           "no item is named");
    expect(item >= Many / 2 && item < Many && group == item / 100, "all_fail", "the item is wrong");
    for (int i = 0; i < Many; i++)
      expect(out[i] == (i < Many / 2), "all_fail", "the result is wrong");
    expect(ka_synchronize(backend()) == KA_OK, "all_fail", "it was told twice");
    memset(out, 0, Many * sizeof *out);
  }
  ka_free(out);
}

static void check_endless(void) {
  enum { Few = 14, Group = 8 };
  int *out = device_memory(Few * sizeof *out), expected[Few];
  ka_ndrange range = ka_with_group(ka_range(Few), Group);
  enum {
    ALWAYS,
    FOR_EVER,
    WITH_BARRIERS,
    BEFORE_A_BARRIER,
    WHERE_ITEMS_PART,
    BY_ALL,
    BEHIND,
    KERNELS
  };
  static const char *const names[KERNELS] = {
      [ALWAYS] = "always",
      [FOR_EVER] = "for_ever",
      [WITH_BARRIERS] = "for_ever_with_barriers",
      [BEFORE_A_BARRIER] = "for_ever_before_a_barrier",
      [WHERE_ITEMS_PART] = "for_ever_where_items_part",
      [BY_ALL] = "counted_by_all",
      [BEHIND] = "always_behind_a_barrier",
  };
  for (int k = 0; k < KERNELS; k++) {
    ka_status launched =
        k == ALWAYS             ? ka_launch(backend(), range, always(out))
        : k == FOR_EVER         ? ka_launch(backend(), range, for_ever(out, 4))
        : k == WITH_BARRIERS    ? ka_launch(backend(), range, for_ever_with_barriers(out, 4))
        : k == BEFORE_A_BARRIER ? ka_launch(backend(), range, for_ever_before_a_barrier(out, 4))
        : k == WHERE_ITEMS_PART ? ka_launch(backend(), range, for_ever_where_items_part(out, 4))
        : k == BY_ALL           ? ka_launch(backend(), range, counted_by_all(out, 4))
                                : ka_launch(backend(), range, always_behind_a_barrier(out, 4));
    expect(launched == KA_OK, names[k], "it was not launched");
    expect(ka_synchronize(backend()) == KA_ERROR_KERNEL_TRAP, names[k], "it did not fail");
    for (int i = 0; i < Few; i++)
      expected[i] = k == ALWAYS ? 1 : k == BEFORE_A_BARRIER ? 4 + (i % Group & 3) : 4;
    CHECK_SAME(names[k], expected, out, Few);
  }
  ka_free(out);
}

int main(void) {
  int *out = device_memory(N * sizeof *out);
  static const int bad[] = {-1, 0, 517, N - 1};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
      for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        check_case(c, groups[g], bad[b], out);
  ka_free(out);
  check_box(false);
  check_box(true);
  check_first_wins();
  check_endless();
  return check_result();
}
