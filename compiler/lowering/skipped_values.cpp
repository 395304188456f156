//===- skipped_values.cpp - What items bring along that skipped a block ----------===//

#include "compiler/lowering/skipped_values.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

void ka::zeroSkippedValues(Function &F) {
  DominatorTree Dominators(F);
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      SmallVector<Use *, 4> Broken;
      for (Use &U : I.uses())
        if (!Dominators.dominates(&I, U))
          Broken.push_back(&U);
      if (Broken.empty())
        continue;
      SSAUpdater Updater;
      Updater.Initialize(I.getType(), I.getName());
      Updater.AddAvailableValue(&F.getEntryBlock(), Constant::getNullValue(I.getType()));
      Updater.AddAvailableValue(&B, &I);
      for (Use *U : Broken)
        Updater.RewriteUse(*U);
    }
}
