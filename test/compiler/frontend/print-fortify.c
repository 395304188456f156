// The C library's checking form of printf, which its headers call with _FORTIFY_SOURCE, is printf.
// RUN: %ka-verify -std=gnu17 -O2 -D_FORTIFY_SOURCE=2 %s
#include <ka/ka.h>
#include <stdio.h>
#ifndef printf
#define printf(...) __printf_chk(1, __VA_ARGS__)
extern int __printf_chk(int flag, const char *format, ...);
#endif
__attribute__((ka_kernel)) void k(int *p) {
  printf("%d %s\n", p[0], "text");
  printf("%f", p[0]); // expected-error {{'%f' needs a floating-point number, not 'int'}}
}
