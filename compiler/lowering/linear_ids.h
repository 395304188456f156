//===- linear_ids.h - Work-item functions in terms of a few ---------------===//
#ifndef KA_COMPILER_LOWERING_LINEAR_IDS_H
#define KA_COMPILER_LOWERING_LINEAR_IDS_H

#include "llvm/IR/Function.h"

namespace ka {

/// Computes the linear ids from the ids of each dimension, and makes local sizes
/// constants where the kernel has a static group size.
void expandLinearIds(llvm::Function &F);

} // namespace ka

#endif
