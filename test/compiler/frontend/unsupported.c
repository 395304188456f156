// What devices cannot do, with the way from the kernel.
// RUN: %ka-verify -std=gnu23 -ferror-limit=0 -fblocks -Wno-unused %s
#include <ka/ka.h>
#include <stdarg.h>

static int variadic(int n, ...) { // expected-error {{functions with variable arguments are not supported in kernels: 'variadic'}}
  va_list l;
  va_start(l, n);
  int r = va_arg(l, int); // expected-error {{va_arg is not supported in kernels}}
  va_end(l);
  return r;
}
__attribute__((target_clones("avx2", "default"))) int versions(int x) { return x; }
static int id(int x) { return x; }
void external(int *p); // expected-note {{declared here}}
static void deep(int *p) {
  external(p); // expected-error {{call of 'external' in a kernel: its definition must be visible in this translation unit}}
}
static void middle(int *p) {
  deep(p); // expected-note {{'deep' is called by 'middle' here}}
}

[[ka::kernel]] void k(int *p, int n) {
  middle(p);      // expected-note {{'middle' is called by kernel 'k' here}}
  variadic(1, 2); // expected-note 2 {{'variadic' is called by kernel 'k' here}}
  int (*f)(int) = id; // expected-error {{pointers to functions are not supported in kernels: 'id' can only be called}}
  p[0] = f(1);        // expected-error {{indirect calls are not supported in kernels}}
  int vla[n]; // expected-error {{variable length arrays are not supported in kernels: 'vla' needs a constant size}}
  int *a = __builtin_alloca(4); // expected-error {{alloca is not supported in kernels; use an array of constant size}}
  int made;
  asm("" : "=r"(made)); // expected-error {{inline assembly is not supported in kernels}}
  asm goto("" : : : : end); // expected-error {{inline assembly is not supported in kernels}}
  asm volatile("nop"); // expected-error {{inline assembly is not supported in kernels}}
  void *label = &&end; // expected-error {{addresses of labels are not supported in kernels}}
  goto *label;         // expected-error {{computed gotos are not supported in kernels}}
end:
  __builtin_ia32_pause(); // expected-error {{'__builtin_ia32_pause' is an instruction of the host's processor and does not exist on devices}}
  p[1] = __builtin_return_address(0) != nullptr; // expected-error {{'__builtin_return_address' is not supported in kernels}}
  __builtin_debugtrap(); // expected-error {{'__builtin_debugtrap' is not supported in kernels}}
  __builtin___clear_cache((char *)p, (char *)p); // expected-error {{'__builtin___clear_cache' is not supported in kernels}}
  p[2] = __builtin_readcyclecounter(); // expected-error {{'__builtin_readcyclecounter' is not supported in kernels}}
  p[3] = versions(1); // expected-error {{'versions' has versions for different processors of the host, which kernels cannot choose between}}
  ^{ }(); // expected-error {{blocks are not supported in kernels}} expected-error {{indirect calls are not supported in kernels}}
}

// On the host all of this is allowed.
int host(int n) {
  int vla[n];
  int (*f)(int) = id;
  vla[0] = variadic(1, f(2));
  asm volatile("nop");
  return vla[0];
}
