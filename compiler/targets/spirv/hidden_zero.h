//===- hidden_zero.h - A zero that the driver does not know --------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_HIDDEN_ZERO_H
#define KA_COMPILER_TARGETS_SPIRV_HIDDEN_ZERO_H

#include "compiler/lowering/work_items.h"

namespace ka::spirv {

/// Zero, the same for all items, which a device's compiler cannot know, and does not know to be
/// that of another number.
inline llvm::Value *hiddenZero(llvm::IRBuilderBase &B, llvm::Type *T, unsigned Number = 0) {
  llvm::Value *Groups = callWorkItemFunction(B, WorkItemFunction::NumGroups, 0);
  return B.CreateZExt(B.CreateICmpUGT(Groups, B.getInt64((1ull << 48) + Number)), T);
}

} // namespace ka::spirv

#endif
