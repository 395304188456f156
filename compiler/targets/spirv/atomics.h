//===- atomics.h - Atomics that SPIR-V 1.2 has ----------------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_ATOMICS_H
#define KA_COMPILER_TARGETS_SPIRV_ATOMICS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Floating operations, nand and the like become loops around compare-exchange;
/// atomic loads and stores of floats go through integers.
void expandAtomics(llvm::Function &F);

} // namespace ka::spirv

#endif
