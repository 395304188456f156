// What a kernel's declaration may be.
// RUN: %ka-verify -std=gnu17 -Wno-c23-extensions -Wno-deprecated-non-prototype %s
#include <ka/ka.h>

[[ka::kernel]] int result(void);       // expected-error {{kernel 'result' must return void, not 'int'}}
[[ka::kernel]] int main(void);         // expected-error {{kernel 'main' must have another name: 'main' is the program's}}
[[ka::kernel]] void variadic(int, ...); // expected-error {{kernel 'variadic' cannot be variadic}}
__attribute__((ka_kernel)) void old_style(a) int a; { } // expected-error {{kernel 'old_style' needs a prototype}}
__attribute__((ka_kernel)) void empty() { } // expected-error {{kernel 'empty' needs a prototype}}
[[ka::kernel]] __attribute__((constructor)) void at_start(void) {} // expected-error {{kernel 'at_start' cannot be a constructor or destructor: it runs only when it is launched}}
[[ka::kernel]] __attribute__((naked)) void bare(void) {} // expected-error {{kernel 'bare' cannot be naked}}
[[ka::kernel]] void target(void) __attribute__((alias("x"))); // expected-error {{kernel 'target' cannot be an alias}}
void x(void) { }

[[ka::kernel]] void sin(float *p) { } // expected-error {{kernel 'sin' must have another name: this one is a function of the C library or of the compiler}} expected-warning {{incompatible redeclaration}} expected-note {{'sin' is a builtin}}
[[ka::kernel]] void memcpy(int *p) { } // expected-error {{kernel 'memcpy' must have another name: this one is}} expected-warning {{incompatible redeclaration}} expected-note {{'memcpy' is a builtin}}
[[ka::kernel]] void _Z3sinf(float *p) { } // expected-error {{kernel '_Z3sinf' must have another name: devices have functions whose names begin in this way}}
[[ka::kernel]] void __spirv_ocl_sin(float *p) { } // expected-error {{kernel '__spirv_ocl_sin' must have another name}}

void f(void) {
  [[ka::kernel]] void inner(void); // expected-error {{kernel 'inner' must be declared at file scope}}
}

void late(float *p); // expected-note {{first declaration is here}}
[[ka::kernel]] void late(float *p) { } // expected-error {{'late' must be marked as a kernel on its first declaration}}

[[ka::kernel]] void scratch(int *p); // expected-note {{previous declaration is here}}
[[ka::kernel]] void scratch(ka_local int *p) { } // expected-error {{parameter 'p' of kernel 'scratch' is marked ka_local here, but not before}}

// The first declaration speaks for all.
[[ka::kernel]] void early(float *p, ka_local int *s);
void early(float *p, int *s) { *p = 1; }
