//===- recompute.h - What items work out from their ids ------------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_RECOMPUTE_H
#define KA_COMPILER_TARGETS_SPIRV_RECOMPUTE_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// In a kernel whose barriers stand in straight code, works out addresses and other simple
/// functions of an item's ids again after each barrier.
void recomputeAfterBarriers(llvm::Function &F);

} // namespace ka::spirv

#endif
