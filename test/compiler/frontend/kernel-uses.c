// A kernel is launched, or called by device code; nothing else.
// RUN: %ka-verify -std=c23 %s
#include <ka/ka.h>
[[ka::kernel]] void k(int *p) { *p = 1; }
void (*at_file_scope)(int *) = k; // expected-error {{kernel 'k' can only be launched with ka_launch: it has no address}}
static void helper(int *p) { k(p); }
[[ka::kernel]] void caller(int *p) { k(p); helper(p); }
void host(int *p) {
  k(p); // expected-error {{kernel 'k' called outside of ka_launch; write ka_launch(backend, range, k(arguments))}}
  void *address = &k; // expected-error {{kernel 'k' can only be launched with ka_launch: it has no address}}
  (void)address;
  typeof(k) *never_evaluated = 0;
  (void)sizeof(&k);
  (void)never_evaluated;
}
