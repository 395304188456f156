// What the attributes' own places and arguments may be.
// RUN: %ka-verify -std=c23 -ferror-limit=0 %s
#include <ka/ka.h>

[[ka::kernel]] int variable;                // expected-error {{'ka::kernel' applies to functions only}}
struct [[ka::kernel]] record { int x; };    // expected-error {{'ka::kernel' applies to functions only}}
[[ka::kernel(3)]] void with_argument(void); // expected-error {{'kernel' attribute takes no arguments}}
[[ka::group_size(4)]] int size_of_variable; // expected-error {{'ka::group_size' applies to functions only}}
[[ka::unsafe_indices]] int unsafe_variable; // expected-error {{'ka::unsafe_indices' applies to functions only}}
[[kernel]] void not_ours(void);             // expected-warning {{unknown attribute 'kernel' ignored}}
[[group_size(3)]] void not_ours_either(void); // expected-warning {{unknown attribute 'group_size' ignored}}

[[ka::kernel, ka::group_size(0)]] void zero(void);      // expected-error {{a group extent must be at least 1 and less than 2147483648, not 0}}
[[ka::kernel, ka::group_size(8, -1)]] void minus(void); // expected-error {{a group extent must be at least 1 and less than 2147483648, not -1}}
[[ka::kernel, ka::group_size(1ull << 40)]] void huge(void); // expected-error {{not 1099511627776}}
[[ka::kernel, ka::group_size(1024, 1024)]] void large(void); // expected-error {{a group of more than 65536 items does not fit any device}}
[[ka::kernel, ka::group_size(1.5)]] void fraction(void); // expected-error {{argument of 'ka::group_size' must be an integer constant expression}}
[[ka::kernel, ka::group_size("8")]] void text(void);     // expected-error {{argument of 'ka::group_size' must be an integer constant expression}}
int n;
[[ka::kernel, ka::group_size(n)]] void changing(void);   // expected-error {{argument of 'ka::group_size' must be an integer constant expression}}
[[ka::kernel, ka::group_size(n + 1)]] void sum(void);    // expected-error {{argument of 'ka::group_size' must be an integer constant expression}}
[[ka::kernel, ka::group_size(missing)]] void unknown(void); // expected-error {{use of undeclared identifier 'missing'}}
[[ka::kernel, ka::group_size()]] void none(void);        // expected-error {{'group_size' attribute takes at least 1 argument}}
[[ka::kernel, ka::group_size(1, 2, 3, 4)]] void four(void); // expected-error {{'group_size' attribute takes no more than 3 arguments}}

[[ka::kernel,
  ka::group_size(8),  // expected-note {{previous attribute is here}}
  ka::group_size(16)]] void twice(void); // expected-error {{group size differs from the one given before}}
[[ka::kernel, ka::group_size(8), ka::group_size(8, 1, 1)]] void same_twice(void);

[[ka::kernel, ka::group_size(8)]] void redeclared(void); // expected-note {{earlier group size is here}}
[[ka::group_size(4, 2)]] void redeclared(void); // expected-error {{group size of kernel 'redeclared' differs from the one of an earlier declaration}}

[[ka::group_size(8)]] void plain(void);   // expected-error {{a group size is for kernels only; mark 'plain' with [[ka::kernel]]}}
[[ka::unsafe_indices]] void plain2(void); // expected-error {{unsafe_indices is for kernels only; mark 'plain2' with [[ka::kernel]]}}
