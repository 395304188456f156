#include <ka/ka.h>
ka_status run_first(int n), run_second(int n);
[[ka::kernel]] void shared_first(int n, float *p);
[[ka::kernel]] void shared_second(int n, float *p);
int main(void) {
#ifdef CALL
  shared_first(1, NULL);
#endif
  return run_first(1) | run_second(2) | ka_launch(NULL, ka_range(1), shared_second(3, NULL));
}
