//===- pointer_members.h - Whether a type holds pointers ------------------===//
#ifndef KA_COMPILER_FRONTEND_POINTER_MEMBERS_H
#define KA_COMPILER_FRONTEND_POINTER_MEMBERS_H

#include "clang/AST/ASTContext.h"

namespace ka {

/// Whether an object of the type is or contains a pointer, reference, block or
/// pointer to member, in an array, a member or a base class.
bool holdsPointer(clang::QualType T, const clang::ASTContext &C);

} // namespace ka

#endif
