// Undefined behaviour that clang's checks find, with -fsanitize-trap: in kernels it is a trap, with
// its place.
#include "check.h"

enum { N = 100, bad = 41 };

// One kernel for each check; item `bad` is told of, at the line of the macro's use, the others do
// their work.
#define CHECKS(X)                                                                                  \
  X(adds, i < bad ? 1 : 2147483647 - bad + 1, value + i, "integer overflow in an addition")        \
  X(subtracts, i == bad ? -2147483647 : 1, value - i, "integer overflow in a subtraction")         \
  X(multiplies, i == bad ? 1 << 30 : 1, value * i, "integer overflow in a multiplication")         \
  X(negates, i == bad ? -2147483647 - 1 : i, -value, "integer overflow in a negation")             \
  X(divides, i == bad ? 0 : 1, i / value, "division by zero")                                      \
  X(shifts, i == bad ? 32 : 1, 1 << value, "a shift by a wrong number of bits")                    \
  X(converts, i == bad ? 4096 : 1, (int)((float)value * 1e30f * (i == bad)), "a number is out")    \
  X(indexes, i == bad ? 8 : 1, table[value], "an index beyond its array")                          \
  X(counts, i == bad ? 0 : 1, __builtin_ctz((unsigned)value), "a builtin function got a value")    \
  X(follows, i == bad, *(value ? NULL : &table[2]), "access through a null pointer")               \
  X(falls, i == bad, reach(value), "a place was reached that cannot be")

static const int table[8] = {1, 2, 3};

static int reach(int value) {
  if (value)
    __builtin_unreachable();
  return 7;
}

#define KERNEL(name, of_value, expression, says)                                                   \
  [[ka::kernel]] void name(int *out) {                                                             \
    int i = (int)ka_global_id(0), value = of_value;                                                \
    out[i] = (expression) | 1;                                                                     \
  }
CHECKS(KERNEL)

// The checks in a kernel keep their lines; what follows a barrier is not done for a group that
// failed.
[[ka::kernel, ka::group_size(16)]] void with_barrier(int *out, int *line) {
  ka_local int tile[16];
  int l = (int)ka_local_id(0), i = (int)ka_global_id(0);
  tile[l] = i;
  *line = __LINE__ + 1;
  tile[l] = i + (i == 20 ? 2147483647 : 0);
  ka_barrier();
  out[i] = tile[15 - l] + 1;
}

// Nothing fails, so nothing is told.
[[ka::kernel]] void good(int *out) {
  int i = (int)ka_global_id(0);
  out[i] = (i + 1) * 2 - (i << 1) / (i + 1) + table[i % 8] + (int)(unsigned char)i;
}

static void expect(bool condition, const char *name, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "%s: %s; message: %s\n", name, what, ka_error_message());
  check_failures++;
}

static void expect_trap(const char *name, const char *says, size_t item) {
  expect(ka_synchronize(backend()) == KA_ERROR_KERNEL_TRAP, name, "it did not fail");
  char piece[100];
  snprintf(piece, sizeof piece, "kernel '%s' stopped at ", name);
  expect(strstr(ka_error_message(), piece), name, "the kernel is not named");
  expect(strstr(ka_error_message(), "checks.c:"), name, "the place is not told");
  snprintf(piece, sizeof piece, "item (%zu, 0, 0)", item);
  expect(strstr(ka_error_message(), piece), name, "the item is not told");
  expect(strstr(ka_error_message(), says), name, "the reason is not told");
}

int main(void) {
  int *out = device_memory(N * sizeof *out), *line = device_memory(sizeof *line);
#define RUN(name, of_value, expression, says)                                                      \
  memset(out, 0, N * sizeof *out);                                                                 \
  KA_CHECK(ka_launch(backend(), ka_range(bad + 1), name(out)));                                    \
  expect_trap(#name, says, bad);                                                                   \
  for (int i = 0; i <= bad; i++)                                                                   \
    expect((out[i] != 0) == (i != bad), #name, "other items did not do their work");
  CHECKS(RUN)
  memset(out, 0, N * sizeof *out);
  KA_CHECK(ka_launch(backend(), ka_range(N), with_barrier(out, line)));
  expect_trap("with_barrier", "integer overflow in an addition", 20);
  char place[40];
  snprintf(place, sizeof place, "checks.c:%d,", *line);
  expect(strstr(ka_error_message(), place), "with_barrier", "the line is wrong");
  for (int i = 0; i < 96; i++)
    expect((out[i] != 0) == (i / 16 != 1), "with_barrier", "the wrong group ended");
  KA_CHECK(ka_launch(backend(), ka_range(N), good(out)));
  KA_CHECK(ka_synchronize(backend()));
  int expected[N];
  for (int i = 0; i < N; i++)
    expected[i] = (i + 1) * 2 - (i << 1) / (i + 1) + table[i % 8] + (int)(unsigned char)i;
  CHECK_SAME("good", expected, out, N);
  return check_result();
}
