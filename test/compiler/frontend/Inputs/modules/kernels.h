#include <ka/ka.h>
static const int table[2] = {5, 6};
static inline int from_module(int x) { return table[x & 1] + ka_group_reduce_add(x); }
[[ka::kernel]] static inline void of_module(int *p) { *p = from_module(*p); }
static inline ka_status launch_of_module(ka_backend *be, int *p) { return ka_launch(be, ka_range(1), of_module(p)); }
