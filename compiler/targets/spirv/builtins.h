//===- builtins.h - ka's work-item functions as OpenCL's ------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_BUILTINS_H
#define KA_COMPILER_TARGETS_SPIRV_BUILTINS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Replaces calls of ka_ functions; linear ids must have been expanded.
void replaceWorkItemFunctions(llvm::Function &F);

} // namespace ka::spirv

#endif
