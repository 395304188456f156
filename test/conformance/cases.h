// cases.h - The end of a program whose cases are functions of one number, run on host and device.
//
// The program names them in CASES(X); each returns a number made of all that it computed:
//
//   #include "check.h"
//   static unsigned long sums(int n) { ... }
//   #define CASES(X) X(sums) X(products)
//   #define ZERO_CASES(X) X(known_sums)
//   #include "cases.h"
//
// Those of ZERO_CASES, which need not be, must return 0 on both. CASE_GROUPS may name the sizes of
// groups; the driver compiles the kernel for each.
#ifndef CASE_GROUPS
#define CASE_GROUPS 1, 7, 64, 256
#endif
#ifndef ZERO_CASES
#define ZERO_CASES(X)
#endif
#define CASE_NUMBER(name) case_##name,
enum {
  ZERO_CASES(CASE_NUMBER) zero_count,
  before_cases = zero_count - 1,
  CASES(CASE_NUMBER) case_count
};
#undef CASE_NUMBER

static unsigned long case_value(int which, int n) {
  switch (which) {
#define CASE_CALL(name)                                                                            \
  case case_##name:                                                                                \
    return name(n);
    ZERO_CASES(CASE_CALL)
    CASES(CASE_CALL)
#undef CASE_CALL
  }
  return 0;
}

[[ka::kernel]] void case_values(unsigned long *out, int numbers) {
  int i = (int)ka_global_id(0);
  out[i] = case_value(i / numbers, i % numbers);
}

int main(void) {
#define CASE_NAME(name) #name,
  static const char *const names[] = {ZERO_CASES(CASE_NAME) CASES(CASE_NAME)};
#undef CASE_NAME
  enum { numbers = 50, items = case_count * numbers };
  static const size_t groups[] = {CASE_GROUPS};
  unsigned long *out = device_memory(items * sizeof *out), expected[items];
  for (int i = 0; i < items; i++)
    expected[i] = case_value(i / numbers, i % numbers);
  static const unsigned long zeroes[numbers];
  for (int c = 0; c < zero_count; c++)
    CHECK_SAME(names[c], zeroes, expected + c * numbers, numbers);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    memset(out, 0, items * sizeof *out);
    KA_CHECK(
        ka_launch(backend(), ka_with_group(ka_range(items), groups[g]), case_values(out, numbers)));
    KA_CHECK(ka_synchronize(backend()));
    for (int c = 0; c < case_count; c++)
      CHECK_SAME(names[c], expected + c * numbers, out + c * numbers, numbers);
  }
  return check_result();
}
