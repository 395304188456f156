//===- spirv_target.h - Kernels as a SPIR-V 1.2 module for OpenCL ---------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_SPIRV_TARGET_H
#define KA_COMPILER_TARGETS_SPIRV_SPIRV_TARGET_H

#include "compiler/targets/target.h"

namespace ka::spirv {

class SpirvTarget final : public Target {
public:
  llvm::StringRef name() const override { return "spirv"; }
  llvm::StringRef triple() const override { return "spirv64-unknown-unknown"; }
  bool legalise(DeviceModule &Device, DiagnosticHandler Report) const override;
  bool emit(DeviceModule &Device, llvm::SmallVectorImpl<char> &Image,
            DiagnosticHandler Report) const override;
};

} // namespace ka::spirv

#endif
