// What hints come to on the device: promises about pointers and group sizes arrive.
// RUN: %ka-emit=spirv-text -std=gnu23 %s | FileCheck %s
#include <ka/kernel.h>

// CHECK-DAG: OpExecutionMode %[[SIZED:.*]] LocalSize 8 4 1
// CHECK-DAG: OpName %[[IN:.*]] "only_read"
// CHECK-DAG: OpDecorate %[[IN]] FuncParamAttr NoAlias
// CHECK-DAG: OpDecorate %[[IN]] FuncParamAttr NoWrite
[[ka::kernel]] void promises(float *restrict out, const float *restrict only_read)
{
    out[ka_global_id(0)] = only_read[ka_global_id(0)];
}
[[ka::kernel, ka::group_size(8, 4)]] void sized(float *p) { p[ka_global_id(0)] = 1; }
