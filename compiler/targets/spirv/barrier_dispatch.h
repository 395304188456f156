//===- barrier_dispatch.h - Barriers in branches and loops ---------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_BARRIER_DISPATCH_H
#define KA_COMPILER_TARGETS_SPIRV_BARRIER_DISPATCH_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Rewrites a kernel with barriers in branches or loops so that one barrier
/// remains, in one loop that every item goes through. Kernels with barriers in
/// straight code only are left alone: false.
bool dispatchBarriers(llvm::Function &F);

} // namespace ka::spirv

#endif
