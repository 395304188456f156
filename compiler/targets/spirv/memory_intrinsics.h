//===- memory_intrinsics.h - Copies and fills of memory as loops ----------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_MEMORY_INTRINSICS_H
#define KA_COMPILER_TARGETS_SPIRV_MEMORY_INTRINSICS_H

#include "llvm/IR/Function.h"

namespace ka::spirv {

/// Copies of constant length stay: they are OpCopyMemorySized. Fills, moves and
/// copies whose length is known at run time become loops.
void expandMemoryIntrinsics(llvm::Function &F);

} // namespace ka::spirv

#endif
