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

/// The static group size; 0 if there is none.
uint64_t staticSize(const Function &F, unsigned D) {
  const MDNode *Sizes = F.getMetadata("reqd_work_group_size");
  return Sizes ? mdconst::extract<ConstantInt>(Sizes->getOperand(D))->getZExtValue() : 0;
}

Value *localSize(IRBuilder<> &B, CallInst &Call) {
  const Function &F = *Call.getFunction();
  if (!staticSize(F, 0))
    return nullptr;
  return selectDimension(
      B, Call.getArgOperand(0), [&](unsigned D) { return B.getInt64(staticSize(F, D)); }, 1);
}

/// Along a dimension in which a group has one item, its id is the group's, the
/// same for all items: a condition on it may lead to a barrier.
Value *idOfOnlyItem(IRBuilder<> &B, CallInst &Call, bool Global) {
  auto *D = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  if (!D || D->getValue().uge(3) || staticSize(*Call.getFunction(), D->getZExtValue()) != 1)
    return nullptr;
  if (!Global)
    return B.getInt64(0);
  return B.CreateAdd(callWorkItemFunction(B, WorkItemFunction::GroupId, D->getZExtValue()),
                     callWorkItemFunction(B, WorkItemFunction::GlobalOffset, D->getZExtValue()));
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
  case W::GlobalId:
    return idOfOnlyItem(B, Call, true);
  case W::LocalId:
    return idOfOnlyItem(B, Call, false);
  default:
    return nullptr;
  }
}

} // namespace

void ka::expandLinearIds(Function &F) {
  // Linear ids first: they ask for ids and local sizes.
  for (bool Linear : {true, false})
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      std::optional<WorkItemFunction> W = workItemFunction(I);
      bool IsLinear = W == WorkItemFunction::GlobalLinearId ||
                      W == WorkItemFunction::LocalLinearId || W == WorkItemFunction::GroupLinearId;
      if (!W || IsLinear != Linear)
        continue;
      IRBuilder<> B(&I);
      if (Value *V = expand(B, *W, cast<CallInst>(I))) {
        I.replaceAllUsesWith(V);
        I.eraseFromParent();
      }
    }
}
