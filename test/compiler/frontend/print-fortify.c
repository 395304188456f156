// The C library's checking forms of printf are printf: __printf_chk, which a header or a macro calls, and
// the overload for clang, whose body is for the host. What is refused goes by the name that was written.
// RUN: %ka-verify -std=gnu17 -O2 -D_FORTIFY_SOURCE=2 %s
// RUN: %ka-verify -O1 -D_FORTIFY_SOURCE=3 -x c++ %s
// RUN: %ka-cc -std=gnu17 -O2 -D_FORTIFY_SOURCE=2 -DGOOD -c %s -o /dev/null
// RUN: %ka-cc -O1 -D_FORTIFY_SOURCE=3 -DGOOD -x c++ -c %s -o /dev/null
#include <ka/ka.h>
#include <stdio.h>
#include <string.h>
#ifdef __cplusplus
extern "C"
#else
extern
#endif
int __printf_chk(int flag, const char *format, ...);
__attribute__((ka_kernel)) void k(int *p, char *s) {
  printf("%d %s\n", p[0], s);
  __printf_chk(1, "%d %s\n", p[0], "text");
#ifndef GOOD
  printf("%f", p[0]); // expected-error {{'%f' needs a floating-point number, not 'int'}}
  __printf_chk(1, "%f", p[0]); // expected-error {{'%f' needs a floating-point number, not 'int'}}
  fprintf(stderr, "x"); // expected-error {{call of 'fprintf' in a kernel: kernels print with printf}}
  fflush(stdout); // expected-error {{call of 'fflush' in a kernel: kernels print with printf}}
  strcpy(s, s + 2); // expected-note {{called by kernel 'k' here}} expected-error {{the library function 'strcpy' is not available}} expected-note@*:* {{here}}
#endif
}
