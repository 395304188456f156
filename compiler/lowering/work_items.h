//===- work_items.h - The functions of ka/kernel.h in IR ------------------===//
//
// Their names, what passes may assume of them, and how passes call them.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_WORK_ITEMS_H
#define KA_COMPILER_LOWERING_WORK_ITEMS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace ka {

enum class WorkItemFunction {
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset,
  GlobalLinearId,
  LocalLinearId,
  GroupLinearId,
  Barrier,
  SubGroupSize,
  SubGroupMaxSize,
  SubGroupCount,
  SubGroupId,
  SubGroupLane,
  SubGroupBarrier,
};

/// Which function of ka/kernel.h this name is.
std::optional<WorkItemFunction> workItemFunction(llvm::StringRef Name);
std::optional<WorkItemFunction> workItemFunction(const llvm::Value &Call);
llvm::StringRef workItemFunctionName(WorkItemFunction F);

/// Items of a group meet in it.
bool isSynchronising(llvm::StringRef Name);
bool isSynchronising(const llvm::Instruction &I);
bool isSynchronising(const llvm::Function &F);
/// The calls where they meet.
llvm::SmallVector<llvm::Instruction *, 16> barriersOf(llvm::Function &F);

/// Whether a group's items get the same result for the same argument.
bool isGroupUniform(WorkItemFunction F);

/// Gives a declaration of such a function the attributes that are true of it.
void declareWorkItemFunction(llvm::Function &F);

/// Calls it; `Dim` only where the function has one.
llvm::CallInst *callWorkItemFunction(llvm::IRBuilderBase &B, WorkItemFunction F,
                                     std::optional<unsigned> Dim = std::nullopt);

/// The value for dimension `Dim`: Values(0) to Values(2), or `Beyond`.
llvm::Value *selectDimension(llvm::IRBuilderBase &B, llvm::Value *Dim,
                             llvm::function_ref<llvm::Value *(unsigned)> Values, uint64_t Beyond);

} // namespace ka

#endif
