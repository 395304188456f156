// Between the stores and loads of a collective, and before its slots are used again, all items of the group meet: in each
// of the two variants of a kernel three times for a combination, of which one item goes through the slots, else
// twice. (Drivers that run the items one after the other would do without some of them.)
// RUN: %ka-emit=spirv-text -DWHAT='ka_sub_group_reduce_add(p[i])' %s | grep -c OpControlBarrier | grep -x 6
// RUN: %ka-emit=spirv-text -DWHAT='ka_group_scan_max(p[i])' %s | grep -c OpControlBarrier | grep -x 6
// RUN: %ka-emit=spirv-text -DWHAT='ka_sub_group_shuffle(p[i],1)' %s | grep -c OpControlBarrier | grep -x 4
// RUN: %ka-emit=spirv-text -DWHAT='ka_sub_group_ballot(p[i])' %s | grep -c OpControlBarrier | grep -x 6
#include <ka/kernel.h>

[[ka::kernel]] void k(int *p, unsigned long *to)
{
    size_t i = ka_global_id(0);
    to[i] = (unsigned long)WHAT;
}
