// What is refused, each in a function that a kernel reaches through another one: a caret at the construct, its
// name, and a note for each call on the way. The same functions, used on the host only, are nobody's concern.
// RUN: %ka-verify -std=gnu23 -fblocks -Wno-unused -ferror-limit=0 %s
// RUN: %ka-cc -std=gnu23 -fblocks -Wno-unused -DHOST -c %s -o %t.o 2>&1 | count 0
#include <ka/ka.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#ifdef HOST
#define USE(f) void f##_host(int *p); void f##_host(int *p) { f(p); }
#else
#define USE(f) static void f##_outer(int *p) { f(p); } [[ka::kernel]] void f##_kernel(int *p) { f##_outer(p); }
#endif

// Recursion: the cycle, then the way to it.
static void direct(int *p) { if (*p) direct(p + 1); } // expected-error {{recursion is not supported in kernels: 'direct' calls 'direct'}}
USE(direct) // expected-note {{'direct' is called by 'direct_outer' here}} expected-note {{'direct_outer' is called by kernel 'direct_kernel' here}}
static void second(int *p);
static void third(int *p);
static void first(int *p) { second(p); } // expected-note {{'first' calls 'second' here}}
static void second(int *p) { third(p); } // expected-note {{'second' calls 'third' here}}
static void third(int *p) { if (*p) first(p); } // expected-error {{recursion is not supported in kernels: 'third' calls 'first', which leads back to it}}
USE(first) // expected-note {{'first' is called by 'first_outer' here}} expected-note {{'first_outer' is called by kernel 'first_kernel' here}}

// Calls whose callee is not known.
static int one(int x) { return x; }
static void indirect(int *p) { int (*f)(int) = (int (*)(int))(long)*p; *p = f(1); } // expected-error {{indirect calls are not supported in kernels}}
USE(indirect) // expected-note {{'indirect' is called by}} expected-note {{'indirect_outer' is called by kernel}}
static void taken(int *p) { int (*f)(int) = one; *p = f == 0; } // expected-error {{pointers to functions are not supported in kernels: 'one' can only be called}}
USE(taken) // expected-note {{'taken' is called by}} expected-note {{'taken_outer' is called by kernel}}
static int (*const table[])(int) = {one, one}; // expected-note {{declared here}}
static void through_table(int *p) { *p = table[*p & 1](2); } // expected-error {{'table' holds pointers to functions}} expected-error {{indirect calls are}}
USE(through_table) // expected-note 2 {{'through_table' is called by}} expected-note 2 {{'through_table_outer' is called by kernel}}
static void block(int *p) { ^{ *p = 1; }(); } // expected-error {{blocks are not supported in kernels}} expected-error {{indirect calls are}}
USE(block) // expected-note 2 {{'block' is called by}} expected-note 2 {{'block_outer' is called by kernel}}
static void by_reference(int *p) { __block int sum = 0; void (^add)(void) = ^{ sum++; }; add(); *p = sum; } // expected-error {{blocks are not supported}} expected-error {{indirect calls are}}
USE(by_reference) // expected-note 2 {{'by_reference' is called by}} expected-note 2 {{'by_reference_outer' is called by kernel}}

// Arguments without a type.
static int sum(int n, ...) { // expected-error {{functions with variable arguments are not supported in kernels: 'sum'}}
  va_list l;
  va_start(l, n);
  n += va_arg(l, int); // expected-error {{va_arg is not supported in kernels}}
  va_end(l);
  return n;
}
static void variadic(int *p) { *p = sum(1, 2); } // expected-note 2 {{'sum' is called by 'variadic' here}}
USE(variadic) // expected-note 2 {{'variadic' is called by}} expected-note 2 {{'variadic_outer' is called by kernel}}
static void list(int *p) { va_list l; *p = va_arg(l, int); } // expected-error {{va_arg is not supported in kernels}}
USE(list) // expected-note {{'list' is called by}} expected-note {{'list_outer' is called by kernel}}

// Stack whose size is not known.
static void vla(int *p) { int v[*p]; v[0] = 1; *p = v[0]; } // expected-error {{variable length arrays are not supported in kernels: 'v' needs a constant size}}
USE(vla) // expected-note {{'vla' is called by}} expected-note {{'vla_outer' is called by kernel}}
static void on_stack(int *p) { *p = *(int *)alloca(*p); } // expected-error {{alloca is not supported in kernels; use an array of constant size}}
USE(on_stack) // expected-note {{'on_stack' is called by}} expected-note {{'on_stack_outer' is called by kernel}}

// Control that leaves the function, or C.
static jmp_buf place;
static void sets(int *p) { *p = setjmp(place); } // expected-error {{call of '_setjmp' in a kernel: kernels cannot jump between functions}}
USE(sets) // expected-note {{'sets' is called by}} expected-note {{'sets_outer' is called by kernel}}
static void jumps(int *p) { if (*p) longjmp(place, 1); } // expected-error {{call of 'longjmp' in a kernel: kernels cannot jump between functions}}
USE(jumps) // expected-note {{'jumps' is called by}} expected-note {{'jumps_outer' is called by kernel}}
static void assembly(int *p) { __asm__("nop" : "+r"(*p)); } // expected-error {{inline assembly is not supported in kernels}}
USE(assembly) // expected-note {{'assembly' is called by}} expected-note {{'assembly_outer' is called by kernel}}
static void labels(int *p) { void *to = &&end; goto *to; end: *p = 1; } // expected-error {{addresses of labels are not supported in kernels}} expected-error {{computed gotos are not supported in kernels}}
USE(labels) // expected-note 2 {{'labels' is called by}} expected-note 2 {{'labels_outer' is called by kernel}}
static void ends(int *p) { if (*p == 3) exit(1); if (*p == 4) quick_exit(1); } // expected-error {{call of 'exit' in a kernel: kernels cannot end the program}} expected-error {{call of 'quick_exit' in a kernel: kernels cannot end the program}}
USE(ends) // expected-note 2 {{'ends' is called by}} expected-note 2 {{'ends_outer' is called by kernel}}

// The C library of the host.
static void allocates(int *p) { int *q = malloc(4); *p = q != 0; free(q); } // expected-error {{call of 'malloc' in a kernel: kernels cannot allocate memory; pass a pointer to memory from ka_alloc}} expected-error {{call of 'free' in a kernel: kernels cannot allocate memory}}
USE(allocates) // expected-note 2 {{'allocates' is called by}} expected-note 2 {{'allocates_outer' is called by kernel}}
static void allocates_more(int *p) { int *q = calloc(1, 4); q = realloc(q, 8); *p = q[0]; q = aligned_alloc(8, 8); } // expected-error {{call of 'calloc' in a kernel}} expected-error {{call of 'realloc' in a kernel}} expected-error {{call of 'aligned_alloc' in a kernel}}
USE(allocates_more) // expected-note 3 {{'allocates_more' is called by}} expected-note 3 {{'allocates_more_outer' is called by kernel}}
static void formats(int *p) { char b[9]; *p = snprintf(b, sizeof b, "%d", *p); } // expected-error {{call of 'snprintf' in a kernel: formatting is not supported in kernels}}
USE(formats) // expected-note {{'formats' is called by}} expected-note {{'formats_outer' is called by kernel}}
static void reads(int *p) { *p = getchar(); } // expected-error {{the library function 'getchar' is not available in kernels}}
USE(reads) // expected-note {{'reads' is called by}} expected-note {{'reads_outer' is called by kernel}}
static void scans(int *p) { *p = sscanf("1", "%d", p); } // expected-error {{the library function '}}
USE(scans) // expected-note {{'scans' is called by}} expected-note {{'scans_outer' is called by kernel}}
static void opens(int *p) { *p = fopen("a", "r") != 0; } // expected-error {{the library function 'fopen' is not available in kernels}}
USE(opens) // expected-note {{'opens' is called by}} expected-note {{'opens_outer' is called by kernel}}
static void wide(int *p) { *p = (int)wcslen(L"abc") + (int)wcslen((wchar_t *)p); } // expected-error {{the library function 'wcslen' is not available in kernels}}
USE(wide) // expected-note {{'wide' is called by}} expected-note {{'wide_outer' is called by kernel}}
static void asks_time(int *p) { *p = (int)time(0); } // expected-error {{the library function 'time' is not available in kernels; there are most of <math.h>, <ctype.h>, assert,}}
USE(asks_time) // expected-note {{'asks_time' is called by}} expected-note {{'asks_time_outer' is called by kernel}}
static void asks_errno(int *p) { *p = errno; } // expected-error {{call of '__errno_location' in a kernel: kernels have no errno}}
USE(asks_errno) // expected-note {{'asks_errno' is called by}} expected-note {{'asks_errno_outer' is called by kernel}}
void elsewhere(int *p); // expected-note {{declared here}}
static void external(int *p) { elsewhere(p); } // expected-error {{call of 'elsewhere' in a kernel: its definition must be visible in this translation unit}}
USE(external) // expected-note {{'external' is called by}} expected-note {{'external_outer' is called by kernel}}
static void host_of_ka(int *p) { *p = ka_num_devices(0); } // expected-error {{'ka_num_devices' is a function for the host and cannot be called in kernels}}
USE(host_of_ka) // expected-note {{'host_of_ka' is called by}} expected-note {{'host_of_ka_outer' is called by kernel}}
[[ka::kernel]] void launched(int *p) { *p = 1; }
static void launches(int *p) { (void)ka_launch(0, ka_range(1), launched(p)); } // expected-error {{kernels cannot launch kernels}}
USE(launches) // expected-note {{'launches' is called by}} expected-note {{'launches_outer' is called by kernel}}

// Variables of the host.
static int counter; // expected-note {{declared here}}
static void counts(int *p) { *p = ++counter; } // expected-error {{'counter' is a global variable of the host, which kernels cannot use; pass a pointer instead, or make it const}}
USE(counts) // expected-note {{'counts' is called by}} expected-note {{'counts_outer' is called by kernel}}
static void remembers(int *p) { static int last; *p = last++; } // expected-error {{'last' is a static variable of the host, which kernels cannot use; pass a pointer instead, or make it const}} expected-note {{declared here}}
USE(remembers) // expected-note {{'remembers' is called by}} expected-note {{'remembers_outer' is called by kernel}}
static thread_local int own; // expected-note {{declared here}}
static void of_thread(int *p) { *p = own; } // expected-error {{'own' is thread-local; kernels have no threads of the host}}
USE(of_thread) // expected-note {{'of_thread' is called by}} expected-note {{'of_thread_outer' is called by kernel}}
static void writes(int *p) { fputs("x", stderr); } // expected-error {{call of 'fputs' in a kernel: kernels print with printf, puts and putchar, on stdout}}
USE(writes) // expected-note {{'writes' is called by}} expected-note {{'writes_outer' is called by kernel}}

// Types.
static void extended(int *p) { long double x = *p; *p = (int)x; } // expected-error {{'x' has type 'long double', which exists on the host only; use double}}
USE(extended) // expected-note {{'extended' is called by}} expected-note {{'extended_outer' is called by kernel}}
static void quad(int *p) { __float128 x = *p; *p = (int)x; } // expected-error {{'x' has type '__float128', which exists on the host only; use double}}
USE(quad) // expected-note {{'quad' is called by}} expected-note {{'quad_outer' is called by kernel}}
static void in_between(int *p) { *p = (int)(*p * 1.5L); } // expected-error {{a value of type 'long double' in a kernel: this type exists on the host only; use double}}
USE(in_between) // expected-note {{'in_between' is called by}} expected-note {{'in_between_outer' is called by kernel}}
static void wide_integer(int *p) { __int128 x = *p; *p = (int)(x >> 64); } // expected-error {{'x' has type '__int128', which exists on the host only; use two 64-bit integers}}
USE(wide_integer) // expected-note {{'wide_integer' is called by}} expected-note {{'wide_integer_outer' is called by kernel}}
static void bits(int *p) { _BitInt(65) x = *p; *p = (int)x; } // expected-error {{'x' has type '_BitInt(65)', which has more than 64 bits}}
USE(bits) // expected-note {{'bits' is called by}} expected-note {{'bits_outer' is called by kernel}}
struct two { long a, b; };
static void atomic_pair(int *p) { _Atomic(struct two) *a = (void *)p; struct two t = *a; *p = (int)t.a; } // expected-error {{atomic access to '_Atomic(struct two)': atomics of more than 64 bits are not supported in kernels}}
USE(atomic_pair) // expected-note {{'atomic_pair' is called by}} expected-note {{'atomic_pair_outer' is called by kernel}}
