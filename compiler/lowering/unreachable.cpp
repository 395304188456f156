//===- unreachable.cpp - Control flow without impossible paths ------------===//

#include "compiler/lowering/unreachable.h"
#include "compiler/lowering/traps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// Takes the edges to `Never` off a terminator. The default takes over the edge
/// of a case, so that its phis still fit.
void avoid(SwitchInst &S, BasicBlock *Never) {
  for (auto Case = S.case_begin(); Case != S.case_end();)
    if (Case->getCaseSuccessor() == Never)
      Case = S.removeCase(Case);
    else
      ++Case;
  if (S.getDefaultDest() != Never || S.getNumCases() == 0)
    return;
  auto Last = std::prev(S.case_end());
  S.setDefaultDest(Last->getCaseSuccessor());
  S.removeCase(Last);
}

void avoid(BranchInst &B, BasicBlock *Never) {
  if (B.isUnconditional() || B.getSuccessor(0) == B.getSuccessor(1))
    return;
  BranchInst::Create(B.getSuccessor(B.getSuccessor(0) == Never), B.getParent());
  B.eraseFromParent();
}

} // namespace

void ka::removeUnreachable(Function &F) {
  for (BasicBlock &B : make_early_inc_range(F)) {
    if (!isa<UnreachableInst>(B.getTerminator()) || endsWithTrap(B))
      continue;
    SmallVector<BasicBlock *, 4> Before(predecessors(&B));
    for (BasicBlock *P : Before) {
      if (auto *S = dyn_cast<SwitchInst>(P->getTerminator()))
        avoid(*S, &B);
      else if (auto *Branch = dyn_cast<BranchInst>(P->getTerminator()))
        avoid(*Branch, &B);
    }
    if (pred_empty(&B) && &B != &F.getEntryBlock()) {
      DeleteDeadBlock(&B);
      continue;
    }
    B.getTerminator()->eraseFromParent();
    ReturnInst::Create(F.getContext(), &B);
  }
}
