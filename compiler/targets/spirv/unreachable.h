//===- unreachable.h - Control flow without impossible paths --------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_UNREACHABLE_H
#define KA_COMPILER_TARGETS_SPIRV_UNREACHABLE_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Leaves no block that ends in `unreachable`: a switch whose default cannot be
/// reached takes a case as its default. PoCL's handling of barriers takes such a
/// block for a way out of the kernel, and then gives all items of a group the
/// path of the first (measured).
void removeUnreachable(llvm::Function &F);

} // namespace ka::spirv

#endif
