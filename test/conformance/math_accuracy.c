// The largest error of each function of <math.h> in kernels, against the same function computed on
// the host with 113 binary digits.
//
//   math_accuracy [--points=N] [--markdown] [--page=FILE] [FUNCTION...]
//
// N points for each function and type, besides the special ones: a quarter anywhere in the type,
// the others where the function does its work. Fails where an error exceeds OpenCL's limit.
// --markdown prints the table of docs/reference/math.md, --page looks whether that has all
// functions.
#define _GNU_SOURCE
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdint.h>

typedef _Float128 wide;

// Name, OpenCL's limits in ulp for float and for double (0: correctly rounded; -1: it sets none),
// and the interval in which the function is of most interest.
// clang-format off: it finds no lasting form for these lists.
#define UNARY(F)                                                                                   \
  F(acos, 4, 4, -1, 1) F(acosh, 4, 4, 1, 100) F(asin, 4, 4, -1, 1) F(asinh, 4, 4, -100, 100)       \
  F(atan, 5, 5, -10, 10) F(atanh, 5, 5, -1, 1) F(cbrt, 2, 2, -100, 100) F(ceil, 0, 0, -100, 100)   \
  F(cos, 4, 4, -100, 100) F(cosh, 4, 4, -90, 90) F(erf, 16, 16, -5, 5) F(erfc, 16, 16, -5, 10)     \
  F(exp, 3, 3, -104, 90) F(exp10, 3, 3, -46, 39) F(exp2, 3, 3, -150, 128) F(expm1, 3, 3, -20, 90)  \
  F(fabs, 0, 0, -1, 1) F(floor, 0, 0, -100, 100) F(lgamma, -1, -1, -10, 100) F(log, 3, 3, 0, 10)   \
  F(log10, 3, 3, 0, 10) F(log1p, 2, 2, -1, 10) F(log2, 3, 3, 0, 10) F(logb, 0, 0, -10, 10)         \
  F(nearbyint, 0, 0, -100, 100) F(rint, 0, 0, -100, 100) F(round, 0, 0, -100, 100)                 \
  F(sin, 4, 4, -100, 100) F(sinh, 4, 4, -90, 90) F(sqrt, 3, 0, 0, 100) F(tan, 5, 5, -100, 100)     \
  F(tanh, 5, 5, -10, 10) F(tgamma, 16, 16, -10, 36) F(trunc, 0, 0, -100, 100)
#define BINARY(F)                                                                                  \
  F(atan2, 6, 6, -10, 10) F(copysign, 0, 0, -1, 1) F(fdim, 0, 0, -10, 10) F(fmax, 0, 0, -10, 10)   \
  F(fmin, 0, 0, -10, 10) F(fmod, 0, 0, -100, 100) F(hypot, 4, 4, -100, 100)                        \
  F(pow, 16, 16, 0, 20) F(remainder, 0, 0, -100, 100)
// clang-format on

// fma has three arguments: the third is the first, negated.
static float fma_lessf(float x, float y) { return fmaf(x, y, -x); }
static double fma_less(double x, double y) { return fma(x, y, -x); }
static wide fma_lessf128(wide x, wide y) { return fmaf128(x, y, -x); }

#define KERNELS_1(name, of_float, of_double, low, high)                                            \
  [[ka::kernel]] void name##_float(const float *restrict x, float *restrict r) {                   \
    r[ka_global_id(0)] = name##f(x[ka_global_id(0)]);                                              \
  }                                                                                                \
  [[ka::kernel]] void name##_double(const double *restrict x, double *restrict r) {                \
    r[ka_global_id(0)] = name(x[ka_global_id(0)]);                                                 \
  }                                                                                                \
  static void launch_##name(bool is_double, size_t n, void *x, void *y, void *r) {                 \
    (void)y;                                                                                       \
    if (is_double)                                                                                 \
      KA_CHECK(ka_launch(backend(), ka_range(n), name##_double(x, r)));                            \
    else                                                                                           \
      KA_CHECK(ka_launch(backend(), ka_range(n), name##_float(x, r)));                             \
  }                                                                                                \
  static wide exact_##name(wide x, wide y) {                                                       \
    (void)y;                                                                                       \
    return name##f128(x);                                                                          \
  }
#define KERNELS_2(name, of_float, of_double, low, high)                                            \
  [[ka::kernel]] void name##_float(const float *restrict x, const float *restrict y,               \
                                   float *restrict r) {                                            \
    r[ka_global_id(0)] = name##f(x[ka_global_id(0)], y[ka_global_id(0)]);                          \
  }                                                                                                \
  [[ka::kernel]] void name##_double(const double *restrict x, const double *restrict y,            \
                                    double *restrict r) {                                          \
    r[ka_global_id(0)] = name(x[ka_global_id(0)], y[ka_global_id(0)]);                             \
  }                                                                                                \
  static void launch_##name(bool is_double, size_t n, void *x, void *y, void *r) {                 \
    if (is_double)                                                                                 \
      KA_CHECK(ka_launch(backend(), ka_range(n), name##_double(x, y, r)));                         \
    else                                                                                           \
      KA_CHECK(ka_launch(backend(), ka_range(n), name##_float(x, y, r)));                          \
  }                                                                                                \
  static wide exact_##name(wide x, wide y) { return name##f128(x, y); }
UNARY(KERNELS_1)
BINARY(KERNELS_2)
KERNELS_2(fma_less, 0, 0, -10, 10)

struct function {
  const char *name;
  double limit[2]; // of float, of double
  double low, high;
  bool binary;
  void (*launch)(bool is_double, size_t n, void *x, void *y, void *r);
  wide (*exact)(wide x, wide y);
};
#define ROW_1(name, of_float, of_double, low, high)                                                \
  {#name, {of_float, of_double}, low, high, false, launch_##name, exact_##name},
#define ROW_2(name, of_float, of_double, low, high)                                                \
  {#name, {of_float, of_double}, low, high, true, launch_##name, exact_##name},
static const struct function functions[] = {
    UNARY(ROW_1) BINARY(ROW_2){"fma", {0, 0}, -10, 10, true, launch_fma_less, exact_fma_less}};
enum { function_count = sizeof functions / sizeof *functions };

static uint64_t random_bits(void) {
  static uint64_t state = 1;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}
static double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.5,
                                 -0.5,
                                 1.5,
                                 -2.5,
                                 3,
                                 -3,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 FLT_MIN,
                                 -FLT_MIN,
                                 FLT_MIN *FLT_EPSILON,
                                 FLT_MAX,
                                 -FLT_MAX,
                                 DBL_MIN,
                                 DBL_TRUE_MIN,
                                 DBL_MAX,
                                 1 - FLT_EPSILON / 2,
                                 1 + FLT_EPSILON,
                                 1 - DBL_EPSILON / 2,
                                 1 + DBL_EPSILON,
                                 8388607.5,
                                 4503599627370495.5,
                                 1e22,
                                 710,
                                 -745.1,
                                 88.7,
                                 -103.9};
enum { specials = sizeof special / sizeof *special };

static double any_value(bool is_double) {
  uint64_t bits = random_bits();
  uint32_t half = (uint32_t)bits;
  double d;
  float f;
  memcpy(&d, &bits, sizeof d);
  memcpy(&f, &half, sizeof f);
  return is_double ? d : (double)f;
}

static double argument(const struct function *f, bool is_double, size_t i, bool second) {
  if (f->binary ? i < specials * specials : i < specials)
    return special[second ? i / specials : i % specials];
  if (i % 4 == 0)
    return any_value(is_double);
  if (i % 4 == 1) // small magnitudes
    return ldexp(f->low < 0 && i & 8 ? -random_unit() : random_unit(), -(int)(random_bits() % 40));
  return f->low + (f->high - f->low) * random_unit();
}

// The distance from the exact value in units in the last place of the type; infinite where one is
// a number and the other is not. Beyond the largest number infinity counts as the next one.
static double error_in_ulps(bool is_double, wide exact, double actual) {
  int digits = is_double ? DBL_MANT_DIG : FLT_MANT_DIG;
  int highest = is_double ? DBL_MAX_EXP : FLT_MAX_EXP,
      lowest = is_double ? DBL_MIN_EXP : FLT_MIN_EXP;
  if (exact != exact || isnan(actual))
    return exact != exact && isnan(actual) ? 0 : INFINITY;
  wide limit = ldexpf128(1, highest), value = actual;
  if (value > limit || value < -limit)
    value = actual < 0 ? -limit : limit;
  if (exact > limit || exact < -limit)
    exact = exact < 0 ? -limit : limit;
  int exponent;
  (void)frexpf128(exact, &exponent);
  if (exact == 0 || exponent < lowest)
    exponent = lowest;
  if (exponent > highest)
    exponent = highest;
  wide distance = exact > value ? exact - value : value - exact;
  return (double)ldexpf128(distance, digits - exponent);
}

struct result {
  double error, x, y;
};

static struct result measure(const struct function *f, bool is_double, size_t points) {
  size_t n = points + (f->binary ? specials * specials : specials);
  size_t size = is_double ? sizeof(double) : sizeof(float);
  void *x = device_memory(n * size), *y = device_memory(n * size), *r = device_memory(n * size);
  double *xd = x, *yd = y, *rd = r;
  float *xf = x, *yf = y, *rf = r;
  for (size_t i = 0; i < n; i++) {
    double a = argument(f, is_double, i, false), b = argument(f, is_double, i, true);
    if (is_double)
      xd[i] = a, yd[i] = b;
    else
      xf[i] = (float)a, yf[i] = (float)b;
  }
  f->launch(is_double, n, x, y, r);
  KA_CHECK(ka_synchronize(backend()));
  struct result worst = {0, 0, 0};
  for (size_t i = 0; i < n; i++) {
    double a = is_double ? xd[i] : xf[i], b = is_double ? yd[i] : yf[i];
    double actual = is_double ? rd[i] : rf[i];
    wide exact = f->exact(a, b);
    double error = error_in_ulps(is_double, exact, actual);
    if (error > worst.error)
      worst = (struct result){error, a, b};
  }
  ka_free(x), ka_free(y), ka_free(r);
  return worst;
}

static void report(const struct function *f, bool is_double, struct result r, bool markdown) {
  double limit = f->limit[is_double], allowed = limit == 0 ? 0.5 : limit;
  bool bad = limit >= 0 && !(r.error <= allowed);
  char limit_text[32] = "none";
  if (limit >= 0)
    snprintf(limit_text, sizeof limit_text, "%g", allowed);
  if (markdown)
    printf(" %.3g | %s |%s", r.error, limit_text, is_double ? "\n" : "");
  else
    printf("%-10s %-6s %8.3g of %-4s at %a, %a%s\n", f->name, is_double ? "double" : "float",
           r.error, limit_text, r.x, r.y, bad ? "  TOO LARGE" : "");
  check_failures += bad;
}

static void check_page(const char *path) {
  static char page[1 << 16];
  FILE *file = fopen(path, "r");
  if (!file || fread(page, 1, sizeof page - 1, file) == 0)
    fprintf(stderr, "%s cannot be read\n", path), check_failures++;
  if (file)
    fclose(file);
  for (int i = 0; i < function_count; i++) {
    char row[32];
    snprintf(row, sizeof row, "\n| `%s` |", functions[i].name);
    if (!strstr(page, row))
      fprintf(stderr, "%s has no row for %s\n", path, functions[i].name), check_failures++;
  }
}

static bool wanted(const char *name, int argc, char **argv) {
  bool any = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], name) == 0)
      return true;
    any = any || argv[i][0] != '-';
  }
  return !any;
}

int main(int argc, char **argv) {
  size_t points = 2000;
  bool markdown = false;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--points=", 9) == 0)
      points = strtoul(argv[i] + 9, NULL, 10);
    if (strcmp(argv[i], "--markdown") == 0)
      markdown = true;
    if (strncmp(argv[i], "--page=", 7) == 0)
      check_page(argv[i] + 7);
  }
  backend();
  if (markdown)
    printf("| Function | `float` | limit | `double` | limit |\n|---|---|---|---|---|\n");
  for (int i = 0; i < function_count; i++) {
    if (!wanted(functions[i].name, argc, argv))
      continue;
    if (markdown)
      printf("| `%s` |", functions[i].name);
    for (int is_double = 0; is_double <= 1; is_double++)
      report(&functions[i], is_double, measure(&functions[i], is_double, points), markdown);
    fflush(stdout);
  }
  return check_result();
}
