// Which variables of the program kernels can read.
// RUN: %ka-verify -std=c23 -Wno-unused %s
#include <ka/ka.h>

static int counter;               // expected-note 2 {{declared here}}
static thread_local int per_thread; // expected-note {{declared here}}
extern const int elsewhere[3];    // expected-note {{declared here}}
static const volatile int changing = 1; // expected-note {{declared here}}
static int f(int x) { return x; }
static int (*const functions[])(int) = {f}; // expected-note {{declared here}}
static const int table[3] = {1, 2, 3};
static const int *const pointer = table;
const char text[] = "abc";
enum { CONSTANT = 4 };
static const int zeros[4]; // no initialiser: all zero
static const int later[3];
const int shared[2];
extern const int shared[2];

static void helper(int *p) {
  p[0] = counter; // expected-error {{'counter' is a global variable of the host, which kernels cannot use; pass a pointer instead, or make it const}}
  p[1] = counter; // once for each function
}

[[ka::kernel]] void k(int *p) {
  helper(p); // expected-note {{'helper' is called by kernel 'k' here}}
  counter++; // expected-error {{'counter' is a global variable of the host}}
  p[0] = per_thread;   // expected-error {{'per_thread' is thread-local; kernels have no threads of the host}}
  p[1] = elsewhere[1]; // expected-error {{'elsewhere' is a constant whose value must be visible in this translation unit}}
  p[2] = changing;     // expected-error {{'changing' is a global variable of the host}}
  p[3] = functions[0](2); // expected-error {{'functions' holds pointers to functions, which are not supported in kernels}} expected-error {{indirect calls are not supported}}
  static int kept;     // expected-note {{declared here}}
  kept++;              // expected-error {{'kept' is a static variable of the host, which kernels cannot use; pass a pointer instead, or make it const}}
  static const int local_table[2] = {5, 6};
  p[4] = table[p[0] & 1] + *pointer + text[1] + CONSTANT + local_table[p[1] & 1];
  p[5] = sizeof(counter); // not evaluated
  static const int local_zeros[2];
  p[6] = zeros[p[0] & 3] + later[p[0] & 1] + shared[p[0] & 1] + local_zeros[p[0] & 1];
}
static const int later[3] = {1, 2, 3};
