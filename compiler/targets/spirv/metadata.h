//===- metadata.h - Conventions of OpenCL modules -------------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_METADATA_H
#define KA_COMPILER_TARGETS_SPIRV_METADATA_H

#include "llvm/IR/Module.h"

namespace ka::spirv {

/// Sets triple, data layout, calling conventions and OpenCL's version, once
/// each, and drops attributes that mean nothing there.
void normaliseMetadata(llvm::Module &M);

/// Drops debug information and whatever else was only for messages. Forbids
/// contraction in the kernels where not all products and sums allow it.
void prepareForTranslation(llvm::Module &M);

} // namespace ka::spirv

#endif
