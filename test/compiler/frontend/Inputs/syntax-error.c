#include <ka/ka.h>
static int counter;
[[ka::kernel]] void k(int *p) { *p = counter; }
int broken = 1 + ;
