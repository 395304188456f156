//===- capabilities.h - What a kernel asks of its device ------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_CAPABILITIES_H
#define KA_COMPILER_TARGETS_SPIRV_CAPABILITIES_H

#include "compiler/lowering/kernel.h"

namespace ka::spirv {

/// Sets the flags FP64, FP16, INT64_ATOMICS and GENERIC from the final code.
void setCapabilityFlags(DeviceModule &Device);

} // namespace ka::spirv

#endif
