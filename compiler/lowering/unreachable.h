//===- unreachable.h - Control flow without impossible paths --------------===//
#ifndef KA_COMPILER_LOWERING_UNREACHABLE_H
#define KA_COMPILER_LOWERING_UNREACHABLE_H

#include "llvm/IR/Function.h"

namespace ka {

/// Leaves no block that ends in `unreachable`, but for traps (traps.h): a switch whose default
/// cannot be reached takes a case as its default. Such a block would count as a way out of the
/// kernel, and so as a reason why items miss a barrier; PoCL then even gives all items of a group
/// the path of the first (measured).
void removeUnreachable(llvm::Function &F);

} // namespace ka

#endif
