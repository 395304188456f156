//===- barrier_stops.h - Groups that end at a barrier --------------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_BARRIER_STOPS_H
#define KA_COMPILER_TARGETS_SPIRV_BARRIER_STOPS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// All items come by the same barriers, each once, until they end.
bool hasStraightBarriers(llvm::Function &F);

/// In a kernel with such barriers: items that end come by the barriers that are left, and groups
/// in which an item has trapped end at the next one.
void stopAtBarriers(llvm::Function &F);

} // namespace ka::spirv

#endif
