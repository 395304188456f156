//===- local_memory.h - Group memory --------------------------------------===//
#ifndef KA_COMPILER_LOWERING_LOCAL_MEMORY_H
#define KA_COMPILER_LOWERING_LOCAL_MEMORY_H

#include "compiler/lowering/kernel.h"
#include "llvm/IR/IRBuilder.h"

namespace ka {

/// Gives each kernel a copy of its own, in address space 3, of the group memory
/// that it uses; sets Kernel::LocalBytes.
void placeLocalMemory(DeviceModule &Device);

/// The group memory of one kernel function.
struct LocalVariable {
  llvm::GlobalVariable *Memory;
  llvm::GlobalVariable *Initialiser; // or null
};
llvm::SmallVector<LocalVariable, 4> localVariables(llvm::Function &F);

/// `To` is a clone of `From`: gives it group memory of its own.
void separateLocalMemory(llvm::Function &From, llvm::Function &To);

/// Group memory that a parameter points to, and its size in bytes.
struct LocalParameter {
  llvm::Argument *Memory;
  llvm::Argument *Bytes;
};

/// Before everything else in F, the items of the group together initialise what
/// has an initialiser and, if `Clear` is true at run time, clear the rest and what
/// the parameters point to; then they meet at a barrier. `Clear` may be null. Does
/// nothing where there is nothing to do; returns whether there was.
bool initialiseLocalMemory(llvm::Function &F,
                           llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &)> Clear,
                           llvm::ArrayRef<LocalParameter> Parameters = {});

} // namespace ka

#endif
