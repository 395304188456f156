//===- work_items.cpp - The functions of ka/kernel.h in IR ----------------===//
//
// One table says what each is.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/work_items.h"
#include "compiler/lowering/calls.h"
#include "compiler/lowering/collectives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ka;

namespace {

struct Entry {
  WorkItemFunction Function;
  StringLiteral Name;
  bool HasDim;
  bool GroupUniform;
};

constexpr Entry Table[] = {
    {WorkItemFunction::GlobalId, "ka_global_id", true, false},
    {WorkItemFunction::LocalId, "ka_local_id", true, false},
    {WorkItemFunction::GroupId, "ka_group_id", true, true},
    {WorkItemFunction::GlobalSize, "ka_global_size", true, true},
    {WorkItemFunction::LocalSize, "ka_local_size", true, true},
    {WorkItemFunction::NumGroups, "ka_num_groups", true, true},
    {WorkItemFunction::GlobalOffset, "ka_global_offset", true, true},
    {WorkItemFunction::GlobalLinearId, "ka_global_linear_id", false, false},
    {WorkItemFunction::LocalLinearId, "ka_local_linear_id", false, false},
    {WorkItemFunction::GroupLinearId, "ka_group_linear_id", false, true},
    {WorkItemFunction::Barrier, "ka_barrier", false, true},
    {WorkItemFunction::SubGroupSize, "ka_sub_group_size", false, true},
    {WorkItemFunction::SubGroupMaxSize, "ka_sub_group_max_size", false, true},
    {WorkItemFunction::SubGroupCount, "ka_sub_group_count", false, true},
    {WorkItemFunction::SubGroupId, "ka_sub_group_id", false, false},
    {WorkItemFunction::SubGroupLane, "ka_sub_group_lane", false, false},
    {WorkItemFunction::SubGroupBarrier, "ka_sub_group_barrier", false, true},
};

bool isBarrier(WorkItemFunction F) {
  return F == WorkItemFunction::Barrier || F == WorkItemFunction::SubGroupBarrier;
}

const Entry &entry(WorkItemFunction F) { return Table[static_cast<size_t>(F)]; }

} // namespace

std::optional<WorkItemFunction> ka::workItemFunction(StringRef Name) {
  for (const Entry &E : Table)
    if (E.Name == Name)
      return E.Function;
  return std::nullopt;
}

std::optional<WorkItemFunction> ka::workItemFunction(const Value &V) {
  return workItemFunction(calledName(V));
}

StringRef ka::workItemFunctionName(WorkItemFunction F) { return entry(F).Name; }

bool ka::isSynchronising(StringRef Name) {
  std::optional<WorkItemFunction> W = workItemFunction(Name);
  return W ? isBarrier(*W) : isCollective(Name);
}

bool ka::isSynchronising(const Instruction &I) { return isSynchronising(calledName(I)); }

bool ka::isSynchronising(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return isSynchronising(I); });
}

SmallVector<Instruction *, 16> ka::barriersOf(Function &F) {
  SmallVector<Instruction *, 16> Result;
  for (Instruction &I : instructions(F))
    if (isSynchronising(I))
      Result.push_back(&I);
  return Result;
}

bool ka::isGroupUniform(WorkItemFunction F) { return entry(F).GroupUniform; }

void ka::declareWorkItemFunction(Function &F) {
  std::optional<WorkItemFunction> W = workItemFunction(F.getName());
  if (!W || !F.isDeclaration())
    return;
  F.setDoesNotThrow();
  F.setWillReturn();
  if (isBarrier(*W)) {
    F.setConvergent();
    F.addFnAttr(Attribute::NoMerge);
    return;
  }
  F.setDoesNotAccessMemory();
  F.setSpeculatable();
}

CallInst *ka::callWorkItemFunction(IRBuilderBase &B, WorkItemFunction W,
                                   std::optional<unsigned> Dim) {
  const Entry &E = entry(W);
  Module &M = *B.GetInsertBlock()->getModule();
  Type *Result = isBarrier(W) ? B.getVoidTy() : B.getInt64Ty();
  SmallVector<Type *, 1> Params;
  SmallVector<Value *, 1> Args;
  if (E.HasDim) {
    Params.push_back(B.getInt32Ty());
    Args.push_back(B.getInt32(Dim.value_or(0)));
  }
  auto *Type = FunctionType::get(Result, Params, false);
  auto *F = cast<Function>(M.getOrInsertFunction(E.Name, Type).getCallee());
  declareWorkItemFunction(*F);
  CallInst *Call = B.CreateCall(F, Args);
  if (isBarrier(W)) {
    Call->setConvergent();
    Call->addFnAttr(Attribute::NoMerge);
  }
  return Call;
}

Value *ka::selectDimension(IRBuilderBase &B, Value *Dim, function_ref<Value *(unsigned)> Values,
                           uint64_t Beyond) {
  if (auto *C = dyn_cast<ConstantInt>(Dim)) {
    if (C->getValue().ult(3))
      return Values(C->getZExtValue());
    return B.getInt64(Beyond);
  }
  Value *Result = B.getInt64(Beyond);
  for (unsigned D = 0; D != 3; ++D)
    Result = B.CreateSelect(B.CreateICmpEQ(Dim, B.getInt32(D)), Values(D), Result);
  return Result;
}
