// ka_kernel_of takes the name of a kernel, which becomes its descriptor.
// RUN: %ka-cc -std=c23 -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %ka-cc -x c++ -std=c++17 -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=CXX %s
#include <ka/ka.h>

// CHECK-DAG: @ka.kernel.declared = external {{.*}}global %struct.ka__kernel
// CHECK-DAG: @ka.kernel.hidden = internal global %struct.ka__kernel
[[ka::kernel]] void declared(size_t n, int *p);
[[ka::kernel]] static void hidden(int *p) { *p = 1; }

// CHECK-LABEL: define {{.*}}@other_file(
// CHECK: call ptr @ka__kernel_of(ptr noundef %{{.*}}, ptr noundef nonnull @ka.kernel.declared)
// CXX: call ptr @ka__kernel_of({{.*}} @ka.kernel._Z8declaredmPi)
ka_kernel *other_file(ka_backend *be) { return ka_kernel_of(be, declared); }

// CHECK-LABEL: define {{.*}}@this_file(
// CHECK: call ptr @ka__kernel_of(ptr noundef %{{.*}}, ptr noundef nonnull @ka.kernel.hidden)
// CXX: call ptr @ka__kernel_of({{.*}} @ka.kernel._ZL6hiddenPi)
ka_kernel *this_file(ka_backend *be) { return ka_kernel_of(be, (hidden)); }
