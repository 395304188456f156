//===- arithmetic.cpp - LLVM's intrinsics as plain instructions -----------===//

#include "compiler/targets/spirv/arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

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
}
