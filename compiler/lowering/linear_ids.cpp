//===- linear_ids.cpp - Work-item functions in terms of a few -------------===//

#include "compiler/lowering/linear_ids.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ka;

namespace {

/// x varies fastest. `Offset`, if any, is taken off each id.
Value *linear(IRBuilder<> &B, WorkItemFunction Id, WorkItemFunction Size,
              std::optional<WorkItemFunction> Offset) {
  Value *Result = nullptr;
  for (int D = 2; D >= 0; --D) {
    Value *V = callWorkItemFunction(B, Id, D);
    if (Offset)
      V = B.CreateSub(V, callWorkItemFunction(B, *Offset, D));
    Result = Result ? B.CreateAdd(B.CreateMul(Result, callWorkItemFunction(B, Size, D)), V) : V;
  }
  return Result;
}

Value *localSize(IRBuilder<> &B, CallInst &Call) {
  const MDNode *Sizes = Call.getFunction()->getMetadata("reqd_work_group_size");
  if (!Sizes)
    return nullptr;
  auto Extent = [&](unsigned D) {
    return B.getInt64(mdconst::extract<ConstantInt>(Sizes->getOperand(D))->getZExtValue());
  };
  return selectDimension(B, Call.getArgOperand(0), Extent, 1);
}

Value *expand(IRBuilder<> &B, WorkItemFunction F, CallInst &Call) {
  using W = WorkItemFunction;
  switch (F) {
  case W::GlobalLinearId:
    return linear(B, W::GlobalId, W::GlobalSize, W::GlobalOffset);
  case W::LocalLinearId:
    return linear(B, W::LocalId, W::LocalSize, std::nullopt);
  case W::GroupLinearId:
    return linear(B, W::GroupId, W::NumGroups, std::nullopt);
  case W::LocalSize:
    return localSize(B, Call);
  default:
    return nullptr;
  }
}

} // namespace

void ka::expandLinearIds(Function &F) {
  // Linear ids first: they ask for local sizes.
  for (bool Sizes : {false, true})
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      std::optional<WorkItemFunction> W = workItemFunction(I);
      if (!W || (*W == WorkItemFunction::LocalSize) != Sizes)
        continue;
      IRBuilder<> B(&I);
      if (Value *V = expand(B, *W, cast<CallInst>(I))) {
        I.replaceAllUsesWith(V);
        I.eraseFromParent();
      }
    }
}
