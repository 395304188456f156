//===- exponential.h - The exponential function inline --------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_EXPONENTIAL_H
#define KA_COMPILER_TARGETS_SPIRV_EXPONENTIAL_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Replaces calls of OpenCL's exp for float by arithmetic, within 1 ulp.
/// PoCL does not inline its own into code that comes from SPIR-V (measured: the
/// bilateral filter lost a sixth of its speed to the calls).
void expandExponential(llvm::Function &F);

} // namespace ka::spirv

#endif
