//===- legal_types.h - Addresses and vectors that SPIR-V has --------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_LEGAL_TYPES_H
#define KA_COMPILER_TARGETS_SPIRV_LEGAL_TYPES_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Address arithmetic through types that SPIR-V lacks becomes arithmetic in
/// bytes, vectors of other lengths than 2, 3, 4, 8, 16 become scalars, freeze
/// goes away.
void legaliseTypes(llvm::Function &F);

} // namespace ka::spirv

#endif
