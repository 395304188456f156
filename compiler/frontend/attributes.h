//===- attributes.h - The attributes of kernels, read back from the AST ---===//
//
// Clang has no attribute classes of plugins, so each is kept as an annotation:
// inherited by redeclarations, stored in precompiled headers, copied by
// templates. Host code is not affected.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_ATTRIBUTES_H
#define KA_COMPILER_FRONTEND_ATTRIBUTES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class AnnotateAttr;
}

namespace ka {

inline constexpr llvm::StringLiteral KernelAnnotation = "ka_kernel";
inline constexpr llvm::StringLiteral GroupSizeAnnotation = "ka_group_size";
inline constexpr llvm::StringLiteral UnsafeIndicesAnnotation = "ka_unsafe_indices";
inline constexpr llvm::StringLiteral LocalAnnotation = "ka_local";

/// The annotation on this very declaration, inherited ones included; or null.
const clang::AnnotateAttr *annotation(const clang::Decl *D, llvm::StringRef Name);

/// Whether a declaration seen so far marks the function as a kernel.
bool isKernel(const clang::FunctionDecl *F);

/// Whether a variable or parameter is marked ka_local.
bool isLocal(const clang::ValueDecl *D);

using GroupSize = std::array<uint32_t, 3>;

/// The extents that the annotation holds.
GroupSize groupSize(const clang::AnnotateAttr *A);
/// The group size of any declaration of the function.
std::optional<GroupSize> groupSize(const clang::FunctionDecl *F);

} // namespace ka

#endif
