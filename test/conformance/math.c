// <math.h> in kernels: float and double, special values, and exactness where C or IEEE ask for it.
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdint.h>

enum { unary_count = 33, binary_count = 11 };

// clang-format off: it finds no lasting form for these lists.
#define UNARY(F, T)                                                                                \
  F(0, sqrt) F(1, fabs) F(2, floor) F(3, ceil) F(4, trunc) F(5, rint) F(6, round)                  \
  F(7, nearbyint) F(8, sin) F(9, cos) F(10, tan) F(11, asin) F(12, acos) F(13, atan) F(14, sinh)   \
  F(15, cosh) F(16, tanh) F(17, asinh) F(18, acosh) F(19, atanh) F(20, exp) F(21, exp2)            \
  F(22, expm1) F(23, log) F(24, log2) F(25, log10) F(26, log1p) F(27, cbrt) F(28, erf) F(29, erfc) \
  F(30, tgamma) F(31, lgamma) F(32, logb)
#define BINARY(F)                                                                                  \
  F(0, pow) F(1, atan2) F(2, fmod) F(3, hypot) F(4, fmin) F(5, fmax) F(6, fdim) F(7, copysign)     \
  F(8, nextafter) F(9, remainder) F(10, fma3)
// clang-format on

// Largest error allowed in units in the last place: what OpenCL promises; 0 is exact.
static const float unary_ulps[unary_count] = {3, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 4,  4,  5,  4,  4, 5,
                                              4, 4, 5, 3, 3, 3, 3, 3, 3, 2, 2, 16, 16, 16, 64, 0};
static const float binary_ulps[binary_count] = {16, 6, 0, 4, 0, 0, 0, 0, 0, 0, 0};

static float fma3f(float x, float y) { return fmaf(x, y, -1.5f); }
static double fma3(double x, double y) { return fma(x, y, -1.5); }

#define CASE_F(n, name)                                                                            \
  case n:                                                                                          \
    return name##f(x);
#define CASE_D(n, name)                                                                            \
  case n:                                                                                          \
    return name(x);
#define CASE2_F(n, name)                                                                           \
  case n:                                                                                          \
    return name##f(x, y);
#define CASE2_D(n, name)                                                                           \
  case n:                                                                                          \
    return name(x, y);

static float unaryf(int which, float x) {
  switch (which) { UNARY(CASE_F, float) }
  return 0;
}
static double unary(int which, double x) {
  switch (which) { UNARY(CASE_D, double) }
  return 0;
}
static float binaryf(int which, float x, float y) {
  switch (which) { BINARY(CASE2_F) }
  return 0;
}
static double binary(int which, double x, double y) {
  switch (which) { BINARY(CASE2_D) }
  return 0;
}

static const char *const unary_names[] = {
#define NAME(n, name) #name,
    UNARY(NAME, )};
static const char *const binary_names[] = {BINARY(NAME)};

[[ka::kernel]] void unary_floats(int which, const float *x, float *out) {
  out[ka_global_id(0)] = unaryf(which, x[ka_global_id(0)]);
}
[[ka::kernel]] void unary_doubles(int which, const double *x, double *out) {
  out[ka_global_id(0)] = unary(which, x[ka_global_id(0)]);
}
[[ka::kernel]] void binary_floats(int which, const float *x, const float *y, float *out) {
  out[ka_global_id(0)] = binaryf(which, x[ka_global_id(0)], y[ka_global_id(0)]);
}
[[ka::kernel]] void binary_doubles(int which, const double *x, const double *y, double *out) {
  out[ka_global_id(0)] = binary(which, x[ka_global_id(0)], y[ka_global_id(0)]);
}

// Results that are integers or go through pointers, classification, conversions.
struct others {
  int frexp_e, ilogb, sign, nan, inf, finite, normal, subnormal_or_zero, quotient[2], gamma_sign;
  long lrint, lround;
  double frexp_m, modf_i, modf_f, ldexp, scalbn, remainder, min3;
  float remainderf, halves;
};

static struct others other(double x, float y) {
  struct others r;
  memset(&r, 0, sizeof r);
  r.frexp_m = frexp(x, &r.frexp_e);
  if (isnan(x) || isinf(x))
    r.frexp_e = 0; // C leaves it open
  r.ilogb = ilogb(x);
  r.modf_f = modf(x, &r.modf_i);
  r.sign = signbit(x) != 0;
  r.nan = isnan(x) != 0;
  r.inf = isinf(x) != 0;
  r.finite = isfinite(x) != 0;
  r.normal = isnormal(y) != 0;
  r.subnormal_or_zero = fpclassify(y) == FP_SUBNORMAL || fpclassify(y) == FP_ZERO;
  bool fits = fabs(x) < 1e15;
  r.lrint = fits ? lrint(x) : 0;
  r.lround = fits ? lround(x) : 0;
  r.ldexp = ldexp(x, 5);
  r.scalbn = scalbn(x, -3);
  r.remainder = remquo(x, y, &r.quotient[0]);
  r.remainderf = remquof(y, 0.75f, &r.quotient[1]);
  if (isnan(r.remainder))
    r.quotient[0] = 0; // C leaves these open
  if (isnan(r.remainderf))
    r.quotient[1] = 0;
  lgamma_r(x, &r.gamma_sign);
  if (isnan(x))
    r.gamma_sign = 0;
  r.min3 = fmin(x, fmin(y, 3.0));
  r.halves = y * 0.5f - floorf(y);
  return r;
}

[[ka::kernel]] void others(const double *x, const float *y, struct others *out) {
  size_t i = ka_global_id(0);
  out[i] = other(x[i], y[i]);
}

// Distance in units in the last place of the expected value; NaN equals NaN.
static double ulps(double expected, double actual, double epsilon, double smallest) {
  if (isnan(expected) || isnan(actual))
    return isnan(expected) && isnan(actual) ? 0 : INFINITY;
  if (expected == actual)
    return signbit(expected) == signbit(actual) ? 0 : 0.25;
  if (isinf(expected) || isinf(actual))
    return INFINITY;
  double unit = fabs(expected) * epsilon;
  return fabs(expected - actual) / (unit > smallest ? unit : smallest);
}

static void check_error(const char *name, const char *type, double x, double y, double expected,
                        double actual, double error, double allowed) {
  if (error <= allowed)
    return;
  fprintf(stderr, "%s (%s) of %a, %a: expected %a, got %a, %.3g ulps\n", name, type, x, y, expected,
          actual, error);
  check_failures++;
}

int main(void) {
  const double special[] = {0.0,        -0.0,      0.5,   -0.5,   1,
                            -1,         1.5,       2.5,   -2.5,   0.49999999999999994,
                            INFINITY,   -INFINITY, NAN,   1e-310, 4503599627370497.5,
                            -8388609.5, 3.25e-40,  1e300, 100.3,  -0.75};
  enum { specials = sizeof special / sizeof *special, n = 400 };
  float *xf = device_memory(n * sizeof *xf), *yf = device_memory(n * sizeof *yf);
  float *rf = device_memory(n * sizeof *rf);
  double *xd = device_memory(n * sizeof *xd), *yd = device_memory(n * sizeof *yd);
  double *rd = device_memory(n * sizeof *rd);
  for (int i = 0; i < n; i++) {
    xd[i] = i < specials * specials && i / specials < specials ? special[i / specials] : 0;
    yd[i] = special[i % specials];
    if (i % 3 == 0)
      xd[i] = (i * 0.7310 - 140) / (1 + i % 5);
    xf[i] = (float)xd[i], yf[i] = (float)yd[i];
  }

  // The device may flush the smallest floats of the functions that are not exact.
  for (int f = 0; f < unary_count; f++) {
    KA_CHECK(ka_launch(backend(), ka_range(n), unary_floats(f, xf, rf)));
    KA_CHECK(ka_launch(backend(), ka_range(n), unary_doubles(f, xd, rd)));
    KA_CHECK(ka_synchronize(backend()));
    float smallest = unary_ulps[f] ? FLT_MIN * FLT_EPSILON : 0;
    for (int i = 0; i < n; i++) {
      // In double, so that the host's own float functions add no error.
      double ef = f < 8 || f == 32 ? unaryf(f, xf[i]) : (float)unary(f, xf[i]);
      double ed = unary(f, xd[i]);
      check_error(unary_names[f], "float", xf[i], 0, ef, rf[i],
                  ulps(ef, rf[i], FLT_EPSILON, smallest), unary_ulps[f]);
      check_error(unary_names[f], "double", xd[i], 0, ed, rd[i],
                  ulps(ed, rd[i], DBL_EPSILON, DBL_TRUE_MIN), unary_ulps[f]);
    }
  }
  for (int f = 0; f < binary_count; f++) {
    KA_CHECK(ka_launch(backend(), ka_range(n), binary_floats(f, xf, yf, rf)));
    KA_CHECK(ka_launch(backend(), ka_range(n), binary_doubles(f, xd, yd, rd)));
    KA_CHECK(ka_synchronize(backend()));
    for (int i = 0; i < n; i++) {
      double ef = binaryf(f, xf[i], yf[i]), ed = binary(f, xd[i], yd[i]);
      // Which zero the smaller of two zeros is, C leaves open.
      double slack = f == 4 || f == 5 ? 0.25 : binary_ulps[f];
      float smallest = binary_ulps[f] ? FLT_MIN * FLT_EPSILON : 0;
      check_error(binary_names[f], "float", xf[i], yf[i], ef, rf[i],
                  ulps(ef, rf[i], FLT_EPSILON, smallest), slack);
      check_error(binary_names[f], "double", xd[i], yd[i], ed, rd[i],
                  ulps(ed, rd[i], DBL_EPSILON, 0), slack);
    }
  }

  struct others *o = device_memory(n * sizeof *o);
  KA_CHECK(ka_launch(backend(), ka_range(n), others(xd, yf, o)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < n; i++) {
    struct others e = other(xd[i], yf[i]);
    const double *ed = &e.frexp_m, *ad = &o[i].frexp_m;
    for (int k = 0; k < 7; k++)
      check_error("other", "double", xd[i], yf[i], ed[k], ad[k], ulps(ed[k], ad[k], DBL_EPSILON, 0),
                  k == 6 ? 0.25 : 0);
    check_error("remquof", "float", yf[i], 0.75, e.remainderf, o[i].remainderf,
                ulps(e.remainderf, o[i].remainderf, FLT_EPSILON, 0), 0);
    check_error("halves", "float", yf[i], 0, e.halves, o[i].halves,
                ulps(e.halves, o[i].halves, FLT_EPSILON, 0), 0);
    if (memcmp(&e, &o[i], offsetof(struct others, frexp_m))) {
      fprintf(stderr,
              "integers of %a, %a differ: frexp %d %d, ilogb %d %d, lrint %ld %ld, "
              "lround %ld %ld, remquo %d %d, remquof %d %d, lgamma_r %d %d\n",
              xd[i], yf[i], e.frexp_e, o[i].frexp_e, e.ilogb, o[i].ilogb, e.lrint, o[i].lrint,
              e.lround, o[i].lround, e.quotient[0], o[i].quotient[0], e.quotient[1],
              o[i].quotient[1], e.gamma_sign, o[i].gamma_sign);
      check_failures++;
    }
  }
  return check_result();
}
