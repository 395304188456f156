//===- loop_counters.cpp - Counters of loops that items leave one by one -------===//
//
// PoCL 6 takes a counter that starts at 0 and grows by 1 for the same in all items, and
// with it all that is made of it. Where items leave the loop at different times, that
// holds inside the loop only: behind the next barrier all items had the value of the
// last one. A counter that starts at a zero it does not know it leaves alone.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/loop_counters.h"
#include "compiler/lowering/divergence.h"
#include "compiler/targets/spirv/hidden_zero.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ka;

static bool bringsValuesOut(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *B) {
    return any_of(*B, [&](const Instruction &I) {
      return any_of(I.users(),
                    [&](const User *U) { return !L.contains(cast<Instruction>(U)->getParent()); });
    });
  });
}

void ka::spirv::hideLoopCounters(Function &F) {
  if (none_of(instructions(F), [](const Instruction &I) { return isSynchronising(I); }))
    return;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  if (Loops.empty())
    return;
  Divergence Walk(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    PHINode *Counter = L->getCanonicalInductionVariable();
    if (!Counter || !Walk.isDivergent(Counter) || !bringsValuesOut(*L))
      continue;
    IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (unsigned I = 0; I != Counter->getNumIncomingValues(); ++I)
      if (!L->contains(Counter->getIncomingBlock(I)))
        Counter->setIncomingValue(I, hiddenZero(B, Counter->getType()));
  }
}
