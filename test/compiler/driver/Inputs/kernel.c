#include <ka/ka.h>
[[ka::kernel]] void scale(float a, float *x) { x[ka_global_id(0)] *= a; }
