//===- pointer_members.cpp - Whether a type holds pointers ----------------===//

#include "compiler/frontend/pointer_members.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

bool ka::holdsPointer(QualType T, const ASTContext &C) {
  T = C.getBaseElementType(T);
  if (T->isAnyPointerType() || T->isBlockPointerType() || T->isReferenceType() ||
      T->isMemberPointerType())
    return true;
  const auto *R = T->getAsRecordDecl();
  if (!R || R->isInvalidDecl() || !R->getDefinition())
    return false;
  if (const auto *CXX = dyn_cast<CXXRecordDecl>(R->getDefinition()))
    for (const CXXBaseSpecifier &Base : CXX->bases())
      if (holdsPointer(Base.getType(), C))
        return true;
  return llvm::any_of(R->getDefinition()->fields(),
                      [&](const FieldDecl *F) { return holdsPointer(F->getType(), C); });
}
