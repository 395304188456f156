// What an inline function of a system header calls is reported at the call that the program wrote: the header is not
// the user's to mend, and its place says little about the kernel.
// RUN: %ka-verify -std=gnu23 -O1 %s
// RUN: not %ka-cc -std=gnu23 -DONE -fsyntax-only %s 2>&1 | FileCheck %s
#include "Inputs/system.h"
#include <ka/ka.h>
#include <stdlib.h>

// CHECK: system-header.c:[[#@LINE+4]]:{{[0-9]+}}: error: call of 'parse_twice', an inline function of a system header, in a kernel: the library function 'parse' is not available in kernels
// CHECK: system.h:4:{{.*}}: note: here
// CHECK: system.h:5:{{.*}}: note: 'parse_decimal' is called by 'parse_twice' here
// CHECK: system-header.c:[[#@LINE+1]]:{{[0-9]+}}: note: 'parse_twice' is called by kernel 'twice' here
[[ka::kernel]] void twice(int *p, const char *text) { p[0] = parse_twice(text); } // expected-error {{call of 'parse_twice', an inline function of a system header, in a kernel: the library function 'parse' is not available}} expected-note {{'parse_twice' is called by kernel 'twice' here}}
// expected-note@Inputs/system.h:4 {{here}}
// expected-note@Inputs/system.h:5 {{'parse_decimal' is called by 'parse_twice' here}}

#ifndef ONE
// With optimisation, the C library's own.
static int helper(const char *text) { return atoi(text); } // expected-error {{call of 'atoi', an inline function of a system header, in a kernel: the library function 'strtol' is not available in kernels}} expected-note {{'atoi' is called by 'helper' here}}
[[ka::kernel]] void number(int *p, const char *text) { p[0] = helper(text); } // expected-note {{'helper' is called by kernel 'number' here}}
// expected-note@*:* {{here}}
#endif
