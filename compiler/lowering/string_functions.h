//===- string_functions.h - Functions of <string.h> that read -------------===//
#ifndef KA_COMPILER_LOWERING_STRING_FUNCTIONS_H
#define KA_COMPILER_LOWERING_STRING_FUNCTIONS_H

#include "llvm/IR/Module.h"

namespace ka {

/// Whether there is such a function: memchr, memcmp, strchr, strcmp, strlen, strncmp, strnlen.
bool isStringFunction(llvm::StringRef CName);
/// Their names.
llvm::SmallVector<llvm::StringRef, 8> stringFunctions();

/// Gives those that the module declares a body.
void defineStringFunctions(llvm::Module &M);

} // namespace ka

#endif
