// Functions of the C library in kernels.
// RUN: %ka-verify -std=gnu23 -Wno-unused %s
#include <ka/ka.h>
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

[[ka::kernel]] void k(int *p, float *x) {
  p = malloc(3); // expected-error {{call of 'malloc' in a kernel: kernels cannot allocate memory; pass a pointer to memory from ka_alloc}}
  free(p);       // expected-error {{call of 'free' in a kernel: kernels cannot allocate memory}}
  fprintf((FILE *)p, "x"); // expected-error {{call of 'fprintf' in a kernel: kernels print with printf, puts and putchar, on stdout}}
  exit(1);       // expected-error {{call of 'exit' in a kernel: kernels cannot end the program}}
  p[0] = errno;  // expected-error {{call of '__errno_location' in a kernel: kernels have no errno}}
  p[1] = strspn((char *)x, "a"); // expected-error {{the library function 'strspn' is not available in kernels}}
  p[2] = ka_num_devices(0); // expected-error {{'ka_num_devices' is a function for the host and cannot be called in kernels}}
  p[3] = *getenv("A"); // expected-error {{the library function 'getenv' is not available in kernels; there are most of <math.h>, <ctype.h>, assert, abort, abs, labs, llabs, div, ldiv, lldiv, memcpy, memmove, memset, memchr, memcmp, strchr, strcmp, strlen, strncmp, strnlen, printf, puts, putchar}}
  qsort(p, 1, 1, 0); // expected-error {{the library function 'qsort' is not available in kernels}}
  fputs("x", (FILE *)p); // expected-error {{kernels print with printf, puts and putchar, on stdout}}
}
[[ka::kernel]] void jumps(jmp_buf *b) {
  if (setjmp(*b)) // expected-error {{call of '_setjmp' in a kernel: kernels cannot jump between functions}}
    longjmp(*b, 1); // expected-error {{call of 'longjmp' in a kernel: kernels cannot jump between functions}}
}
[[ka::kernel]] void launches(ka_backend *be, int *p) {
  ka_launch(be, ka_range(1), k(p, 0)); // expected-error {{kernels cannot launch kernels}}
}
#define DEBUG 0
[[ka::kernel]] void debugged(int *p) {
  if (DEBUG)
    perror("never done");
  DEBUG ? fputc(*p, stderr) : 0;
  DEBUG && fputc(*p, stderr);
  if (!DEBUG || fputc(*p, stderr))
    *p = 1;
  *p || fputc('0', (FILE *)p); // expected-error {{kernels print with printf, puts and putchar, on stdout}}
}
[[ka::kernel]] void complex_numbers(double complex *z, float complex *f) {
  z[0] = conj(z[1]) + creal(z[2]) * I + cimag(z[3]);
  f[0] = conjf(f[1]) + crealf(f[2]) + cimagf(f[3]);
  z[4] = cexp(z[5]); // expected-error {{the library function 'cexp' is not available in kernels}}
}
[[ka::kernel]] void fine(float *x, double *y, int *p) {
  x[0] = sqrtf(x[1]) + fabsf(x[2]) + __builtin_sinf(x[3]);
  y[0] = pow(y[1], 2) + fmax(y[2], y[3]);
  memcpy(x, y, 16);
  memset(p, 0, 4);
  p[0] = __builtin_popcount(p[1]) + __builtin_clz(p[2]) + abs(p[3]);
  p[1] = strlen("abc") + strlen((char *)x) + isinf(y[0]) + signbit(y[1]) + isless(y[0], __builtin_inf());
  if (isnan(x[0]) || __builtin_expect(p[0], 1))
    __builtin_memmove(x, y, 8);
}
