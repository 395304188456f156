//===- metadata.cpp - What the runtime is told of a kernel ----------------===//

#include "compiler/frontend/metadata.h"
#include "compiler/frontend/attributes.h"
#include "compiler/frontend/pointer_members.h"
#include "ka/abi.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace ka {
namespace {

/// Finds the pointers within a value, in the order of their offsets but for
/// unions, whose members all count.
class PointerFinder {
public:
  PointerFinder(const ASTContext &C, std::vector<PointerField> &Found) : C(C), Found(Found) {}

  void visit(QualType T, uint64_t Offset, const std::string &Path, bool InUnion = false) {
    if (T->isObjectPointerType() || T->isVoidPointerType()) {
      Found.push_back({Offset, Path, InUnion});
    } else if (const ConstantArrayType *A = C.getAsConstantArrayType(T)) {
      if (!holdsPointer(A->getElementType(), C))
        return;
      uint64_t Stride = C.getTypeSizeInChars(A->getElementType()).getQuantity();
      for (uint64_t I = 0, N = A->getSize().getZExtValue(); I < N; ++I)
        visit(A->getElementType(), Offset + I * Stride, Path + "[" + std::to_string(I) + "]",
              InUnion);
    } else if (const RecordDecl *R = T->getAsRecordDecl()) {
      visitRecord(R, Offset, Path, InUnion);
    }
  }

private:
  void visitRecord(const RecordDecl *R, uint64_t Offset, const std::string &Path, bool InUnion) {
    InUnion = InUnion || R->isUnion();
    const ASTRecordLayout &Layout = C.getASTRecordLayout(R);
    if (const auto *CXX = dyn_cast<CXXRecordDecl>(R))
      for (const CXXBaseSpecifier &B : CXX->bases())
        if (const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl())
          visitRecord(Base, Offset + Layout.getBaseClassOffset(Base).getQuantity(), Path, InUnion);
    for (const FieldDecl *F : R->fields()) {
      if (F->isBitField())
        continue;
      // Members of an anonymous struct or union are named as the program names them.
      std::string Inner = Path;
      if (!F->getName().empty())
        Inner += (Path.empty() ? "" : ".") + F->getName().str();
      visit(F->getType(), Offset + Layout.getFieldOffset(F->getFieldIndex()) / C.getCharWidth(),
            Inner, InUnion);
    }
  }

  const ASTContext &C;
  std::vector<PointerField> &Found;
};

/// What a program that passes an argument at run time can be held to.
uint32_t elementOf(QualType T, const ASTContext &C) {
  T = T.getCanonicalType().getUnqualifiedType();
  if (T->isVoidType())
    return KA__ELEMENT(KA_METADATA_VOID, 0);
  if (T->isIncompleteType() || T->isVariablyModifiedType())
    return T->isRecordType() ? KA__ELEMENT(KA_METADATA_RECORD, 0) : 0;
  uint64_t Bytes = C.getTypeSizeInChars(T).getQuantity();
  uint32_t Class = 0;
  if (T->isBooleanType())
    Class = KA_METADATA_BOOL;
  else if (T->isIntegralOrEnumerationType())
    Class = KA_METADATA_INTEGER;
  else if (T->isRealFloatingType())
    Class = KA_METADATA_FLOAT;
  else if (T->isAnyComplexType())
    Class = KA_METADATA_COMPLEX;
  else if (T->isVectorType())
    Class = KA_METADATA_VECTOR;
  else if (T->isRecordType())
    Class = KA_METADATA_RECORD;
  else if (T->isAnyPointerType())
    Class = KA_METADATA_ADDRESS;
  return Class ? KA__ELEMENT(Class, Bytes <= KA__ELEMENT_BYTES_MAX ? Bytes : 0) : 0;
}

void describePointer(const ParmVarDecl *P, KernelParam &Param) {
  QualType T = P->getType(), Pointee = T->getPointeeType();
  Param.Kind = isLocal(P) ? KA_METADATA_LOCAL : KA_METADATA_POINTER;
  if (Pointee.isConstQualified())
    Param.Flags |= KA_METADATA_CONST;
  if (Pointee.isVolatileQualified())
    Param.Flags |= KA_METADATA_VOLATILE;
  if (T.isRestrictQualified())
    Param.Flags |= KA_METADATA_RESTRICT;
}

KernelParam describeParam(const ParmVarDecl *P, const FieldDecl *F, const ASTContext &C) {
  QualType T = P->getType();
  KernelParam Param;
  Param.Name = P->getName().str();
  Param.Type = T.getUnqualifiedType().getAsString(C.getPrintingPolicy());
  if (T.isRestrictQualified()) // not a property of the value, but of what it points to
    Param.Type =
        C.getQualifiedType(T.getUnqualifiedType(), Qualifiers::fromCVRMask(Qualifiers::Restrict))
            .getAsString(C.getPrintingPolicy());
  if (isLocal(P))
    Param.Type = "ka_local " + Param.Type;
  Param.Offset =
      C.getASTRecordLayout(F->getParent()).getFieldOffset(F->getFieldIndex()) / C.getCharWidth();
  Param.Size = C.getTypeSizeInChars(F->getType()).getQuantity();
  Param.Align = C.getTypeAlignInChars(F->getType()).getQuantity();
  if (!T->isAnyPointerType())
    Param.Element = elementOf(T, C);
  else if (!T->getPointeeType()->isEnumeralType()) // host compilers differ in what these match
    Param.Element = elementOf(T->getPointeeType(), C);
  if (T->isAnyPointerType()) {
    describePointer(P, Param);
  } else if (T->isRecordType()) {
    Param.Kind = KA_METADATA_AGGREGATE;
    PointerFinder(C, Param.Pointers).visit(T, 0, "");
  } else {
    Param.Kind = KA_METADATA_SCALAR;
    if (T->isRealFloatingType())
      Param.Flags |= KA_METADATA_FLOATING;
    if (T->isSignedIntegerOrEnumerationType())
      Param.Flags |= KA_METADATA_SIGNED;
  }
  return Param;
}

} // namespace

std::string sourceName(const PresumedLoc &Place, const ASTContext &C) {
  SmallString<128> Name(Place.getFilename());
  Preprocessor::processPathForFileMacro(Name, C.getLangOpts(), C.getTargetInfo());
  return Name.str().str();
}

Kernel describeKernel(KernelEntity &K, KernelTable &Kernels, const ASTContext &C) {
  const FunctionDecl *F = K.Definition;
  Kernel Result;
  Result.Name = F->getQualifiedNameAsString();
  if (PresumedLoc Place = C.getSourceManager().getPresumedLoc(F->getLocation()); Place.isValid()) {
    Result.File = sourceName(Place, C);
    Result.Line = Place.getLine();
    Result.Column = Place.getColumn();
  }
  if (auto Size = groupSize(F))
    Result.GroupSize = *Size;
  Result.UnsafeIndices = llvm::any_of(F->redecls(), [](const FunctionDecl *R) {
    return annotation(R, UnsafeIndicesAnnotation) != nullptr;
  });
  RecordDecl *Tuple = Kernels.tuple(K);
  Result.Symbol = K.Symbol;
  if (!F->param_empty()) {
    const ASTRecordLayout &Layout = C.getASTRecordLayout(Tuple);
    Result.TupleBytes = Layout.getSize().getQuantity();
    Result.TupleAlign = Layout.getAlignment().getQuantity();
  }
  for (auto [P, Field] : llvm::zip(F->parameters(), Tuple->fields()))
    Result.Params.push_back(describeParam(P, Field, C));
  return Result;
}

} // namespace ka
