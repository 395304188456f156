// A launch passes the kernel's descriptor and a tuple of converted arguments.
// RUN: %ka-cc -std=c23 -O1 -S -emit-llvm %s -o - | FileCheck %s
#include <ka/ka.h>

struct pair { int a; char b; };
// CHECK-DAG: %struct.ka.tuple.many = type { i8, double, %struct.pair, ptr }
[[ka::kernel]] void many(char c, double d, struct pair s, const float *restrict p) { }
[[ka::kernel]] void declared(size_t n, int *p);
[[ka::kernel]] static void scratch(ka_local float *s, int n) { }
[[ka::kernel]] void nothing(void) { }
// CHECK-DAG: @ka.kernel.declared = external {{.*}}global %struct.ka__kernel
// CHECK-DAG: @ka.kernel.scratch = internal global %struct.ka__kernel
// CHECK-DAG: @ka.kernel.many = {{.*}}global %struct.ka__kernel

// Conversions are C's: an int to char and to double.
// CHECK-LABEL: define {{.*}}@launch_many(
// CHECK: store i8 65, ptr %[[T:[^,]+]], align 8
// CHECK: store double 7.000000e+00
// CHECK: call i32 @ka__launch({{.*}}ptr noundef nonnull @ka.kernel.many, ptr noundef nonnull %[[T]], i64 noundef 32)
ka_status launch_many(ka_backend *be, struct pair s, float *p) {
  return ka_launch(be, ka_range(10), many('A', 7, s, p));
}

// CHECK-LABEL: define {{.*}}@launch_declared(
// CHECK: store i64 -1
// CHECK: call i32 @ka__launch({{.*}}@ka.kernel.declared, {{.*}}, i64 noundef 16)
ka_status launch_declared(ka_backend *be, int *p) {
  return ka_launch(be, ka_range(10), declared(-1, p));
}

// The byte count takes the place of the pointer.
// CHECK-LABEL: define {{.*}}@launch_scratch(
// CHECK: store ptr inttoptr (i64 256 to ptr)
// CHECK: call i32 @ka__launch({{.*}}@ka.kernel.scratch, {{.*}}, i64 noundef 16)
ka_status launch_scratch(ka_backend *be) {
  return ka_launch(be, ka_range(10), scratch(ka_scratch(256), 3));
}

// CHECK-LABEL: define {{.*}}@launch_nothing(
// CHECK: call i32 @ka__launch({{.*}}@ka.kernel.nothing, ptr noundef null, i64 noundef 0)
ka_status launch_nothing(ka_backend *be) { return ka_launch(be, ka_range(10), nothing()); }

// In a statement expression, a condition, a loop, a nested argument.
// CHECK-LABEL: define {{.*}}@places(
// CHECK-COUNT-4: @ka.kernel.nothing
static int id(ka_status s) { return (int)s; }
int places(ka_backend *be) {
  int r = 0;
  for (int i = 0; i < 2 && !ka_launch(be, ka_range(1), nothing()); ++i)
    r += ({ ka_launch(be, ka_range(2), nothing()); });
  r += id(ka_launch(be, ka_range((size_t)id(ka_launch(be, ka_range(3), nothing()))), (nothing())));
  return r;
}
