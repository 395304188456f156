//===- phi_edges.h - One edge between blocks where phis ask for it --------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_PHI_EDGES_H
#define KA_COMPILER_TARGETS_SPIRV_PHI_EDGES_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// LLVM's phis have a value for each edge, so several for a block that a switch
/// leads to by several cases; SPIR-V's have one for each preceding block. Such
/// edges come together in a block of their own first.
void joinPhiEdges(llvm::Function &F);

} // namespace ka::spirv

#endif
