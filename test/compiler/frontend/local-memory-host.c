// Group memory in functions that no kernel calls; a helper that is not used here is no error.
// RUN: %ka-verify -std=c23 %s
#include <ka/ka.h>
void exported(void) { ka_local int a[4]; a[0] = 1; } // expected-error {{group memory 'a' in 'exported', which no kernel calls}}
static void used(void) { ka_local int b[4]; b[0] = 1; } // expected-error {{group memory 'b' in 'used', which no kernel calls}}
void host(void) { used(); }
static inline void unused(void) { ka_local int c[4]; c[0] = 1; }
static inline void helper(int *p) { ka_local int d[4]; d[0] = *p; *p = d[1]; }
[[ka::kernel]] void k(int *p) { helper(p); }
