//===- loop_counters.h - Counters of loops that items leave one by one ---------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_LOOP_COUNTERS_H
#define KA_COMPILER_TARGETS_SPIRV_LOOP_COUNTERS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// In a kernel whose barriers stand in straight code, keeps the driver from taking what items bring
/// out of a loop for the same, where each leaves the loop at a time of its own.
void hideLoopCounters(llvm::Function &F);

} // namespace ka::spirv

#endif
