// A product and a sum are two plain instructions, which may be contracted only where C allows it.
// RUN: %ka-emit=spirv-text %s | FileCheck %s --check-prefixes=CHECK,ON --implicit-check-not=Fast --implicit-check-not="= OpExtInst %"
// RUN: %ka-emit=spirv-text %s -ffp-contract=fast | FileCheck %s --implicit-check-not=Fast
// RUN: %ka-emit=spirv-text %s -ffast-math | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %ka-emit=spirv-text %s -ffp-contract=off | FileCheck %s --check-prefix=OFF
#include <ka/kernel.h>

// SPIR-V forbids contraction in whole kernels only; here in two, with a variant each.
// CHECK-DAG: OpEntryPoint Kernel %[[SEPARATE:[0-9]+]] "separate"
// CHECK-DAG: OpEntryPoint Kernel %[[SEPARATE2:[0-9]+]] "separate__ka_padded"
// CHECK-DAG: OpEntryPoint Kernel %[[NEGATED:[0-9]+]] "negated"
// CHECK-DAG: OpEntryPoint Kernel %[[NEGATED2:[0-9]+]] "negated__ka_padded"
// CHECK-DAG: OpExecutionMode %[[SEPARATE]] ContractionOff
// CHECK-DAG: OpExecutionMode %[[SEPARATE2]] ContractionOff
// CHECK-DAG: OpExecutionMode %[[NEGATED]] ContractionOff
// CHECK-DAG: OpExecutionMode %[[NEGATED2]] ContractionOff
// CHECK-NOT: ContractionOff
// FAST: FPFastMathMode Fast
// ON: OpFMul
// ON-NEXT: OpFAdd

// OFF: OpEntryPoint Kernel %[[SAXPY:[0-9]+]] "saxpy"
// OFF: OpEntryPoint Kernel %[[WITHOUT:[0-9]+]] "without"
// OFF-NOT: OpExecutionMode %[[WITHOUT]] ContractionOff
// OFF: OpExecutionMode %[[SAXPY]] ContractionOff
// OFF-NOT: OpExecutionMode %[[WITHOUT]] ContractionOff
[[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y)
{
    y[ka_global_id(0)] += a * x[ka_global_id(0)];
}

[[ka::kernel]] void separate(float a, const float *restrict x, float *restrict y)
{
#pragma STDC FP_CONTRACT OFF
    y[ka_global_id(0)] += a * x[ka_global_id(0)];
}

[[ka::kernel]] void negated(float a, const float *restrict x, float *restrict y)
{
#pragma STDC FP_CONTRACT OFF
    y[ka_global_id(0)] = x[0] + -(a * x[ka_global_id(0)]);
}

[[ka::kernel]] void without(float *y)
{
    y[ka_global_id(0)] += 1;
}
