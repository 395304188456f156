//===- metadata.h - What the runtime is told of a kernel ------------------===//
#ifndef KA_COMPILER_FRONTEND_METADATA_H
#define KA_COMPILER_FRONTEND_METADATA_H

#include "compiler/frontend/kernel_table.h"
#include "compiler/lowering/kernel.h"

namespace ka {

/// Describes a defined kernel. Flags and group memory are left to the lowering.
Kernel describeKernel(KernelEntity &K, KernelTable &Kernels, const clang::ASTContext &C);

} // namespace ka

#endif
