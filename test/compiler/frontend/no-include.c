// A kernel needs ka's declarations.
// RUN: %ka-verify -std=c23 %s
// RUN: not %ka-cc -std=c23 -c %s -o %t.o
// RUN: not test -e %t.o
[[ka::kernel]] void f(int *p) { *p = 1; } // expected-error {{kernel 'f' needs '#include <ka/ka.h>' before it}}
