//===- barrier_dispatch.h - Barriers under conditions ---------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_BARRIER_DISPATCH_H
#define KA_COMPILER_TARGETS_SPIRV_BARRIER_DISPATCH_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Rewrites a kernel whose barriers stand under conditions, or in loops with
/// several ways out, so that one barrier remains, in one loop. Kernels with
/// barriers in straight code and plain loops are left alone.
void dispatchBarriers(llvm::Function &F);

} // namespace ka::spirv

#endif
