// The functions that are macros cause no warnings, also within each other's arguments, and take values as
// they lie in memory, qualifiers included.
// RUN: %ka-verify -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -Wno-c23-extensions --no-system-header-prefix=ka/ %s
// RUN: %ka-verify -std=c23 -Wall -Wextra -Wpedantic -Wshadow -Werror --no-system-header-prefix=ka/ %s
// RUN: %ka-verify -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror --no-system-header-prefix=ka/ %s
// expected-no-diagnostics
#include <ka/kernel.h>

struct pair { int a; float b[3]; };

__attribute__((ka_kernel)) void nested(int *p, float *f, struct pair *s, unsigned long *m)
{
    size_t i = ka_global_id(0);
    p[i] = ka_sub_group_reduce_add(ka_sub_group_scan_add(ka_group_scan_exclusive_max(p[i])));
    p[i] = ka_sub_group_shuffle(ka_sub_group_shuffle_up(p[i], 1), (unsigned)ka_sub_group_reduce_and(p[i] & 15));
    f[i] = ka_group_reduce_min(ka_sub_group_reduce_max(ka_sub_group_shuffle_xor(f[i], 1)));
    s[i] = ka_sub_group_shuffle_width(ka_sub_group_shuffle_down(s[i], 2), 3, 4);
    f[i] += ka_sub_group_shuffle(s[i], 1).b[1];
    m[i] = (unsigned long)ka_sub_group_match_any(ka_sub_group_match_any(p[i]));
}

__attribute__((ka_kernel)) void qualified(const int *c, const volatile float *v, const struct pair *s, const char *const *t, int *out)
{
    size_t i = ka_global_id(0);
    const int once = c[i];
    out[i] = ka_sub_group_reduce_add(once) + ka_group_scan_xor(c[i]) + (int)ka_sub_group_reduce_max(v[i])
             + ka_sub_group_shuffle(s[i], 1).a + *ka_sub_group_shuffle(t[i], 0);
}
