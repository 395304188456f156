// Types of values that exist on the host only.
// RUN: %ka-verify -std=gnu23 -Wno-unused %s
#include <ka/ka.h>

static long double helper(int x) { return x; } // expected-error {{the result of 'helper' has type 'long double', which exists on the host only; use double}}
struct s { int n; long double x; };

[[ka::kernel]] void variables(int *p) {
  long double a = p[0]; // expected-error {{'a' has type 'long double', which exists on the host only; use double}}
  __int128 b = p[0];    // expected-error {{'b' has type '__int128', which exists on the host only; use two 64-bit integers}}
  __float128 c[2];      // expected-error {{'c' has type '__float128[2]', which exists on the host only; use double}}
  _Complex long double d; // expected-error {{'d' has type '_Complex long double', which exists on the host only; use double}}
  unsigned _BitInt(128) e; // expected-error {{'e' has type 'unsigned _BitInt(128)', which has more than 64 bits}}
}
[[ka::kernel]] void value(double *p) { p[0] = p[1] * 2.0L; } // expected-error {{a value of type 'long double' in a kernel: this type exists on the host only; use double}}
[[ka::kernel]] void member(struct s *p, double *q) { q[0] = p->x; } // expected-error {{a value of type 'long double' in a kernel}}
[[ka::kernel]] void called(double *q) { q[0] = (double)helper(3); } // expected-note {{'helper' is called by kernel 'called' here}} expected-error {{a value of type 'long double' in a kernel}}
struct wide { long a, b; };
[[ka::kernel]] void wide_atomic(_Atomic(struct wide) *p, struct wide *q) { *q = *p; } // expected-error {{atomic access to '_Atomic(struct wide)': atomics of more than 64 bits are not supported in kernels}}
[[ka::kernel]] void atomics(_Atomic __int128 *p) { (void)__c11_atomic_load(p, __ATOMIC_SEQ_CST); } // expected-error {{atomic access to '__int128': atomics of more than 64 bits are not supported in kernels}} expected-error {{a value of type '__int128' in a kernel}}

// Sizes and pointers are no values; what fits is fine.
[[ka::kernel]] void fine(struct s *p, long double *q, size_t *n) {
  n[0] = sizeof(long double) + sizeof *q;
  p->n = 3;
  _BitInt(40) i = 4;
  n[1] = (size_t)i;
}
