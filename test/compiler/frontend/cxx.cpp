// Kernels in C++: mangled names, namespaces, templates that kernels call, inline kernels.
// RUN: %ka-cc -std=c++17 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %ka-emit=metadata -std=c++17 %s | FileCheck --check-prefix=META %s
// RUN: %ka-emit=frontend-llvm -std=c++17 %s | FileCheck --check-prefix=DEVICE %s
#include <ka/ka.h>

template <typename T> T square(T x) { return x * x; }
struct complex {
  float re, im;
  complex operator*(const complex &o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  float norm() const { return square(re) + square(im); }
};

constexpr float table[3] = {1, 2, 3};
struct counted {
  int *p;
  explicit counted(int *q) : p(q) { ++*p; }
  ~counted() { --*p; }
};
// DEVICE-DAG: @_ZL5table = internal constant [3 x float]
// DEVICE-DAG: define {{.*}}@_ZN7countedD2Ev(
[[ka::kernel]] void objects(int *p, float *x) {
  counted c(p);
  for (float &f : *reinterpret_cast<float(*)[3]>(x))
    f *= table[1];
  if constexpr (sizeof(*x) == 8)
    __builtin_printf("never");
}

namespace physics {
[[ka::kernel]] void step(complex *z, complex factor, float *out) {
  size_t i = ka_global_id(0);
  auto scale = [&](float f) { return f * factor.re; };
  z[i] = z[i] * factor;
  out[i] = scale(z[i].norm());
}
}
extern "C" [[ka::kernel]] void c_name(int *p) { *p = 1; }
[[ka::kernel]] inline void from_header(int *p) { *p = 2; }
template <typename T> ka_status launch_with(ka_backend *be, T *p) {
  return ka_launch(be, ka_range(1), c_name(p));
}

// CHECK-DAG: @ka.kernel._ZN7physics4stepEP7complexS0_Pf = {{.*}}global %struct.ka__kernel
// CHECK-DAG: @ka.kernel.c_name = {{.*}}global %struct.ka__kernel
// CHECK-DAG: @ka.kernel._Z11from_headerPi = weak {{.*}}global %struct.ka__kernel
// CHECK-DAG: call i32 @ka__launch({{.*}}@ka.kernel._ZN7physics4stepEP7complexS0_Pf, {{.*}}, i64 noundef 24)
// CHECK-DAG: call i32 @ka__launch({{.*}}@ka.kernel.c_name, {{.*}}, i64 noundef 8)
ka_status run(ka_backend *be, complex *z, float *out, int *p) {
  ka_status s = ka_launch(be, ka_range(1), physics::step(z, {1, 2}, out));
  s = ka_launch(be, ka_range(1), from_header(p));
  auto later = [=] { return ka_launch(be, ka_range(1), c_name(p)); };
  return s ? s : s = launch_with(be, p), later();
}
// META: "name": "objects",
// META: "name": "physics::step",
// META-NEXT: "symbol": "_ZN7physics4stepEP7complexS0_Pf",
// META: "name": "c_name",
// META-NEXT: "symbol": "c_name",
// DEVICE-DAG: define {{.*}}@ka.entry._ZN7physics4stepEP7complexS0_Pf(
// DEVICE-DAG: define {{.*}}@_Z6squareIfET_S0_(

// Pointers of base classes are found as well: ka_free has to know them.
struct base { float *inherited; };
struct derived : base { int n; };
struct holder { derived d[2]; };
[[ka::kernel]] void bases(holder h) { h.d[0].inherited[0] = 1; }
// META: "name": "bases",
// META: "path": "d[0].inherited"
// META: "path": "d[1].inherited"
