//===- descriptor.h - What an object holds for libka ----------------------===//
#ifndef KA_COMPILER_FRONTEND_DESCRIPTOR_H
#define KA_COMPILER_FRONTEND_DESCRIPTOR_H

#include "compiler/frontend/kernel_table.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ka {

/// Makes the objects of ka/abi.h for a translation unit: bundle, module, a
/// descriptor for each kernel in the order of the metadata, and the constructor
/// and destructor that register them. Returns what the host's code generator is
/// to be given.
std::vector<clang::Decl *> makeDescriptors(clang::ASTContext &C, KernelTable &Kernels,
                                           llvm::ArrayRef<KernelEntity *> Order,
                                           llvm::ArrayRef<char> Bundle, llvm::StringRef Source);

} // namespace ka

#endif
