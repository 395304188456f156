//===- skipped_values.h - What items bring along that skipped a block ------------===//
#ifndef KA_COMPILER_LOWERING_SKIPPED_VALUES_H
#define KA_COMPILER_LOWERING_SKIPPED_VALUES_H

#include "llvm/IR/Function.h"

namespace ka {

/// A value of a block that can now be skipped is zero for those who skipped it; not undefined,
/// since PoCL 6 runs LLVM's InstCombine, and ends the process where that needs a second round.
void zeroSkippedValues(llvm::Function &F);

} // namespace ka

#endif
