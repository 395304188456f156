// A floating-point value that its integer cannot hold: any value, or the nearest if the option says so.
// RUN: %ka-emit=frontend-llvm -std=c23 %s | FileCheck --check-prefix=ANY %s
// RUN: %ka-emit=frontend-llvm -std=c23 -fno-strict-float-cast-overflow %s | FileCheck --check-prefix=NEAREST %s
#include <ka/ka.h>
// ANY: fptosi float {{.*}} to i32
// NEAREST: call i32 @llvm.fptosi.sat.i32.f32(
[[ka::kernel]] void k(int *p, float x) { *p = (int)x; }
