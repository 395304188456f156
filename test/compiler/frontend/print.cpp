// Printing in C++: the functions of <cstdio>, in templates and with auto.
// RUN: %ka-verify -std=c++17 -Wall %s
// RUN: %ka-cc -std=c++17 -c -o /dev/null -DGOOD %s
#include <ka/ka.h>
#include <cstdio>
#include <string>

template <typename T> static void show(T value) {
#ifdef GOOD
  std::printf("%g\n", static_cast<double>(value));
#else
  std::printf("%d\n", value); // expected-error 1+ {{'%d' needs an integer, not 'float'}} expected-warning 1+ {{format specifies type 'int' but the argument has type 'float'}}
#endif
}

__attribute__((ka_kernel)) void k(float *x, bool *b) {
  std::printf("%f %d %s\n", x[0], b[0], b[1] ? "yes" : "no");
  std::puts("line");
  std::putchar('c');
  show(x[1]); // expected-note 0+ {{}}
#ifndef GOOD
  printf("%d\n", 1l); // expected-warning {{format specifies type 'int' but the argument has type 'long'}}
#endif
}

void on_the_host(long l) {
#ifndef GOOD
  std::printf("%d\n", l); // expected-warning {{format specifies type 'int' but the argument has type 'long'}}
#endif
}
