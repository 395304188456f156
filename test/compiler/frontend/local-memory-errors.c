// Where group memory can stand and what it can hold.
// RUN: %ka-verify -std=gnu23 %s
#include <ka/ka.h>

ka_local int at_file_scope; // expected-error {{group memory belongs to a kernel: 'ka_local' needs a variable of function scope}}
struct s { ka_local int member; }; // expected-error {{'ka_local' applies to variables of function scope and to pointer parameters only}}
ka_local int function(void); // expected-error {{'ka_local' applies to variables of function scope and to pointer parameters only}}

struct list { struct list *next; };

[[ka::kernel]] void k(int *p, int n) {
  ka_local int *pointer; // expected-error {{group memory 'pointer' cannot hold pointers; a pointer into group memory is declared without 'ka_local'}}
  ka_local struct list lists[3]; // expected-error {{group memory 'lists' cannot hold pointers}}
  ka_local long double wide; // expected-error {{group memory 'wide' cannot have type 'long double': it exists on the host only; use double}}
  ka_local int from_id = ka_global_id(0); // expected-error {{initializer element is not a compile-time constant}}
  extern ka_local int elsewhere; // expected-error {{'ka_local' needs a variable of function scope}}
  ka_local int fine[4] = {1, 2};
  p[0] = fine[n];
}
