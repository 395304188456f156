//===- hints.h - Drop what only informs the optimiser ---------------------===//
#ifndef KA_COMPILER_LOWERING_HINTS_H
#define KA_COMPILER_LOWERING_HINTS_H

#include "llvm/IR/Function.h"

namespace ka {

/// Drops assumptions, lifetimes, scopes and expectations. Targets do not take
/// them, and what was assumed of a work-item is not true of one that the range
/// guard keeps from acting.
void dropHints(llvm::Function &F);

} // namespace ka

#endif
