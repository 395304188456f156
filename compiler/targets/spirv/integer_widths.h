//===- integer_widths.h - Integers of widths that SPIR-V has --------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_INTEGER_WIDTHS_H
#define KA_COMPILER_TARGETS_SPIRV_INTEGER_WIDTHS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Whether SPIR-V for OpenCL has integers of this width; 1 is its boolean.
inline bool isLegalWidth(unsigned Bits) {
  return Bits == 1 || Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64;
}

/// Rewrites instructions on integers of other widths, up to 64, to the next
/// wider legal one, and booleans in memory to bytes.
void legaliseIntegers(llvm::Function &F);

} // namespace ka::spirv

#endif
