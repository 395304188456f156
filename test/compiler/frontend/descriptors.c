// What a translation unit with kernels holds for libka.
// RUN: %ka-cc -std=c23 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %ka-cc -std=c23 -fvisibility=hidden -S -emit-llvm %s -o - | FileCheck --check-prefix=HIDDEN %s
// RUN: %ka-cc -std=c23 -fPIC -c -fsanitize=address %s -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck --check-prefix=SECTION %s
// RUN: %ka-cc -std=c23 -c %s -o %t.o
// RUN: llvm-objdump --offloading %t.o | FileCheck --check-prefix=IMAGES %s
#include <ka/ka.h>
[[ka::kernel]] void plain(int *p) { *p = 1; }
[[ka::kernel]] static void internal(int *p) { *p = 2; }
[[ka::kernel]] __attribute__((visibility("hidden"))) void hidden(int *p) { *p = 3; }
[[ka::kernel]] __attribute__((weak)) void weak(int *p) { *p = 4; }
[[ka::kernel]] void elsewhere(int *p);
[[ka::kernel]] void renamed(int *p) __asm__("other_name");
void renamed(int *p) { *p = 5; }
ka_status use(ka_backend *be, int *p) { return ka_launch(be, ka_range(1), elsewhere(p)) | ka_launch(be, ka_range(1), internal(p)); }

// CHECK-DAG: @ka.kernel.plain = dso_local global %struct.ka__kernel { ptr @ka.module, ptr @{{.*}}, i32 0, i32 0, ptr null }
// CHECK-DAG: @ka.kernel.internal = internal global %struct.ka__kernel { ptr @ka.module, ptr @{{.*}}, i32 1, i32 0, ptr null }
// CHECK-DAG: @ka.kernel.hidden = hidden global %struct.ka__kernel { ptr @ka.module, ptr @{{.*}}, i32 2, i32 0, ptr null }
// CHECK-DAG: @ka.kernel.weak = weak dso_local global %struct.ka__kernel { ptr @ka.module, ptr @{{.*}}, i32 3, i32 0, ptr null }
// CHECK-DAG: @ka.kernel.other_name = dso_local global %struct.ka__kernel { ptr @ka.module, ptr @{{.*}}, i32 4, i32 0, ptr null }
// CHECK-DAG: @ka.kernel.elsewhere = external {{.*}}global %struct.ka__kernel
// CHECK-DAG: @ka.module = internal global %struct.ka__module { i32 2, i32 5, ptr @ka.bundle, i64 [[SIZE:[0-9]+]], ptr @{{.*}}, ptr null }
// CHECK-DAG: @ka.bundle = internal constant [{{[0-9]+}} x i8] {{.*}}, section ".llvm.offloading", align 8
// CHECK-DAG: @llvm.global_ctors = {{.*}} { i32 101, ptr @ka.module.register, ptr null }
// CHECK-DAG: @llvm.global_dtors = {{.*}} { i32 101, ptr @ka.module.unregister, ptr null }
// CHECK: define {{.*}}void @plain(
// CHECK: call void @ka__kernel_called(ptr noundef @ka.kernel.plain)

// HIDDEN-DAG: @ka.kernel.plain = hidden global
// HIDDEN-DAG: @ka.kernel.elsewhere = external {{.*}}global

// SECTION: .llvm.offloading{{ .*}} A {{ *}}0 {{ *}}0 {{ *}}8
// IMAGES: arch
