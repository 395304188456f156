// Whether a * b + c may be rounded once, for each kernel by itself.
#include "check.h"
#include <math.h>

// The product is 1 + 2^-11 + 2^-24, of which float has no place for the last: rounded twice the
// result is 0, rounded once it is 2^-24.
static const float factor = 0x1.001p0f, addend = -0x1.002p0f;

[[ka::kernel]] void as_compiled(const float *x, float *out) { out[0] = x[0] * x[1] + x[2]; }

[[ka::kernel]] void separate(const float *x, float *out) {
#pragma STDC FP_CONTRACT OFF
  out[0] = x[0] * x[1] + x[2];
}

[[ka::kernel]] void negated(const float *x, float *out) {
#pragma STDC FP_CONTRACT OFF
  out[0] = x[2] - -(x[0] * x[1]);
}

[[ka::kernel]] void fused(const float *x, float *out) { out[0] = fmaf(x[0], x[1], x[2]); }

static void expect(const char *what, float actual, float expected, float or_else) {
  if (actual == expected || actual == or_else)
    return;
  fprintf(stderr, "%s: expected %a or %a, got %a\n", what, expected, or_else, actual);
  check_failures++;
}

int main(void) {
  const float twice = 0, once = 0x1p-24f;
  float *x = device_memory(3 * sizeof *x), *r = device_memory(4 * sizeof *r);
  x[0] = x[1] = factor, x[2] = addend;
  KA_CHECK(ka_launch(backend(), ka_range(1), as_compiled(x, r)));
  KA_CHECK(ka_launch(backend(), ka_range(1), separate(x, r + 1)));
  KA_CHECK(ka_launch(backend(), ka_range(1), negated(x, r + 2)));
  KA_CHECK(ka_launch(backend(), ka_range(1), fused(x, r + 3)));
  KA_CHECK(ka_synchronize(backend()));
#ifdef SEPARATE
  expect("-ffp-contract=off", r[0], twice, twice);
#else
  expect("contraction allowed", r[0], twice, once);
#endif
  expect("FP_CONTRACT OFF", r[1], twice, twice);
  expect("FP_CONTRACT OFF, negated", r[2], twice, twice);
  expect("fmaf", r[3], once, once);
  return check_result();
}
