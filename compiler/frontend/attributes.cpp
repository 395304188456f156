//===- attributes.cpp - Registers ka's attributes with clang --------------===//
//
// Checks what can be known where the attribute stands: what it is applied to
// and the values of its arguments. What depends on the whole declaration is
// checked in declaration_checks.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/attributes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace ka {

//===- Reading ------------------------------------------------------------===//

const AnnotateAttr *annotation(const Decl *D, StringRef Name) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == Name)
      return A;
  return nullptr;
}

bool isKernel(const FunctionDecl *F) {
  return llvm::any_of(F->redecls(),
                      [](const FunctionDecl *R) { return annotation(R, KernelAnnotation); });
}

bool isLocal(const ValueDecl *D) { return annotation(D, LocalAnnotation) != nullptr; }

GroupSize groupSize(const AnnotateAttr *A) {
  GroupSize Size = {1, 1, 1};
  unsigned I = 0;
  for (const Expr *E : A->args())
    Size[I++] = cast<ConstantExpr>(E)->getResultAsAPSInt().getZExtValue();
  return Size;
}

std::optional<GroupSize> groupSize(const FunctionDecl *F) {
  for (const FunctionDecl *R : F->redecls())
    if (const AnnotateAttr *A = annotation(R, GroupSizeAnnotation))
      return groupSize(A);
  return std::nullopt;
}

//===- Registering --------------------------------------------------------===//

namespace {

void error(Sema &S, SourceLocation Loc, const llvm::Twine &Message) {
  S.Diag(Loc, S.Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << Message.str();
}

std::string quoted(const ParsedAttr &A) { return "'" + A.getNormalizedFullName() + "'"; }

/// The spellings of an attribute: __attribute__((ka_name)), [[ka::name]]. clang
/// parses the arguments only of attributes whose name without its scope is known.
#define KA_SPELLINGS(Name)                                                                         \
  static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "ka_" Name},                           \
                                       {ParsedAttr::AS_C23, "ka::" Name},                          \
                                       {ParsedAttr::AS_CXX11, "ka::" Name},                        \
                                       {ParsedAttr::AS_C23, Name},                                 \
                                       {ParsedAttr::AS_CXX11, Name}};                              \
  Spellings = Names

/// An attribute of functions.
struct FunctionAttribute : ParsedAttrInfo {
  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &A, const Decl *D) const override {
    if (!A.hasScope() && !A.isGNUAttribute()) {
      S.Diag(A.getLoc(), diag::warn_unknown_attribute_ignored) << A;
      return false;
    }
    if (isa<FunctionDecl>(D))
      return true;
    error(S, A.getLoc(), quoted(A) + " applies to functions only");
    return false;
  }
};

/// One without arguments.
template <const llvm::StringLiteral &Annotation> struct FunctionFlag : FunctionAttribute {
  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &A) const override {
    if (!annotation(D, Annotation))
      D->addAttr(AnnotateAttr::Create(S.Context, Annotation, nullptr, 0, A.getRange()));
    return AttributeApplied;
  }
};

struct KernelAttribute : FunctionFlag<KernelAnnotation> {
  KernelAttribute() { KA_SPELLINGS("kernel"); }
};

struct UnsafeIndicesAttribute : FunctionFlag<UnsafeIndicesAnnotation> {
  UnsafeIndicesAttribute() { KA_SPELLINGS("unsafe_indices"); }
};

struct GroupSizeAttribute : FunctionAttribute {
  GroupSizeAttribute() {
    KA_SPELLINGS("group_size");
    NumArgs = 1;
    OptArgs = 2;
  }

  /// A lone identifier reaches us unresolved.
  static Expr *expression(Sema &S, const ParsedAttr &A, unsigned I) {
    if (A.isArgExpr(I))
      return A.getArgAsExpr(I);
    IdentifierLoc *Name = A.getArgAsIdent(I);
    LookupResult Found(S, Name->Ident, Name->Loc, Sema::LookupOrdinaryName);
    S.LookupName(Found, S.getCurScope());
    auto *V = Found.getAsSingle<ValueDecl>();
    if (!V) {
      error(S, Name->Loc, "use of undeclared identifier '" + Name->Ident->getName() + "'");
      return nullptr;
    }
    return S.BuildDeclRefExpr(V, V->getType().getNonReferenceType(),
                              isa<EnumConstantDecl>(V) ? VK_PRValue : VK_LValue, Name->Loc);
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &A) const override {
    ASTContext &C = S.Context;
    llvm::SmallVector<Expr *, 3> Extents;
    uint64_t Items = 1;
    for (unsigned I = 0; I < A.getNumArgs(); ++I) {
      Expr *E = expression(S, A, I);
      if (!E)
        return AttributeNotApplied;
      std::optional<llvm::APSInt> Value;
      if (!E->isValueDependent() && E->getType()->isIntegralOrEnumerationType())
        Value = E->getIntegerConstantExpr(C);
      if (!Value) {
        error(S, E->getExprLoc(),
              "argument of " + quoted(A) + " must be an integer constant expression");
        return AttributeNotApplied;
      }
      if (!Value->isStrictlyPositive() || Value->getActiveBits() > 31) {
        error(S, E->getExprLoc(),
              "a group extent must be at least 1 and less than 2147483648, not " +
                  llvm::toString(*Value, 10));
        return AttributeNotApplied;
      }
      Items *= Value->getZExtValue();
      if (Items > MaxItems) {
        error(S, E->getExprLoc(),
              "a group of more than " + llvm::Twine(MaxItems) + " items does not fit any device");
        return AttributeNotApplied;
      }
      llvm::APSInt Extent(llvm::APInt(32, Value->getZExtValue()), /*isUnsigned=*/true);
      Extents.push_back(ConstantExpr::Create(
          C, IntegerLiteral::Create(C, Extent, C.UnsignedIntTy, E->getExprLoc()), APValue(Extent)));
    }
    auto *New =
        AnnotateAttr::Create(C, GroupSizeAnnotation, Extents.data(), Extents.size(), A.getRange());
    if (const AnnotateAttr *Old = annotation(D, GroupSizeAnnotation)) {
      if (groupSize(Old) != groupSize(New)) {
        error(S, A.getLoc(), "group size differs from the one given before");
        S.Diag(Old->getLocation(), diag::note_previous_attribute);
      }
      return AttributeNotApplied;
    }
    D->addAttr(New);
    return AttributeApplied;
  }

  /// OpenCL and CUDA devices allow 1024 to 4096 (PoCL) items; no device known goes beyond this.
  static constexpr uint64_t MaxItems = 65536;
};

struct LocalAttribute : ParsedAttrInfo {
  LocalAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "ka_local"}};
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &A, const Decl *D) const override {
    const char *Problem = nullptr;
    if (const auto *P = dyn_cast<ParmVarDecl>(D)) {
      if (!P->getType()->isAnyPointerType())
        Problem = "a parameter marked 'ka_local' must be a pointer; its memory is sized at launch";
    } else if (const auto *V = dyn_cast<VarDecl>(D)) {
      if (V->isFileVarDecl() || V->hasExternalStorage())
        Problem = "group memory belongs to a kernel: 'ka_local' needs a variable of function scope";
      else if (V->getTSCSpec() != TSCS_unspecified)
        Problem = "group memory cannot be thread-local";
    } else {
      Problem = "'ka_local' applies to variables of function scope and to pointer parameters only";
    }
    if (Problem)
      error(S, A.getLoc(), Problem);
    return !Problem;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &A) const override {
    if (annotation(D, LocalAnnotation))
      return AttributeApplied;
    D->addAttr(AnnotateAttr::Create(S.Context, LocalAnnotation, nullptr, 0, A.getRange()));
    // One copy for all calls of the function and no code to initialise it: what C calls static.
    if (auto *V = dyn_cast<VarDecl>(D); V && !isa<ParmVarDecl>(V))
      V->setStorageClass(SC_Static);
    return AttributeApplied;
  }
};

} // namespace
} // namespace ka

static ParsedAttrInfoRegistry::Add<ka::KernelAttribute> Kernel("ka_kernel", "a kernel");
static ParsedAttrInfoRegistry::Add<ka::GroupSizeAttribute> Size("ka_group_size",
                                                                "a kernel's group size");
static ParsedAttrInfoRegistry::Add<ka::UnsafeIndicesAttribute>
    Unsafe("ka_unsafe_indices", "a kernel without a range guard");
static ParsedAttrInfoRegistry::Add<ka::LocalAttribute> Local("ka_local", "group memory");
