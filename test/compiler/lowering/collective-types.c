// Values of types that reductions do not take are errors of the C compiler.
// RUN: %ka-verify %s
#include <ka/kernel.h>

struct pair { int a, b; };

[[ka::kernel]] void types(struct pair *p, float *f)
{
    struct pair v = p[0];
    (void)ka_sub_group_reduce_add(v); // expected-error {{controlling expression type 'struct pair' not compatible with any generic association type}}
    (void)ka_group_reduce_and(f[0]); // expected-error {{controlling expression type 'float' not compatible with any generic association type}}
}
