//===- calls.h - Calls by the name of what is called ----------------------===//
#ifndef KA_COMPILER_LOWERING_CALLS_H
#define KA_COMPILER_LOWERING_CALLS_H

#include "llvm/IR/Instructions.h"

namespace ka {

/// The name of the function that is called; "" if V is no call, or one through a pointer.
inline llvm::StringRef calledName(const llvm::Value &V) {
  auto *Call = llvm::dyn_cast<llvm::CallInst>(&V);
  const llvm::Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F ? F->getName() : "";
}

} // namespace ka

#endif
