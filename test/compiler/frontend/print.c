// Formats of printf in kernels: what cannot be printed is refused; what clang warns of on the host it warns of
// once in device code, too; vectors are no reason to warn.
// RUN: %ka-verify -std=gnu23 -Wall -Wformat=2 -Wno-format-nonliteral -ferror-limit=0 %s
// RUN: %ka-verify -std=gnu17 -Wall -Wformat=2 -Wno-format-nonliteral -ferror-limit=0 -O2 %s
#include <ka/ka.h>
#include <complex.h>
#include <stdio.h>

typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef int int3 __attribute__((ext_vector_type(3)));
typedef char char4 __attribute__((ext_vector_type(4)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
struct s { int a, b; };

static void helper(float4 v, long l) {
  printf("%v4hlf %ld\n", v, l);
  printf("%d\n", l); // expected-warning {{format specifies type 'int' but the argument has type 'long'}}
}
__attribute__((ka_kernel)) void good(float4 *x, int3 *y, float8 *z, char4 *c, double2 *d, half2 *h, const char *s, int *p) {
  printf("%v4hlf %v3hld %d\n", x[0], y[0], 3);
  printf("%v8hlf %.2v2lf %v2hf\n", z[0], d[0], h[0]);
  printf("%v4hhd %v4hhx %+6v3d\n", c[0], c[1], y[0]);
  printf("%v4f %v3d %s %p %c\n", x[0], y[0], s, (void *)p, 'x');
  printf(p[0] ? "%d\n" : "%x\n", p[1]);
  printf("%d\0%n", p[0]); // expected-warning {{format string contains '\0' within the string body}}
  helper(x[0], 1);
}

__attribute__((ka_kernel)) void warned(int *p, long *l) {
  printf("%d\n", 1, 2);        // expected-warning {{data argument not used by format string}}
  printf("%d\n", l[0]);        // expected-warning {{format specifies type 'int' but the argument has type 'long'}}
  printf("%u\n", p[0] ? 1 : 2);
}

int on_the_host(float4 v) {
  printf("%v4hlf\n", v); // expected-warning {{invalid conversion specifier 'v'}}
  return printf("%d\n", 1.0); // expected-warning {{format specifies type 'int' but the argument has type 'double'}}
}

__attribute__((ka_kernel)) void mismatched(int *p, float4 *x, struct s *t, double _Complex *z) {
  printf("%d\n", 1.0); // expected-warning {{format specifies type 'int' but the argument has type 'double'}} expected-error {{in the format of printf: '%d' needs an integer, not 'double'}}
  printf("%f\n", p[0]); // expected-warning {{format specifies type 'double'}} expected-error {{'%f' needs a floating-point number, not 'int'}}
  printf("%s\n", p[0]); // expected-warning {{format specifies type 'char *'}} expected-error {{'%s' needs a string, not 'int'}}
  printf("%p\n", 1.0f); // expected-warning {{format specifies type 'void *'}} expected-error {{'%p' needs a pointer, not 'float'}}
  printf("%*d", 1.0, 2); // expected-warning {{field width should have type 'int'}} expected-error {{'%*d' needs an integer for each '*', not 'double'}}
  printf("%d %d\n", 1); // expected-warning {{more '%' conversions than data arguments}} expected-error {{the format of printf asks for more arguments than there are: there is none for '%d'}}
  printf("%.*f\n", 1); // expected-warning {{more '%' conversions}} expected-error {{there is none for '%.*f'}}
  printf(p[0] ? "%d\n" : "%f\n", p[1]); // expected-warning {{format specifies type 'double'}} expected-error {{'%f' needs a floating-point number, not 'int'}}
  printf("%d\n", x[0]); // expected-warning {{format specifies type 'int'}} expected-error {{'%d' needs an integer, not 'float4'}}
  printf("%d\n", *t); // expected-warning {{format specifies type 'int'}} expected-error {{a value of type 'struct s' cannot be printed; print its parts}}
  printf("%f\n", *z); // expected-warning {{format specifies type 'double'}} expected-error {{a value of type '_Complex double' cannot be printed; print its parts}}
}

__attribute__((ka_kernel)) void wrong_vectors(float4 *x, int3 *y, char4 *c) {
  printf("%v4hld\n", x[0]); // expected-error {{'%v4hld' needs a vector of 4 integers of 4 bytes, not 'float4'}}
  printf("%v3hlf\n", x[0]); // expected-error {{'%v3hlf' needs a vector of 3 floating-point numbers of 4 bytes, not 'float4'}}
  printf("%v4lf\n", x[0]);  // expected-error {{'%v4lf' needs a vector of 4 floating-point numbers of 8 bytes, not 'float4'}}
  printf("%v4f\n", 1.0f);   // expected-error {{'%v4f' needs a vector of 4 floating-point numbers, not 'float'}}
  printf("%v5f\n", x[0]);   // expected-warning {{invalid conversion specifier 'v'}} expected-error {{'%v5': vectors that can be printed have 2, 3, 4, 8 or 16 elements}}
  printf("%v4f %v4hhf\n", x[0], x[0]); // expected-error {{'%v4hhf': the lengths of elements are hh, h, hl and l; of floating-point ones h, hl and l}}
  printf("%v4s", c[0]);     // expected-warning {{invalid conversion specifier 'v'}} expected-error {{'%v4s': of vectors only numbers can be printed}}
  printf("%v4c", c[0]);     // expected-warning {{invalid conversion specifier 'v'}} expected-error {{'%v4c': of vectors only numbers can be printed}}
  printf("%hld\n", y[0].x); // expected-warning {{invalid conversion specifier 'l'}} expected-error {{'%hld': the length 'hl' is for vectors, as in '%v4hld'}}
}

__attribute__((ka_kernel)) void refused(int *p, const int *w) {
  printf("%n", p); // expected-error {{in the format of printf: '%n': it stores into memory of the host, which printing from kernels cannot do}}
  printf("%ls", w); // expected-error {{'%ls': wide characters are not supported in kernels}}
  printf("%lc", 1u); // expected-error {{'%lc': wide characters are not supported in kernels}}
  printf("%S", w); // expected-error {{'%S': wide characters are not supported in kernels}} expected-warning 0-1 {{}}
  printf("%1$d", 1); // expected-error {{'%1$': numbered arguments are not supported in kernels}} expected-warning 0-1 {{}}
  printf("%m"); // expected-error {{'%m': this is no conversion of C17 that kernels can use}}
  printf("a" "b%y"); // expected-warning {{invalid conversion specifier 'y'}} expected-error {{'%y': this is no conversion of C17 that kernels can use}}
  printf("%"); // expected-warning {{incomplete format specifier}} expected-error {{'%': the format ends within a conversion}}
  printf("%.3"); // expected-warning {{incomplete format specifier}} expected-error {{'%.3': the format ends within a conversion}}
  printf("%99999999999d", 1); // expected-error {{the width is too large}}
  printf("%hf", 1.0); // expected-warning {{length modifier 'h' results in undefined behavior or no effect with 'f' conversion specifier}} expected-error {{'%hf': the length 'h' does not go with 'f'}}
  __builtin_printf("%n", p); // expected-error {{'%n': it stores into memory of the host}}
}
