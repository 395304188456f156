//===- barrier_stops.h - Groups that end at a barrier --------------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_BARRIER_STOPS_H
#define KA_COMPILER_TARGETS_SPIRV_BARRIER_STOPS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// All items but those that trap come by all barriers, once.
bool hasStraightBarriers(llvm::Function &F);

/// In a kernel with such barriers: ends the groups in which an item has trapped at the next
/// barrier.
void stopAtBarriers(llvm::Function &F);

} // namespace ka::spirv

#endif
