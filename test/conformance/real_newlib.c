// Of newlib, as it is: functions of <math.h> that are computed with tables and polynomials, and
// functions on strings. Host and device must agree bit by bit, and with the host's library nearly.
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

// newlib's functions beside those of the host's library.
// Without errno, which kernels have not.
#define _IEEE_LIBM
#define __OBSOLETE_MATH 0
#define cbrt            newlib_cbrt
#include "libm/common/s_cbrt.c"
#undef cbrt
#define atan newlib_atan
#define one  one_of_atan
#define huge huge_of_atan
#include "libm/math/s_atan.c"
#undef atan
#undef one
#undef huge
#define exp newlib_exp
#include "libm/common/exp.c"
#include "libm/common/exp_data.c"
#undef exp
#undef N
#undef T
#define log newlib_log
#include "libm/common/log.c"
#include "libm/common/log_data.c"
#undef log
#undef N
#undef T
#define pow         newlib_pow
#define specialcase specialcase_of_pow
#define top12       top12_of_pow
#include "libm/common/pow.c"
#include "libm/common/pow_log_data.c"
#undef pow
#include "libm/common/math_err.c"
#define strspn newlib_strspn
#include "libc/string/strspn.c"
#undef strspn
#define strcspn newlib_strcspn
#include "libc/string/strcspn.c"
#undef strcspn
#define strpbrk newlib_strpbrk
#include "libc/string/strpbrk.c"
#undef strpbrk
#define strstr newlib_strstr
#include "libc/string/strstr.c"
#undef strstr
#define strlcpy newlib_strlcpy
#include "libc/string/strlcpy.c"
#undef strlcpy
#define timingsafe_memcmp newlib_timingsafe_memcmp
#include "libc/string/timingsafe_memcmp.c"
#undef timingsafe_memcmp
#define utoa   newlib_utoa
#define __utoa newlib___utoa
#include "libc/stdlib/utoa.c"
#undef utoa

static unsigned long bits_of(double d) {
  unsigned long bits;
  memcpy(&bits, &d, sizeof d);
  return d != d ? 1 : bits;
}
// Small and large ones, of both signs, and some that are special.
static double argument(int n) {
  static const double special[] = {0.0,  -0.0,    INFINITY, -INFINITY, 1.0,
                                   -1.0, DBL_MIN, DBL_MAX,  0x1p-1074, 1e22};
  return n < 10 ? special[n]
                : (n - 30) * (n % 4 == 0   ? 1e5
                              : n % 4 == 1 ? 0.037
                              : n % 4 == 2 ? 1.7
                                           : 1e-9);
}
static unsigned long functions(int n) {
  double x = argument(n);
  unsigned long r = bits_of(newlib_exp(x));
  MIX(r, bits_of(newlib_log(x))), MIX(r, bits_of(newlib_cbrt(x))), MIX(r, bits_of(newlib_atan(x)));
  for (int k = 0; k < 60; k += 7)
    MIX(r, bits_of(newlib_pow(x, argument(k))));
  return r;
}
static int near(double a, double b) {
  return a == b || (a != a && b != b) || fabs(a - b) <= fabs(b) * 0x1p-51;
}
// Zero if newlib agrees with the functions that kernels have anyway, which is within a few units.
static unsigned long as_others(int n) {
  double x = argument(n + 10) * 0.001;
  return !near(newlib_exp(x), exp(x)) + 2ul * !near(newlib_log(x), log(x)) +
         4ul * !near(newlib_cbrt(x), cbrt(x)) + 8ul * !near(newlib_atan(x), atan(x)) +
         16ul * !near(newlib_pow(fabs(x), 1.5), pow(fabs(x), 1.5));
}

static const char words[] = "the kernel of the matter is that kernels matter";
static unsigned long searches(int n) {
  char own[16], needle[8] = {words[n % 40], words[n % 40 + 1], n & 1 ? words[n % 40 + 2] : 0};
  unsigned long r = newlib_strspn(words + n % 40, "ekrnl htaf");
  const char *found = newlib_strstr(words, needle),
             *other = newlib_strstr(words + n % 7, "kernels matter");
  MIX(r, newlib_strcspn(words + n % 40, "mis")), MIX(r, found - words),
      MIX(r, other ? other - words : -1);
  found = newlib_strpbrk(words + n % 40, "kms");
  MIX(r, found ? found - words : -1), MIX(r, newlib_strlcpy(own, words + n % 40, sizeof own)),
      MIX(r, own[n % 8]);
  MIX(r, newlib_timingsafe_memcmp(words, words + n % 20, 4));
  newlib_utoa((unsigned)n * 123456789u, own, n % 20 + 10);
  for (int i = 0; own[i]; i++)
    MIX(r, own[i]);
  return r;
}

#define CASES(X)      X(functions) X(searches)
#define ZERO_CASES(X) X(as_others)
#define CASE_GROUPS   7
#include "cases.h"
