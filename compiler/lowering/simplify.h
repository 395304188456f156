//===- simplify.h - The optimisations that help device code ---------------===//
#ifndef KA_COMPILER_LOWERING_SIMPLIFY_H
#define KA_COMPILER_LOWERING_SIMPLIFY_H

#include "llvm/IR/Module.h"

namespace ka {

/// Dissolves the argument tuple and all that inlining left behind. No loop is
/// vectorised or unrolled: the device's compiler does that, for its device.
void simplify(llvm::Module &M);

/// A quick clean-up that makes no new intrinsics.
void tidy(llvm::Module &M);

} // namespace ka

#endif
