// Where the attribute may stand, and what clang says where it may not.
// RUN: %ka-verify -std=gnu23 %s
// RUN: %ka-emit=metadata -DGOOD -std=gnu23 %s | grep '^ *"name": "[a-z]*",$' | count 13
#include <ka/ka.h>

[[ka::kernel]] void before(void) {}
void after [[ka::kernel]] (void) {}
static void __attribute__((ka_kernel)) between(void) {}
__attribute__((ka_kernel)) void first(void) {}
void last(void) __attribute__((ka_kernel));
void last(void) {}
__attribute__((__ka_kernel__)) void underscored(void) {}
[[ka::kernel, ka::kernel]] [[ka::kernel]] void many(void) {}
[[ka::kernel]] [[ka::group_size(8)]] void two(void) {}
typedef void function(void);
[[ka::kernel]] function typed;
void typed(void) {}
[[ka::kernel]] typeof(typed) same;
void same(void) {}
#define KERNEL(name) [[ka::kernel]] void name(void)
KERNEL(from) {}
#define PASTE(a, b) a##b
KERNEL(PASTE(past, ed)) {}
__extension__ void __attribute__((ka_kernel)) extended(void) {}

#ifndef GOOD
void [[ka::kernel]] of_result(void) {} // expected-error {{'kernel' attribute cannot be applied to types}}
void of_type(void) [[ka::kernel]] {} // expected-error {{'kernel' attribute cannot be applied to types}}
static [[ka::kernel]] void after_static(void) {} // expected-error {{an attribute list cannot appear here}}
[[ka::kernel]]; // expected-error {{'ka::kernel' applies to functions only}}
enum [[ka::kernel]] e { A [[ka::kernel]] }; // expected-error 2 {{'ka::kernel' applies to functions only}}
struct s { [[ka::kernel]] int member; }; // expected-error {{'ka::kernel' applies to functions only}}
typedef void [[ka::kernel]] type(int *); // expected-error {{'kernel' attribute cannot be applied to types}}
void parameter([[ka::kernel]] int x); // expected-error {{'ka::kernel' applies to functions only}}
void statements(void) {
  [[ka::kernel]] int x; // expected-error {{'ka::kernel' applies to functions only}}
  [[ka::kernel]] for (;;) break; // expected-error {{'kernel' attribute cannot be applied to a statement}}
  [[ka::kernel]] extern void inner(void); // expected-error {{kernel 'inner' must be declared at file scope}}
}
// Nor has clang GNU's nested functions.
[[ka::kernel]] void nests(int *p) {
  int nested(int x) { return x; } // expected-error {{function definition is not allowed here}}
  *p = 1;
}
#pragma clang attribute push(__attribute__((ka_kernel)), apply_to = function) // expected-error {{attribute 'ka_kernel' is not supported by '#pragma clang attribute'}}
#endif
