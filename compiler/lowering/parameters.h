//===- parameters.h - Entry points with other parameters ------------------===//
#ifndef KA_COMPILER_LOWERING_PARAMETERS_H
#define KA_COMPILER_LOWERING_PARAMETERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include <string>

namespace ka {

/// A parameter that an entry point is to get, besides those of its kernel.
struct NewParameter {
  llvm::Type *Type;
  std::string Name;
  llvm::AttributeSet Attributes = {};
};

/// Puts parameters in front of F's parameter `At`, or behind the last. A function's
/// type cannot change: another one takes over F's name, body, attributes and
/// metadata, and F is erased. Returns the first of the new arguments.
llvm::Argument *insertParameters(llvm::Function &F, unsigned At,
                                 llvm::ArrayRef<NewParameter> Parameters);

/// Takes out the parameters with these numbers, which must have no uses, in the same
/// way. Returns the function that is there instead of F.
llvm::Function *dropParameters(llvm::Function &F, llvm::function_ref<bool(unsigned)> Drops);

} // namespace ka

#endif
