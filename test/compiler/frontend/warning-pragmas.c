// Pragmas about ka's own warnings, be these found in the source or in device code.
// RUN: %ka-cc -std=c23 -c -Xclang -verify=expected,warning %s -o %t.o
// RUN: %ka-verify -std=c23 -DERRORS -Xclang -verify=expected,error %s

// Text that was preprocessed first gives the same.
// RUN: %ka-cc -std=c23 -E %s -o %t.i
// RUN: %ka-cc -std=c23 -c %s -o %t.o 2>&1 | grep -o " [a-z]*: .*Wka.*" > %t.direct
// RUN: %ka-cc -std=c23 -c %t.i -o %t.o 2>&1 | grep -o " [a-z]*: .*Wka.*" > %t.preprocessed
// RUN: diff %t.direct %t.preprocessed

// -Werror does not reach what a pragma has made a warning. -w reaches everything.
// RUN: not %ka-cc -std=c23 -fsyntax-only -Werror %s 2>&1 | FileCheck --check-prefix=WERROR %s
// RUN: %ka-cc -std=c23 -w -DERRORS -c %s -o %t.o 2>&1 | count 0
#include <ka/ka.h>

[[ka::kernel]] void first(float *p) {} // expected-warning {{[-Wka-unused-pointer]}}
// WERROR: :[[#@LINE-1]]:{{.*}} error: {{.*}} [-Werror,-Wka-unused-pointer]

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wka-unused-pointer"
[[ka::kernel]] void silent(float *p) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wka-unused-pointer"
[[ka::kernel]] void loud(float *p) {} // expected-warning {{[-Wka-unused-pointer]}}
// WERROR: :[[#@LINE-1]]:{{.*}} warning: {{.*}} [-Wka-unused-pointer]
#pragma GCC diagnostic pop
[[ka::kernel]] void silent_again(float *p) {}
#pragma clang diagnostic pop
[[ka::kernel]] void last(float *p) {} // expected-warning {{[-Wka-unused-pointer]}}
// WERROR: :[[#@LINE-1]]:{{.*}} error:

// For the parameter alone; and within a macro.
[[ka::kernel]] void parameter(
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wka"
    float *p,
#pragma clang diagnostic pop
    float *q) {} // expected-warning {{parameter 'q'}}
// WERROR: :[[#@LINE-1]]:{{.*}} error: parameter 'q'
#define QUIETLY(...) \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wka-unused-pointer\"") \
  __VA_ARGS__ _Pragma("clang diagnostic pop")
QUIETLY([[ka::kernel]] void in_macro(float *p) {})

// What is off by default: asked for at one place.
static float half(float x) { return x * 0.5; }
#pragma clang diagnostic push
#pragma clang diagnostic warning "-Wka-double"
static float third(float x) { return x / 3.0; } // expected-warning {{[-Wka-double]}}
#pragma clang diagnostic pop
[[ka::kernel]] void doubles(float *x) {
  x[0] = half(third(x[1])); // expected-note {{'third' is called by kernel 'doubles' here}}
#pragma clang diagnostic push
#pragma clang diagnostic warning "-Weverything"
  x[1] = x[0] * 0.25; // expected-warning {{[-Wka-double]}} expected-warning 2 {{implicit conversion}}
#pragma clang diagnostic ignored "-Weverything"
  x[2] = x[0] * 0.25;
#pragma clang diagnostic pop
}
// WERROR: warning: {{.*}} [-Wka-double]
// WERROR: warning: {{.*}} [-Wka-double]

// Where the host is concerned.
void launch(ka_backend *be) {
  float on_stack[4];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wka-host-stack"
  (void)ka_launch(be, ka_range(4), doubles(on_stack));
#pragma clang diagnostic pop
}

// What the lowering finds, in the function where the barrier stands, wherever the kernel is.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wka-divergent-barrier"
static void meet_silently(void) { ka_barrier(); }
#pragma clang diagnostic pop
static void meet(void) { ka_barrier(); } // warning-warning {{[-Wka-divergent-barrier]}}
[[ka::kernel, ka::unsafe_indices]] void meets(float *x) {
  if (x[ka_local_id(0)] > 1) // warning-note {{}}
    meet();                  // warning-note {{'meet' is called by kernel 'meets' here}}
  if (x[ka_local_id(0)] > 2)
    meet_silently();
}


#ifdef ERRORS
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wka-unused-pointer"
[[ka::kernel]] void wrong(float *p) {} // error-error {{[-Werror,-Wka-unused-pointer]}}
#pragma clang diagnostic warning "-Wka-unused-pointer"
[[ka::kernel]] void not_wrong(float *p) {} // error-warning {{[-Wka-unused-pointer]}}
#pragma clang diagnostic fatal "-Wka"
[[ka::kernel]] void worse(float *p) {} // error-error {{[-Werror,-Wka-unused-pointer]}}
#pragma clang diagnostic pop
#endif
