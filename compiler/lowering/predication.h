//===- predication.h - Items that come along but do nothing ---------------===//
#ifndef KA_COMPILER_LOWERING_PREDICATION_H
#define KA_COMPILER_LOWERING_PREDICATION_H

#include "llvm/IR/Function.h"

namespace ka {

/// Rewrites a function with barriers so that items for which `Active` is false
/// reach every barrier that their group reaches and have no other effect.
/// `Active` is a value of the entry block. Barriers must be under uniform
/// control (see divergence.h), the function must have one return.
void predicate(llvm::Function &F, llvm::Value *Active);

} // namespace ka

#endif
