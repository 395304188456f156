// A wrong number of arguments for the macros of ka/ka.h is an error that says how many there should be.
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -std=c23 -fsyntax-only -DWRONG -Xclang -verify %s
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -x c++ -std=c++17 -fsyntax-only -DWRONG -Xclang -verify %s
//
// Right numbers give no warning, whatever the standard.
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -std=c99 -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Wpedantic -Werror %s
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -std=c17 -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Wpedantic -Werror %s
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -std=c23 -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Wpedantic -Werror %s
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -x c++ -std=c++11 -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Wpedantic -Werror %s
// RUN: %clang -fplugin=%plugin -D__KA__=1 -I %S/../../../include -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wsign-conversion -Wpedantic -Werror %s
// RUN: gcc -std=c99 -I %S/../../../include -fsyntax-only -Wall -Wextra -Wconversion -Wpedantic -Werror %s
// RUN: g++ -x c++ -std=c++11 -I %S/../../../include -fsyntax-only -Wall -Wextra -Wconversion -Wpedantic -Werror %s
#include <ka/ka.h>

#ifdef __KA__
__attribute__((ka_kernel)) void kernel(int *p, int n);
#endif

#ifdef WRONG

void counts(ka_backend *be, ka_kernel *k, ka_ndrange r) {
  r = ka_range(); // expected-error {{'ka_range_takes_1_to_3_extents'}}
  r = ka_range(1, 2, 3, 4); // expected-error {{'ka_range_takes_1_to_3_extents'}}
  r = ka_range(1, 2, 3, 4, 5, 6, 7, 8); // expected-error {{'ka_range_takes_1_to_3_extents'}}
  r = ka_with_group(r, ); // expected-error {{'ka_with_group_takes_a_range_and_1_to_3_extents'}}
  r = ka_with_group(r, 1, 2, 3, 4); // expected-error {{'ka_with_group_takes_a_range_and_1_to_3_extents'}}
  r = ka_with_offset(r, ); // expected-error {{'ka_with_offset_takes_a_range_and_1_to_3_offsets'}}
  r = ka_with_offset(r, 1, 2, 3, 4); // expected-error {{'ka_with_offset_takes_a_range_and_1_to_3_offsets'}}
  (void)ka_launch(be, r); // expected-error {{'ka_launch_takes_a_backend_a_range_and_the_call_of_a_kernel'}}
  (void)ka_launch_tuple(k, r); // expected-error {{'ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel'}}
  (void)ka_launch_tuple(k, r, &r, sizeof r, 1); // expected-error {{'ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel'}}
}

#else

#define THREE (3)
#define PAIR(a, b) ((a) + (b))
static int extent(int a, int b) { return a + b; }

ka_status counts(ka_backend *be, ka_kernel *k, int *p, int n, short s);
ka_status counts(ka_backend *be, ka_kernel *k, int *p, int n, short s) {
  ka_ndrange r = ka_range(n);
  r = ka_range((n), n + 1, -(-n));
  r = ka_range((size_t)n + 1, (size_t)(n));
  r = ka_range((n) + (n));
  r = ka_range(extent(n, n));
  r = ka_range(THREE);
  r = ka_range(PAIR(1, 2), s, THREE);
  r = ka_range(n ? n : 1);
  r = ka_with_group(ka_range(n, n), (n), extent(1, 2));
  r = ka_with_offset(ka_with_group(ka_range(extent(n, (int)ka_range(n).dimensions)), 1), THREE);
#ifdef __KA__
  (void)ka_launch(be, ka_range(n), kernel(p, n));
  (void)ka_launch(be, ka_range(n), (kernel)(p, (int)ka_launch(be, r, kernel(p, 1))));
  (void)ka_launch(be, ka_range(n), (kernel(p, n)));
#else
  (void)be, (void)p;
#endif
  return ka_launch_tuple(k, r, (void *)0, (size_t)0);
}

#endif
