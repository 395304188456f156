//===- character_functions.h - Functions of <ctype.h> ---------------------===//
#ifndef KA_COMPILER_LOWERING_CHARACTER_FUNCTIONS_H
#define KA_COMPILER_LOWERING_CHARACTER_FUNCTIONS_H

#include "llvm/IR/Module.h"

namespace ka {

/// Whether there is such a function: isalnum to isxdigit, tolower and toupper, and what the
/// macros of glibc's header call in their place.
bool isCharacterFunction(llvm::StringRef CName);

/// Gives those that the module declares a body. The locale is C's.
void defineCharacterFunctions(llvm::Module &M);

} // namespace ka

#endif
