//===- phi_edges.cpp - One edge between blocks where phis ask for it ------===//

#include "compiler/targets/spirv/phi_edges.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

void ka::spirv::joinPhiEdges(Function &F) {
  for (BasicBlock &B : make_early_inc_range(F)) {
    if (!isa<PHINode>(B.begin()))
      continue;
    SmallPtrSet<BasicBlock *, 8> Seen;
    SmallSetVector<BasicBlock *, 4> Twice;
    for (BasicBlock *From : predecessors(&B))
      if (!Seen.insert(From).second)
        Twice.insert(From);
    for (BasicBlock *From : Twice)
      SplitBlockPredecessors(&B, {From}, ".joined");
  }
}
