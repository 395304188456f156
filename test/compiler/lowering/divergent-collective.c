// A function of a sub-group or group that only some items may reach is an error; so is a value of
// a type that it does not take.
// RUN: %ka-verify %s
#include <ka/kernel.h>

[[ka::kernel]] void divergent(int *p)
{
    int v = p[ka_global_id(0)];
    if (v > 0) // expected-note {{items of a work-group part here}}
        v = ka_sub_group_reduce_add(v); // expected-error {{not every item of a work-group may reach this call of a sub-group or group function in kernel 'divergent'}}
    p[ka_global_id(0)] = v;
}

// Without a guard nothing but the author's word is at stake.
[[ka::kernel, ka::unsafe_indices]] void unguarded(int *p)
{
    int v = p[ka_local_id(0)];
    if (v > 0) // expected-note {{items of a work-group part here}}
        v = ka_sub_group_shuffle(v, 3); // expected-warning {{not every item of a work-group may reach this call of a sub-group or group function in kernel 'unguarded'}}
    p[ka_local_id(0)] = v;
}

// What the items of a sub-group share, those of the group need not.
[[ka::kernel]] void shared_by_sub_group(int *p)
{
    int v = p[ka_global_id(0)];
    if (ka_sub_group_any(v > 0)) // expected-note {{items of a work-group part here}}
        ka_sub_group_barrier(); // expected-error {{may reach this}}
    p[ka_global_id(0)] = v;
}

[[ka::kernel]] void shared_by_group(int *p)
{
    int v = p[ka_global_id(0)];
    if (ka_group_any(v > 0))
        v = ka_group_scan_max(v);
    p[ka_global_id(0)] = v;
}
