//===- metadata.h - What the runtime is told of a kernel ------------------===//
#ifndef KA_COMPILER_FRONTEND_METADATA_H
#define KA_COMPILER_FRONTEND_METADATA_H

#include "compiler/frontend/kernel_table.h"
#include "compiler/lowering/kernel.h"
#include "clang/Basic/SourceLocation.h"

namespace ka {

/// Describes a defined kernel. Flags and group memory are left to the lowering.
Kernel describeKernel(KernelEntity &K, KernelTable &Kernels, const clang::ASTContext &C);

/// A source file's name as __FILE__ would give it: with -ffile-prefix-map applied.
std::string sourceName(const clang::PresumedLoc &Place, const clang::ASTContext &C);

} // namespace ka

#endif
