//===- legal_types.h - Addresses, vectors, variables that SPIR-V has ------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_LEGAL_TYPES_H
#define KA_COMPILER_TARGETS_SPIRV_LEGAL_TYPES_H

#include "llvm/IR/Module.h"

namespace ka::spirv {

/// Address arithmetic through types that SPIR-V lacks becomes arithmetic in
/// bytes, vectors of other lengths than 2, 3, 4, 8, 16 become scalars, freeze
/// goes away.
void legaliseTypes(llvm::Function &F);

/// Variables whose type SPIR-V lacks get one with the same bytes at the same
/// offsets: without members of no length, bytes in place of odd integers,
/// arrays of elements in place of odd vectors. Addresses through the old type
/// stay; legaliseTypes() deals with them.
void legaliseVariables(llvm::Module &M);

} // namespace ka::spirv

#endif
