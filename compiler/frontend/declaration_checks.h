//===- declaration_checks.h - What a kernel's declaration may be ----------===//
#ifndef KA_COMPILER_FRONTEND_DECLARATION_CHECKS_H
#define KA_COMPILER_FRONTEND_DECLARATION_CHECKS_H

#include "compiler/frontend/diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace ka {

/// One declaration of a function that is a kernel; false after an error.
bool checkKernelDeclaration(const clang::FunctionDecl *F, clang::ASTContext &C, Reporter &Report);

/// A function that is not a kernel must not have attributes that only kernels have.
void checkPlainFunction(const clang::FunctionDecl *F, Reporter &Report);

/// A variable marked ka_local.
void checkLocalVariable(const clang::VarDecl *V, clang::ASTContext &C, Reporter &Report);

/// Why a value of this type cannot exist on a device, as the end of a sentence
/// that begins with the type; "" if it can. Looks into arrays, but not into
/// pointers or members.
std::string unsupportedType(clang::QualType T, const clang::ASTContext &C);

} // namespace ka

#endif
