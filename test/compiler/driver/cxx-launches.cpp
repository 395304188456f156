// Launches from what C++ has beside functions: templates, generic lambdas, classes; and kernels in namespaces,
// overloaded, with default arguments. Each adds its number to a sum.
// RUN: %kaccxx -std=c++20 -Wall -Wextra -Werror %s -o %t
// RUN: %t
#include <cstdio>
#include <ka/ka.h>

namespace outer {
namespace inner { [[ka::kernel]] void k(int *p) { *p += 1; } }
inline namespace v1 { [[ka::kernel]] void k(int *p) { *p += 10; } }
}
namespace { [[ka::kernel]] void unnamed(int *p) { *p += 100; } }
[[ka::kernel]] void overloaded(int *p) { *p += 1000; }
[[ka::kernel]] void overloaded(int *p, short) { *p += 10000; }
[[ka::kernel]] void defaulted(int *p, int n = 100000) { *p += n; }
[[ka::kernel]] auto trailing(int *p) noexcept -> void { *p += 1000000; }
extern "C" { [[ka::kernel]] void of_c(int *p) { *p += 10000000; } }

template <class T> void from_template(ka_backend *be, T *p) {
  KA_CHECK(ka_launch(be, ka_range(1), outer::inner::k(p)));
  KA_CHECK(ka_launch(be, ka_range(1), outer::k(static_cast<int *>(p))));
  KA_CHECK(ka_launch(be, ka_range(1), unnamed((int *)p)));
}
template <class T> struct from_class {
  T *p;
  void launch(ka_backend *be) { KA_CHECK(ka_launch(be, ka_range(1), overloaded(p))); }
  static void launch_static(ka_backend *be, int *q) { KA_CHECK(ka_launch(be, ka_range(1), overloaded(q, T()))); }
};
struct from_constructor {
  from_constructor(ka_backend *be, int *p) { KA_CHECK(ka_launch(be, ka_range(1), trailing(p))); }
};
// Never instantiated: what it says of kernels says nothing.
template <class T> void never(T *p) { overloaded((int *)p); }

int main() {
  ka_backend *be = ka_default_backend();
  if (!be) {
    printf("no backend: %s\n", ka_error_message());
    return 0;
  }
  auto *p = static_cast<int *>(ka_alloc_zeroed(be, sizeof(int)));
  from_template(be, p);
  from_class<int>{p}.launch(be);
  from_class<short>::launch_static(be, p);
  [&] { KA_CHECK(ka_launch(be, ka_range(1), defaulted(p))); }();
  from_constructor made(be, p);
  auto generic = [](ka_backend *b, auto *q) { KA_CHECK(ka_launch(b, ka_range(1), of_c((int *)q))); };
  generic(be, p);
  KA_CHECK(ka_synchronize(be));
  if (*p != 11111111)
    fprintf(stderr, "%d\n", *p);
  return *p != 11111111;
}
