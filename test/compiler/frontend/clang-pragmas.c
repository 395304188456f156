// Pragmas about clang's warnings are clang's, and what it says of mistakes is said of ka's groups too.
// RUN: %ka-verify -std=c23 -Wall %s
// RUN: %clang -std=c23 -Wall -DCLANG -fsyntax-only -Xclang -verify %s
#ifndef CLANG
#pragma clang diagnostic ignored "-Wka-double"
#endif
#pragma clang diagnostic ignored "-Wka-nonsense" // expected-warning {{unknown warning group '-Wka-nonsense', ignored}}
#pragma clang diagnostic ignored "-Rka"          // expected-warning {{unknown warning group '-Rka', ignored}}
#pragma clang diagnostic ignored "-Rpass"
#pragma clang diagnostic ignored "ka-double"     // expected-warning {{pragma diagnostic expected option name (e.g. "-Wundef")}}
#pragma clang diagnostic ignored "-W"            // expected-warning {{pragma diagnostic expected option name (e.g. "-Wundef")}}
#pragma clang diagnostic silent "-Wka-double"    // expected-warning {{pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'}}
#pragma clang diagnostic                         // expected-warning {{pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'}}
#pragma clang diagnostic 1                       // expected-warning {{pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'}}
#pragma clang diagnostic ignored "-Wunused" 1    // expected-warning {{unexpected token in pragma diagnostic}}
#pragma clang diagnostic pop                     // expected-warning {{pragma diagnostic pop could not pop, no matching push}}
#pragma clang diagnostic ignored "-Wun" "used"
#pragma clang diagnostic push 1                  // expected-warning {{unexpected token in pragma diagnostic}}
#pragma GCC diagnostic error "-Wunused-variable"
static inline void wrong(void) { int x; } // expected-error {{unused variable 'x'}}
#pragma GCC diagnostic warning "-Wunused-variable"
static inline void suspicious(void) { int x; } // expected-warning {{unused variable 'x'}}
#pragma clang diagnostic pop 1                   // expected-warning {{unexpected token in pragma diagnostic}}
static inline void silent(void) { int x; }
#pragma clang diagnostic warning "-Weverything"
int undeclared(void) { return 0; } // expected-warning {{no previous prototype}} expected-note {{declare 'static'}}
#pragma clang diagnostic ignored                 // expected-error {{expected string literal in pragma diagnostic}}
