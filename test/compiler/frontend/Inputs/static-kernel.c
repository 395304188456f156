#include <ka/ka.h>
#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
[[ka::kernel]] static void same(int n, float f) { (void)n, (void)f; }
[[ka::kernel]] void PASTE(shared_, NAME)(int n, float *p) { p[ka_global_id(0)] = (float)n; }
ka_status PASTE(run_, NAME)(int n) {
  ka_status s = ka_launch(NULL, ka_range(1), same(n, 0));
  return s ? s : ka_launch(NULL, ka_range(1), PASTE(shared_, NAME)(n, NULL));
}
