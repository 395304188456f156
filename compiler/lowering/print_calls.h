//===- print_calls.h - Calls of printf, puts and putchar as one opaque call ------===//
//
// Optimisations know nothing about that call; print_records.h makes records of it in the
// target.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_PRINT_CALLS_H
#define KA_COMPILER_LOWERING_PRINT_CALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace ka {

/// Whether the C function of this name prints on stdout, and kernels may call it.
bool isPrintFunction(llvm::StringRef CName);
/// Their names in C programs.
llvm::SmallVector<llvm::StringRef, 4> printFunctions();

/// All calls of such functions become calls of one with a name and effects that no
/// optimisation knows anything about: its arguments are the format and what the format
/// speaks of, its result is negative if nothing was printed. What was a float before C
/// made it a double is one again, since not every device has double.
void namePrints(llvm::Module &M);

/// What namePrints() has made, and whether the function has any.
bool isPrintCall(const llvm::Instruction &I);
bool hasPrints(const llvm::Function &F);

} // namespace ka

#endif
