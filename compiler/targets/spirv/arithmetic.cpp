//===- arithmetic.cpp - LLVM's intrinsics as plain instructions -----------===//

#include "compiler/targets/spirv/arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// What is taken out of a pair that was just put together is the part itself. So
/// no pairs with integers of odd widths are left.
static void forwardParts(Function &F) {
  SmallVector<Instruction *, 8> Pairs;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isa<InsertValueInst>(I))
      Pairs.push_back(&I);
    auto *E = dyn_cast<ExtractValueInst>(&I);
    Value *Part = E ? FindInsertedValue(E->getAggregateOperand(), E->getIndices()) : nullptr;
    if (!Part)
      continue;
    E->replaceAllUsesWith(Part);
    E->eraseFromParent();
  }
  for (Instruction *I : reverse(Pairs))
    if (I->use_empty())
      I->eraseFromParent();
}

void ka::spirv::expandArithmetic(Function &F) {
  // An expansion may itself use intrinsics that are expanded next.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (!Intrinsic)
        continue;
      IRBuilder<> B(Intrinsic);
      Value *Result = expandInteger(B, *Intrinsic);
      if (!Result)
        Result = expandFloatingPoint(B, *Intrinsic);
      if (!Result)
        continue;
      Intrinsic->replaceAllUsesWith(Result);
      Intrinsic->eraseFromParent();
      Changed = true;
    }
  }
  forwardParts(F);
}
