//===- builtins.cpp - ka's work-item functions as OpenCL's ----------------===//

#include "compiler/targets/spirv/builtins.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ka;

namespace {

struct Builtin {
  StringLiteral Mangled;
  uint64_t Beyond; // the result for dimensions above 2
};

Builtin builtin(WorkItemFunction F) {
  switch (F) {
  case WorkItemFunction::GlobalId:
    return {"_Z13get_global_idj", 0};
  case WorkItemFunction::LocalId:
    return {"_Z12get_local_idj", 0};
  case WorkItemFunction::GroupId:
    return {"_Z12get_group_idj", 0};
  case WorkItemFunction::GlobalSize:
    return {"_Z15get_global_sizej", 1};
  case WorkItemFunction::LocalSize:
    return {"_Z14get_local_sizej", 1};
  case WorkItemFunction::NumGroups:
    return {"_Z14get_num_groupsj", 1};
  case WorkItemFunction::GlobalOffset:
    return {"_Z17get_global_offsetj", 0};
  default:
    return {"", 0};
  }
}

FunctionCallee declare(Module &M, StringRef Name, Type *Result) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  FunctionCallee Callee = M.getOrInsertFunction(Name, Result, I32);
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  if (Result->isVoidTy())
    F->setConvergent();
  else
    F->setDoesNotAccessMemory();
  return Callee;
}

/// OpenCL takes any dimension, SPIR-V only 0 to 2.
Value *query(IRBuilder<> &B, const Builtin &Function, Value *Dim) {
  FunctionCallee Callee =
      declare(*B.GetInsertBlock()->getModule(), Function.Mangled, B.getInt64Ty());
  return selectDimension(
      B, Dim, [&](unsigned D) { return B.CreateCall(Callee, B.getInt32(D)); }, Function.Beyond);
}

} // namespace

void ka::spirv::replaceWorkItemFunctions(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    std::optional<WorkItemFunction> W = workItemFunction(I);
    if (!W)
      continue;
    IRBuilder<> B(&I);
    if (*W == WorkItemFunction::Barrier) {
      // CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
      CallInst *Call =
          B.CreateCall(declare(*F.getParent(), "_Z7barrierj", B.getVoidTy()), B.getInt32(3));
      Call->setConvergent();
    } else {
      Builtin Function = builtin(*W);
      if (Function.Mangled.empty())
        continue;
      I.replaceAllUsesWith(query(B, Function, cast<CallInst>(I).getArgOperand(0)));
    }
    I.eraseFromParent();
  }
}
