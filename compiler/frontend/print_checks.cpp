//===- print_checks.cpp - Calls of printf in kernels ----------------------===//

#include "compiler/frontend/print_checks.h"
#include "compiler/lowering/print_format.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace ka {
namespace {

using Failure = llvm::function_ref<void(SourceLocation, const Twine &)>;

std::string typeName(QualType T) { return "'" + T.getAsString() + "'"; }

/// The format as a literal; null if it is none that can be checked here.
const StringLiteral *literal(const Expr *Format) {
  const auto *L = dyn_cast<StringLiteral>(Format->IgnoreParenImpCasts());
  return L && (L->isOrdinary() || L->isUTF8()) ? L : nullptr;
}

/// Compares one literal with the arguments behind it.
class FormatChecker {
public:
  FormatChecker(const StringLiteral *Format, llvm::ArrayRef<const Expr *> Args, const ASTContext &C,
                Failure Fail)
      : Format(Format), Args(Args), C(C), Fail(Fail) {}

  void check() {
    // What is behind an embedded zero is not printed.
    StringRef Text = Format->getString().split('\0').first;
    PrintFormat Parsed = parsePrintFormat(Text);
    for (const PrintConversion &P : Parsed.Conversions) {
      Name = "'" + Text.slice(P.Begin, P.End).str() + "'";
      Place = P.Begin;
      if (!checkConversion(P))
        return;
    }
    if (!Parsed.Error.empty())
      Fail(place(Parsed.Place), "in the format of printf: " + Parsed.Error);
  }

private:
  bool checkConversion(const PrintConversion &P) {
    for (bool Star : {P.TakesWidth, P.TakesPrecision}) {
      const Expr *E = Star ? next() : nullptr;
      if (Star && !E)
        return false;
      if (E && !E->getType()->isIntegralOrEnumerationType())
        return mismatch(E, "an integer for each '*'");
    }
    const Expr *E = next();
    if (!E)
      return false;
    QualType T = E->getType();
    if (P.Elements)
      return checkVector(P, E);
    bool Pointer = T->isAnyPointerType() || T->isNullPtrType();
    switch (P.kind()) {
    case PrintConversion::Integer:
      return T->isIntegralOrEnumerationType() || Pointer || mismatch(E, "an integer");
    case PrintConversion::Floating:
      return T->isRealFloatingType() || mismatch(E, "a floating-point number");
    case PrintConversion::String:
      return Pointer || mismatch(E, "a string");
    case PrintConversion::Pointer:
      return Pointer || T->isIntegralOrEnumerationType() || mismatch(E, "a pointer");
    }
    return true;
  }

  bool checkVector(const PrintConversion &P, const Expr *E) {
    const auto *V = E->getType()->getAs<VectorType>();
    std::string Wanted = "a vector of " + std::to_string(P.Elements);
    bool Floating = P.kind() == PrintConversion::Floating;
    Wanted += Floating ? " floating-point numbers" : " integers";
    if (P.elementBytes())
      Wanted += " of " + std::to_string(P.elementBytes()) + " bytes";
    if (V && V->getNumElements() == P.Elements) {
      QualType Element = V->getElementType();
      if ((Floating ? Element->isRealFloatingType() : Element->isIntegralOrEnumerationType()) &&
          (!P.elementBytes() || C.getTypeSize(Element) == P.elementBytes() * 8))
        return true;
    }
    return mismatch(E, Wanted);
  }

  const Expr *next() {
    if (!Args.empty()) {
      const Expr *E = Args.front();
      Args = Args.drop_front();
      return E;
    }
    Fail(place(Place), "the format of printf asks for more arguments than there are: there is none "
                       "for " +
                           Name);
    return nullptr;
  }

  bool mismatch(const Expr *E, const Twine &Wanted) {
    // Without the promotions of variable arguments.
    Fail(E->getExprLoc(), "in the format of printf: " + Name + " needs " + Wanted + ", not " +
                              typeName(E->IgnoreParenImpCasts()->getType()));
    return false;
  }

  SourceLocation place(size_t Byte) const {
    return Format->getLocationOfByte(Byte, C.getSourceManager(), C.getLangOpts(),
                                     C.getTargetInfo());
  }

  const StringLiteral *Format;
  llvm::ArrayRef<const Expr *> Args;
  const ASTContext &C;
  Failure Fail;
  std::string Name;
  size_t Place = 0;
};

void checkFormat(const Expr *Format, llvm::ArrayRef<const Expr *> Args, const ASTContext &C,
                 Failure Fail) {
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Format->IgnoreParenImpCasts())) {
    checkFormat(Choice->getTrueExpr(), Args, C, Fail);
    checkFormat(Choice->getFalseExpr(), Args, C, Fail);
  } else if (const StringLiteral *L = literal(Format)) {
    FormatChecker(L, Args, C, Fail).check();
  }
}

/// Whether clang would take the format for a wrong one.
bool hasVectors(const Expr *Format) {
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Format->IgnoreParenImpCasts()))
    return hasVectors(Choice->getTrueExpr()) || hasVectors(Choice->getFalseExpr());
  const StringLiteral *L = literal(Format);
  if (!L)
    return false;
  for (const PrintConversion &P : parsePrintFormat(L->getString()).Conversions)
    if (P.Elements)
      return true;
  return false;
}

bool isPrintf(const FunctionDecl *F) { return F && F->getBuiltinID() == Builtin::BIprintf; }

/// Finds the calls of printf in all functions of the file.
class PrintfCalls : public RecursiveASTVisitor<PrintfCalls> {
  using Base = RecursiveASTVisitor<PrintfCalls>;

public:
  explicit PrintfCalls(llvm::function_ref<void(CallExpr *, const FunctionDecl *)> Handle)
      : Handle(Handle) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseDecl(Decl *D) {
    const FunctionDecl *Outer = Function;
    if (D && isa<FunctionDecl>(D))
      Function = cast<FunctionDecl>(D);
    Base::TraverseDecl(D);
    Function = Outer;
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    if (!E->isTypeDependent() && !E->isValueDependent() && isPrintf(E->getDirectCallee()))
      Handle(E, Function);
    return true;
  }

private:
  llvm::function_ref<void(CallExpr *, const FunctionDecl *)> Handle;
  const FunctionDecl *Function = nullptr;
};

} // namespace

void checkPrintCall(const CallExpr *E, StringRef CName, const ASTContext &C, Failure Fail) {
  unsigned Format = CName == "printf" ? 0 : CName == "__printf_chk" ? 1 : UINT_MAX;
  if (Format == UINT_MAX || E->getNumArgs() <= Format)
    return;
  llvm::ArrayRef<const Expr *> Args(E->getArgs() + Format + 1, E->getNumArgs() - Format - 1);
  for (const Expr *A : Args)
    if (QualType T = A->getType(); T->isRecordType() || T->isAnyComplexType())
      return Fail(A->getExprLoc(),
                  "a value of type " + typeName(T) + " cannot be printed; print its parts");
  checkFormat(E->getArg(Format), Args, C, Fail);
}

void FormatChecks::putOff(ASTContext &C) {
  auto Known = C.Idents.find("printf");
  if (Known == C.Idents.end())
    return;
  for (NamedDecl *D : C.getTranslationUnitDecl()->lookup(Known->second)) {
    auto *F = dyn_cast<FunctionDecl>(D);
    if (!isPrintf(F))
      continue;
    // A later declaration inherits nothing from one that has nothing.
    if (auto *A = F->getMostRecentDecl()->getAttr<FormatAttr>()) {
      for (FunctionDecl *R : F->redecls())
        R->dropAttr<FormatAttr>();
      Taken = A;
      Printf = F;
    }
  }
}

void FormatChecks::make(Sema &S, const CallGraph &Graph) {
  if (!Taken)
    return;
  // Of the function only the attribute is looked at.
  ASTContext &C = S.getASTContext();
  Printf->addAttr(Taken);
  auto Check = [&](CallExpr *E, const FunctionDecl *In) {
    if (E->getNumArgs() && Graph.reaches(In) && hasVectors(E->getArg(0)))
      return;
    S.checkCall(Printf, nullptr, nullptr, {E->getArgs(), E->getNumArgs()}, false, E->getRParenLoc(),
                E->getCallee()->getSourceRange(), Sema::VariadicFunction);
  };
  PrintfCalls(Check).TraverseDecl(C.getTranslationUnitDecl());
}

} // namespace ka
