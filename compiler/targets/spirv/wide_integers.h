//===- wide_integers.h - Integers of more than 64 bits --------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_WIDE_INTEGERS_H
#define KA_COMPILER_TARGETS_SPIRV_WIDE_INTEGERS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Rewrites instructions on integers of more than 64 bits to instructions on
/// integers of 64 bits. Where one is of a kind that it does not know (division),
/// all stay.
void splitWideIntegers(llvm::Function &F);

} // namespace ka::spirv

#endif
