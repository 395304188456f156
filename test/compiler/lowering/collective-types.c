// Values of types that reductions do not take are errors of the C compiler, which say what they take.
// RUN: %ka-verify %s
#include <ka/kernel.h>

struct pair { int a, b; };
// expected-note@ka/sub_group.h:* 6 {{passing argument to parameter 'type' here}}

[[ka::kernel]] void types(struct pair *p, bool *b, float *f, float **q)
{
    struct pair v = p[0];
    (void)ka_sub_group_reduce_add(v); // expected-error {{'struct ka_this_takes_floating_numbers_and_integers_other_than_bool'}}
    (void)ka_sub_group_scan_max(b[0]); // expected-error {{'struct ka_this_takes_floating_numbers_and_integers_other_than_bool'}}
    (void)ka_group_reduce_add(q[0]); // expected-error {{'struct ka_this_takes_floating_numbers_and_integers_other_than_bool'}}
    (void)ka_sub_group_match_any(v); // expected-error {{'struct ka_this_takes_floating_numbers_and_integers_other_than_bool'}}
    (void)ka_group_reduce_and(f[0]); // expected-error {{'struct ka_this_takes_integers_other_than_bool'}}
    (void)ka_group_scan_exclusive_xor(b[0]); // expected-error {{'struct ka_this_takes_integers_other_than_bool'}}
}
