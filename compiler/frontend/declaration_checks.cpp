//===- declaration_checks.cpp - What a kernel's declaration may be --------===//

#include "compiler/frontend/declaration_checks.h"
#include "compiler/frontend/ast_builder.h"
#include "compiler/frontend/attributes.h"
#include "compiler/frontend/pointer_members.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;
using llvm::Twine;

namespace ka {

static std::string spelled(QualType T) { return "'" + T.getAsString() + "'"; }

//===- Types --------------------------------------------------------------===//

std::string unsupportedType(QualType T, const ASTContext &C) {
  T = C.getBaseElementType(T).getCanonicalType().getUnqualifiedType();
  if (const auto *X = T->getAs<ComplexType>())
    T = X->getElementType();
  if (const auto *V = T->getAs<VectorType>())
    T = V->getElementType();
  if (const auto *A = T->getAs<AtomicType>())
    T = A->getValueType();
  if (const auto *B = T->getAs<BitIntType>())
    return B->getNumBits() > 64 ? "has more than 64 bits" : "";
  if (const auto *P = T->getAs<PointerType>(); P && P->getPointeeType().hasAddressSpace())
    return "leads into an address space that is the host's";
  if (const auto *E = T->getAs<EnumType>(); E && !E->isDependentType())
    T = E->getDecl()->getIntegerType();
  const auto *B = T.isNull() ? nullptr : T->getAs<BuiltinType>();
  if (!B)
    return "";
  switch (B->getKind()) {
  case BuiltinType::LongDouble:
    return C.getTypeSize(T) == 64 ? "" : "exists on the host only; use double";
  case BuiltinType::Float128:
  case BuiltinType::Ibm128:
    return "exists on the host only; use double";
  case BuiltinType::Int128:
  case BuiltinType::UInt128:
    return "exists on the host only; use two 64-bit integers";
  case BuiltinType::BFloat16:
    return "is not supported in kernels; use _Float16 or float";
  default:
    return "";
  }
}

namespace {

/// Where a type holds something that cannot be passed to a kernel. Without a
/// text clang has reported it.
struct Problem {
  std::string Path; // of the member, with a leading dot; "" for the type itself
  std::string Text; // what is said of the type
  QualType Type;
};

std::optional<Problem> findProblem(QualType T, const ASTContext &C);

/// A member may have no size, a parameter must.
std::optional<Problem> findParameterProblem(QualType T, const ASTContext &C) {
  if (auto Found = findProblem(T, C))
    return Found;
  if (T->isRecordType() && C.getTypeSizeInChars(T).isZero())
    return Problem{"", "has no size: leave the parameter out", T};
  return std::nullopt;
}

std::optional<Problem> findProblem(QualType T, const ASTContext &C) {
  if (T->isReferenceType())
    return Problem{"", "is a reference; pass a pointer", T};
  if (T->isFunctionPointerType() || T->isBlockPointerType() || T->isMemberPointerType())
    return std::nullopt; // an unused member is harmless; calls are found where they are made
  if (C.getBaseElementType(T)->isAtomicType())
    return Problem{"", "is atomic; pass its value, or a pointer to it", T};
  if (std::string Text = unsupportedType(T, C); !Text.empty())
    return Problem{"", Text, T};
  const auto *R = C.getBaseElementType(T)->getAsRecordDecl();
  if (!R)
    return std::nullopt;
  if (R->isInvalidDecl())
    return Problem{"", "", T};
  if (R->hasFlexibleArrayMember())
    return Problem{"", "ends in a flexible array member, which is not passed; pass a pointer", T};
  if (const auto *CXX = dyn_cast<CXXRecordDecl>(R)) {
    if (!CXX->hasDefinition() || !T.isTriviallyCopyableType(C) || CXX->isDynamicClass())
      return Problem{"", "is not trivially copyable", T};
    for (const CXXBaseSpecifier &Base : CXX->bases())
      if (auto Inner = findProblem(Base.getType(), C))
        return Inner;
  }
  for (const FieldDecl *F : R->fields())
    if (auto Inner = findProblem(F->getType(), C)) {
      std::string Name = F->getName().empty() ? "" : "." + F->getName().str();
      return Problem{Name + Inner->Path, Inner->Text, Inner->Type};
    }
  return std::nullopt;
}

//===- Kernels ------------------------------------------------------------===//

/// What is wrong with the declaration as a whole; "" if nothing is.
std::string findSignatureProblem(const FunctionDecl *F, const ASTContext &C) {
  if (isa<CXXMethodDecl>(F))
    return "cannot be a member function";
  if (F->getTemplatedKind() != FunctionDecl::TK_NonTemplate || F->isTemplated())
    return "cannot be a template; write a kernel that calls it";
  if (F->getLexicalDeclContext()->isFunctionOrMethod())
    return "must be declared at file scope";
  if (F->isMain())
    return "must have another name: 'main' is the program's";
  if (F->getFirstDecl()->getBuiltinID())
    return "must have another name: this one is a function of the C library or of the compiler";
  if (const IdentifierInfo *Name = F->getIdentifier();
      Name && (Name->getName().starts_with("_Z") || Name->getName().starts_with("__spirv_")))
    return "must have another name: devices have functions whose names begin in this way";
  if (F->isDeleted())
    return "cannot be deleted";
  if (F->isConsteval())
    return "cannot be consteval";
  if (F->isMultiVersion())
    return "cannot have versions for different processors";
  if (F->hasAttr<AliasAttr>() || F->hasAttr<IFuncAttr>())
    return "cannot be an alias";
  if (F->hasAttr<ConstructorAttr>() || F->hasAttr<DestructorAttr>())
    return "cannot be a constructor or destructor: it runs only when it is launched";
  if (F->hasAttr<NakedAttr>())
    return "cannot be naked";
  if (!F->getReturnType()->isVoidType())
    return "must return void, not " + spelled(F->getReturnType());
  if (!F->hasPrototype())
    return "needs a prototype: write the parameters' types within the parentheses, or 'void'";
  if (F->isVariadic())
    return "cannot be variadic";
  return "";
}

/// The host target must lay out tuples as devices do.
std::string findTargetProblem(const TargetInfo &T) {
  if (T.getPointerWidth(LangAS::Default) != 64 || T.isBigEndian())
    return ("needs a little-endian host with 64-bit pointers; '" + T.getTriple().str() +
            "' is none");
  return "";
}

bool checkParameters(const FunctionDecl *F, ASTContext &C, Reporter &Report) {
  bool Valid = true;
  for (const ParmVarDecl *P : F->parameters()) {
    std::string Who =
        "parameter " +
        (P->getName().empty() ? std::to_string(P->getFunctionScopeIndex() + 1) : quoted(P)) +
        " of kernel " + quoted(F);
    QualType T = P->getType();
    if (T->isFunctionPointerType() || T->isBlockPointerType() || T->isMemberPointerType()) {
      Report.error(P->getLocation(),
                   Who + " is a pointer to a function, which kernels cannot call");
      Valid = false;
    } else if (auto Found = findParameterProblem(T, C)) {
      Valid = false;
      if (Found->Text.empty())
        continue;
      std::string Name = P->getName().str() + Found->Path;
      Report.error(P->getLocation(),
                   Found->Path.empty()
                       ? Who + " cannot be passed: " + spelled(Found->Type) + " " + Found->Text
                       : Who + " cannot be passed: the type " + spelled(Found->Type) +
                             " of member '" + Name + "' " + Found->Text);
    }
  }
  return Valid;
}

/// Every declaration must say the same, since a launch sees only the first ones.
bool checkAgainstFirst(const FunctionDecl *F, const FunctionDecl *First, Reporter &Report) {
  bool Valid = true;
  if (!annotation(First, KernelAnnotation)) {
    const auto *Own = annotation(F, KernelAnnotation);
    Report.error(Own ? Own->getLocation() : F->getLocation(),
                 quoted(F) + " must be marked as a kernel on its first declaration");
    Report.note(First->getLocation(), "first declaration is here");
    return false;
  }
  for (auto [P, Q] : llvm::zip(F->parameters(), First->parameters()))
    if (isLocal(P) && !isLocal(Q)) {
      Report.error(P->getLocation(), "parameter " + quoted(P) + " of kernel " + quoted(F) +
                                         " is marked ka_local here, but not before");
      Report.note(Q->getLocation(), "previous declaration is here");
      Valid = false;
    }
  if (const AnnotateAttr *Own = annotation(F, GroupSizeAnnotation))
    for (const FunctionDecl *Before = F->getPreviousDecl(); Before;
         Before = Before->getPreviousDecl()) {
      const AnnotateAttr *Old = annotation(Before, GroupSizeAnnotation);
      if (Old && groupSize(Old) != groupSize(Own)) {
        Report.error(Own->getLocation(), "group size of kernel " + quoted(F) +
                                             " differs from the one of an earlier declaration");
        Report.note(Old->getLocation(), "earlier group size is here");
        return false;
      }
    }
  return Valid;
}

} // namespace

bool checkKernelDeclaration(const FunctionDecl *F, ASTContext &C, Reporter &Report) {
  if (F->isTemplateInstantiation())
    return false; // the template has been reported
  AstBuilder Build(C);
  const FunctionDecl *First = F->getCanonicalDecl();
  std::string Problem = findSignatureProblem(F, C);
  if (Problem.empty())
    Problem = findTargetProblem(C.getTargetInfo());
  if (Problem.empty() &&
      !(Build.findStruct("ka__kernel") && Build.findFunction("ka__kernel_called")))
    Problem = "needs '#include <ka/ka.h>' before it";
  if (!Problem.empty()) {
    Report.error(F->getLocation(), "kernel " + quoted(F) + " " + Problem);
    return false;
  }
  if (F != First)
    return checkAgainstFirst(F, First, Report);
  return checkParameters(F, C, Report);
}

void checkPlainFunction(const FunctionDecl *F, Reporter &Report) {
  for (llvm::StringRef Name : {GroupSizeAnnotation, UnsafeIndicesAnnotation})
    if (const AnnotateAttr *A = annotation(F, Name); A && !A->isInherited())
      Report.error(A->getLocation(),
                   Twine(Name == GroupSizeAnnotation ? "a group size" : "unsafe_indices") +
                       " is for kernels only; mark " + quoted(F) + " with [[ka::kernel]]");
}

//===- Group memory -------------------------------------------------------===//

void checkLocalVariable(const VarDecl *V, ASTContext &C, Reporter &Report) {
  QualType T = V->getType();
  auto Fail = [&](const Twine &Why) {
    Report.error(V->getLocation(), "group memory " + quoted(V) + " " + Why);
  };
  if (T->isDependentType() || V->isInvalidDecl())
    return;
  if (T->isVariablyModifiedType())
    Fail("must have a constant size; for a size known at launch use a 'ka_local' parameter");
  else if (holdsPointer(T, C))
    Fail("cannot hold pointers; a pointer into group memory is declared without 'ka_local'");
  else if (std::string Text = unsupportedType(T, C); !Text.empty())
    Fail("cannot have type " + spelled(T) + ": it " + Text);
  else if (const auto *R = C.getBaseElementType(T)->getAsCXXRecordDecl();
           R && !(R->hasTrivialDefaultConstructor() && R->hasTrivialDestructor()))
    Fail("cannot have type " + spelled(T) + ", which has a constructor or destructor");
  else if (const Expr *Init = V->getInit();
           Init && C.getLangOpts().CPlusPlus && !isa<CXXConstructExpr>(Init) &&
           !Init->isValueDependent() && !Init->isConstantInitializer(C, false))
    Fail("must have a constant initialiser");
}

} // namespace ka
