// Clang's warning of an attribute that it does not know says which of ka's was meant.
// RUN: %ka-verify -std=c23 %s
// RUN: not %ka-cc -std=c23 -fsyntax-only -Werror=unknown-attributes %s 2>&1 | FileCheck %s
// CHECK: misspelt-attributes.c:[[#@LINE+7]]:{{.*}} error: unknown attribute 'kernl' ignored; did you mean 'ka::kernel'? [-Werror,-Wunknown-attributes]
// CHECK-NEXT: [[ka::kernl]]
// CHECK-NEXT: ^
// CHECK: 1 warning and 13 errors generated.
// RUN: %ka-cc -std=c23 -fsyntax-only -Wno-unknown-attributes -Wno-ignored-attributes %s 2>&1 | count 0
#include <ka/ka.h>

[[ka::kernl]] void k(void); // expected-warning {{unknown attribute 'kernl' ignored; did you mean 'ka::kernel'?}}
[[ka::kernel, ka::grup_size(64)]] void g(void); // expected-warning {{unknown attribute 'grup_size' ignored; did you mean 'ka::group_size'?}}
[[using_ka::kernel]] void other_scope(void); // expected-warning-re {{unknown attribute 'kernel' ignored{{$}}}}
[[ka::unsafe_index, ka :: Kernel]] void u(void); // expected-warning {{did you mean 'ka::unsafe_indices'?}} expected-warning {{did you mean 'ka::kernel'?}}
[[ka_kernel]] void plain(void); // expected-warning {{unknown attribute 'ka_kernel' ignored; did you mean 'ka::kernel'?}}
__attribute__((ka_kernl)) void gnu(void); // expected-warning {{unknown attribute 'ka_kernl' ignored; did you mean 'ka_kernel'?}}
__attribute__((ka_groupsize(3))) void gnu_size(void); // expected-warning {{unknown attribute 'ka_groupsize' ignored; did you mean 'ka_group_size'?}}
[[ka::entirely_different]] void far(void); // expected-warning-re {{unknown attribute 'entirely_different' ignored{{$}}}}
[[kernels]] void not_ours(void); // expected-warning-re {{unknown attribute 'kernels' ignored{{$}}}}
__attribute__((kernel)) void of_opencl(void); // expected-warning {{'kernel' attribute ignored; did you mean 'ka_kernel'?}}
[[kernel]] void no_scope(void); // expected-warning {{unknown attribute 'kernel' ignored; did you mean 'ka::kernel'?}}
#define MARK [[ka::kerne]]
MARK void in_macro(void); // expected-warning {{unknown attribute 'kerne' ignored; did you mean 'ka::kernel'?}}
void f(void) {
  [[ka::local]] float tile[3]; // expected-warning {{unknown attribute 'local' ignored; did you mean 'ka_local'?}}
}
