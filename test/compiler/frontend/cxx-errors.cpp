// What C++ has and kernels have not.
// RUN: %ka-verify -std=c++17 -fexceptions -Wno-unused %s
#include <ka/ka.h>
#include <typeinfo>

template <typename T> [[ka::kernel]] void templated(T *p) { } // expected-error {{kernel 'templated' cannot be a template; write a kernel that calls it}}
void instantiates(int *p, float *q) { templated(p), templated(q); } // reported once
template <typename T> struct of_class { [[ka::kernel]] static void k(T *p) { } }; // expected-error {{kernel 'k' cannot be a member function}}
template struct of_class<int>;
struct c {
  [[ka::kernel]] void member(); // expected-error {{kernel 'member' cannot be a member function}}
};
[[ka::kernel]] void deleted(int *) = delete; // expected-error {{kernel 'deleted' cannot be deleted}}
[[ka::kernel]] void reference(int &x); // expected-error {{parameter 'x' of kernel 'reference' cannot be passed: 'int &' is a reference; pass a pointer}}
struct owner { int *p; ~owner(); };
[[ka::kernel]] void owning(owner o); // expected-error {{'owner' is not trivially copyable}}

struct base { virtual int f() { return 1; } };
struct derived : base { int f() override { return 2; } };
[[ka::kernel]] void k(int *p, base *b) {
  p[0] = b->f(); // expected-error {{virtual calls are not supported in kernels}}
  if (auto *d = dynamic_cast<derived *>(b)) // expected-error {{'dynamic_cast' is not supported in kernels}}
    p[1] = 1;
  p[2] = &typeid(*b) == &typeid(derived); // expected-error 2 {{'typeid' is not supported in kernels}}
  int *n = new int; // expected-error {{'new' is not supported in kernels}}
  delete n;         // expected-error {{'delete' is not supported in kernels}}
  try { // expected-error {{exceptions are not supported in kernels}}
    throw 1; // expected-error {{exceptions are not supported in kernels}}
  } catch (...) {
  }
}
