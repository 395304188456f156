// Functions of <ctype.h>: macros, functions, and what the header does inline at each level, for all
// characters.
#include "check.h"

#include <ctype.h>

#define CLASSES(X)                                                                                 \
  X(isalnum)                                                                                       \
  X(isalpha)                                                                                       \
  X(isblank)                                                                                       \
  X(iscntrl)                                                                                       \
  X(isdigit)                                                                                       \
  X(isgraph)                                                                                       \
  X(islower)                                                                                       \
  X(isprint)                                                                                       \
  X(ispunct)                                                                                       \
  X(isspace)                                                                                       \
  X(isupper)                                                                                       \
  X(isxdigit)
#define CONVERSIONS(X)                                                                             \
  X(tolower)                                                                                       \
  X(toupper)
#define TWO(function) +2
enum { first = -128, end = 256, results = 0 CLASSES(TWO) CONVERSIONS(TWO) + 2 };

static void ask(int *r, int c) {
  // A class has any number but 0 for what belongs to it.
#define IS(function)                                                                               \
  *r++ = function(c) != 0;                                                                         \
  *r++ = (function)(c) != 0;
  CLASSES(IS)
#define TO(function)                                                                               \
  *r++ = function(c);                                                                              \
  *r++ = (function)(c);
  CONVERSIONS(TO)
  char as_char = (char)c;
  *r++ = isdigit((unsigned char)as_char) ? as_char - '0' : -1;
  *r++ = toupper(as_char);
}

[[ka::kernel]] void all(int *out) {
  int i = (int)ka_global_id(0);
  ask(out + i * results, i + first);
}

// Known characters, so that nothing is looked up.
[[ka::kernel]] void constants(int *out) {
  out[0] = isdigit('7') != 0;
  out[1] = isdigit('a') != 0;
  out[2] = toupper('q');
  out[3] = isspace('\v') != 0;
  out[4] = toupper(1000) + tolower(-1000);
}

int main(void) {
  int *out = device_memory((end - first) * results * sizeof *out), expected[results];
  KA_CHECK(ka_launch(backend(), ka_range(end - first), all(out)));
  KA_CHECK(ka_synchronize(backend()));
  for (int c = first; c < end; c++) {
    ask(expected, c);
    CHECK_SAME("characters", expected, &out[(c - first) * results], results);
  }
  KA_CHECK(ka_launch(backend(), ka_range(1), constants(out)));
  KA_CHECK(ka_synchronize(backend()));
  const int known[] = {1, 0, 'Q', 1, 0};
  CHECK_SAME("constants", known, out, 5);
  return check_result();
}
