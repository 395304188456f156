// Device code does not depend on what was chosen for the host.
// RUN: %ka-emit=frontend-llvm -std=gnu17 -O2 %s > %t.base
// RUN: FileCheck %s < %t.base
// RUN: %ka-emit=frontend-llvm -std=gnu17 -fsanitize=address,undefined %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 -fstack-protector-all -O3 %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 -finstrument-functions -pg %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 -fprofile-instr-generate -fcoverage-mapping %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 --coverage %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 -g -gsplit-dwarf %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 -frounding-math -ffp-exception-behavior=strict %s | diff %t.base -
// RUN: %ka-emit=frontend-llvm -std=gnu17 -fxray-instrument -fcf-protection %s | grep -v '^!' > %t.cf
// RUN: FileCheck %s < %t.cf
// RUN: %ka-emit=frontend-llvm -std=gnu17 -O0 -ftrapv %s | FileCheck --check-prefix=TRAPV %s
#include <ka/ka.h>
#include <math.h>
#include <string.h>

// CHECK-DAG: @table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
static const int table[4] = {1, 2, 3, 4};
static int unused_table[1000] = {5};

// CHECK-NOT: host_only
// CHECK-NOT: unused_table
// CHECK-NOT: optnone
// CHECK-NOT: annotation
// What traps on the host traps in kernels.
// TRAPV: call void @llvm.ubsantrap(i8 12)
void host_only(int *p) { *p = unused_table[0]; }
static int after(int x);
static inline int helper(int x) { return after(x) * table[x & 3]; }

// Loads what the tuple holds, then calls the kernel as the host's C would.
// CHECK-DAG: define {{.*}}@ka.entry.k(ptr
// CHECK-DAG: define {{.*}}@k(ptr {{.*}}, float {{.*}}) {{.*}}!dbg
__attribute__((ka_kernel)) void k(int *p, float f) {
  p[ka_global_id(0)] = helper((int)sqrtf(f)) + (int)sinf(f);
  ka_barrier();
}
// No errno: square roots can be intrinsics.
// CHECK-DAG: call float @llvm.sqrt.f32
// CHECK-DAG: define internal i32 @after(
static int after(int x) { return x + 1; }
