//===- print.h - printf, puts and putchar in kernels ----------------------===//
//
// They become records in a buffer of the launch's queue, which libka prints when
// the kernel has run; ka/abi.h describes both. They reach it through the mailbox.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_PRINT_H
#define KA_COMPILER_LOWERING_PRINT_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Whether the C function of this name prints on stdout, and kernels may call it.
bool isPrintFunction(llvm::StringRef CName);
/// Their names in C programs.
llvm::SmallVector<llvm::StringRef, 4> printFunctions();

/// All calls of such functions become calls of one with a name and effects that no
/// optimisation knows anything about. What was a float before C made it a double
/// is one again, since not every device has double.
void namePrints(llvm::Module &M);

/// Whether the function has such calls.
bool hasPrints(const llvm::Function &F);

/// Replaces them in an entry point, when the shape of its code is final. False if a
/// format or an argument cannot be followed or printed.
bool writePrints(llvm::Function &F, DiagnosticHandler Report);

} // namespace ka

#endif
