// A product and a sum are two plain instructions, which may be contracted only where C allows it.
// RUN: %ka-emit=spirv-text %s | FileCheck %s --implicit-check-not=ContractionOff --implicit-check-not="= OpExtInst %"
// RUN: %ka-emit=spirv-text %s -ffp-contract=off | FileCheck %s --check-prefix=OFF --implicit-check-not="= OpExtInst %"
#include <ka/kernel.h>

// CHECK: OpFMul
// CHECK-NEXT: OpFAdd
// OFF: OpExecutionMode {{.*}} ContractionOff
// OFF: OpFMul
[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y)
{
    y[ka_global_id(0)] += a * x[ka_global_id(0)];
}
