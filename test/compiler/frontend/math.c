// All of C17's <math.h> and <tgmath.h> for float and double; what is refused has a caret.
// RUN: %ka-verify -std=gnu17 -Wno-unused %s
// RUN: %ka-verify -std=gnu17 -Wno-unused -Wno-nan-infinity-disabled -ffast-math %s
#include <ka/kernel.h>
#include <math.h>
#include <tgmath.h>

#undef ilogb
#undef lrint
#undef llrint
#undef lround
#undef llround

#define ONE_ARGUMENT(F)                                                                            \
  F(acos) F(asin) F(atan) F(cos) F(sin) F(tan) F(acosh) F(asinh) F(atanh) F(cosh) F(sinh) F(tanh) \
  F(exp) F(exp2) F(expm1) F(log) F(log10) F(log1p) F(log2) F(logb) F(cbrt) F(fabs) F(sqrt) F(erf) \
  F(erfc) F(lgamma) F(tgamma) F(ceil) F(floor) F(nearbyint) F(rint) F(round) F(trunc)
#define TWO_ARGUMENTS(F)                                                                           \
  F(atan2) F(hypot) F(pow) F(fmod) F(remainder) F(copysign) F(nextafter) F(fdim) F(fmax) F(fmin)

#define ADD1(name) s += name(x);
#define ADD2(name) s += name(x, y);
#define GENERIC(type, name_)                                                                       \
  [[ka::kernel]] void name_##_generic(type x, type y, type *out) {                                 \
    type s = 0;                                                                                    \
    ONE_ARGUMENT(ADD1)                                                                             \
    TWO_ARGUMENTS(ADD2)                                                                            \
    out[0] = s + fma(x, y, s) + ldexp(x, 3) + scalbn(x, 3) + scalbln(x, 3L);                       \
    out[1] = isfinite(x) + isinf(x) + isnan(x) + isnormal(x) + signbit(x) + fpclassify(x);         \
    out[2] = isgreater(x, y) + isgreaterequal(x, y) + isless(x, y) + islessequal(x, y) +           \
             islessgreater(x, y) + isunordered(x, y);                                              \
  }
GENERIC(float, floats)
GENERIC(double, doubles)

[[ka::kernel]] void other(float x, float *f, double *d, int *i, long *l, long long *ll) {
  f[0] = frexpf(x, i) + modff(x, f + 1) + nanf("") + remquof(x, f[1], i) + lgammaf_r(x, i);
  d[0] = (frexp)(d[1], i) + modf(d[1], d + 2) + nan("1") + (remquo)(d[1], d[2], i);
  d[1] = lgamma_r(d[1], i) + (fma)(d[0], d[1], d[2]) + HUGE_VAL + INFINITY + NAN;
  i[0] = ilogbf(x) + (ilogb)(d[0]) + FP_ILOGB0 + FP_ILOGBNAN + math_errhandling;
  l[0] = lrintf(x) + lrint(d[0]) + lroundf(x) + lround(d[0]);
  ll[0] = llrintf(x) + llrint(d[0]) + llroundf(x) + llround(d[0]);
}

[[ka::kernel]] void refused(float x, double y, double *d) {
  d[0] = (nexttoward)(y, 1); // expected-error {{'nexttoward' is not available in kernels}} expected-error {{'long double' in a kernel}}
  d[1] = sinl(x); // expected-error {{the library function 'sinl' is not available in kernels}}
  d[2] = j0(y); // expected-error {{the library function 'j0' is not available in kernels; there are most of <math.h>}}
}
