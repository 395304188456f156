// A barrier that only some items may reach is an error; without a range guard, a warning.
// RUN: %ka-verify %s
#include <ka/kernel.h>

[[ka::kernel]] void returns(int *p, int n)
{
    if (ka_global_id(0) >= (size_t)n) // expected-note {{items of a work-group part here}}
        return; // expected-note {{items of a work-group return here}}
    ka_barrier(); // expected-error {{not every item of a work-group may reach this barrier in kernel 'returns'}}
    p[ka_global_id(0)] = 1;
}

[[ka::kernel]] void loops(int *p)
{
    for (size_t i = 0; i < ka_local_id(0); i++) { // expected-note {{items of a work-group part here}}
        p[i] = 1;
        ka_barrier(); // expected-error {{may reach this barrier in kernel 'loops'}}
    }
}

static void helper(int *p, int by)
{
    if (p[by]) // expected-note {{items of a work-group part here}}
        ka_barrier(); // expected-error {{may reach this barrier in kernel 'calls'}}
}

[[ka::kernel]] void calls(int *p)
{
    helper(p, (int)ka_local_id(0)); // expected-note {{called}}
}

// Which dimension has one item in a group is known from the attribute alone.
[[ka::kernel, ka::group_size(64, 1)]] void rows(int *p, size_t n)
{
    if (ka_global_id(1) < n && ka_local_id(2) == 0) {
        ka_barrier();
        p[ka_global_id(0)] = 1;
    }
    if (ka_global_id(0) < n) // expected-note {{items of a work-group part here}}
        ka_barrier(); // expected-error {{may reach this barrier in kernel 'rows'}}
}

[[ka::kernel]] void columns(int *p, size_t n)
{
    if (ka_global_id(1) < n) // expected-note {{items of a work-group part here}}
        ka_barrier(); // expected-error {{may reach this barrier in kernel 'columns'}}
    p[0] = 1;
}

// An early return from a helper is one from the kernel's barriers.
static void early(int *p)
{
    if (ka_local_id(0) > 5) // expected-note {{items of a work-group part here}}
        return; // expected-note {{items of a work-group return here}}
    p[0] = 1;
    ka_barrier(); // expected-error {{may reach this barrier in kernel 'returns_in_helper', as some return before it}}
}

[[ka::kernel]] void returns_in_helper(int *p)
{
    early(p); // expected-note {{called}}
}

[[ka::kernel, ka::unsafe_indices]] void unsafe(int *p)
{
    if (p[ka_local_id(0)]) // expected-note {{items of a work-group part here}}
        ka_barrier(); // expected-warning {{may reach this barrier in kernel 'unsafe'}}
}

// Conditions that all items share are no fault.
[[ka::kernel]] void shares(int *p, const int *turns)
{
    if (ka_group_id(0) > 0 && turns[1])
        ka_barrier();
    int bounds[2] = {turns[2], 3};
    for (int i = 0; i < bounds[turns[3] & 1]; i++) {
        if (ka_local_id(0) == 0)
            p[i] = 1;
        ka_barrier();
        if (turns[i] == 2)
            break;
    }
    switch (turns[0]) {
    case 1:
        ka_barrier();
        break;
    default:
        p[ka_local_id(0)] = 2;
    }
}
