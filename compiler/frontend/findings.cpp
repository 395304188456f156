//===- findings.cpp - Findings about device IR, back in the source --------===//
//
// IR keeps file, line and column as debug information writes them: after #line
// and macro expansion. They are found again among the statements of the function
// that the debug information names, which works for preprocessed input as well.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/attributes.h"
#include "compiler/frontend/diagnostics.h"
#include "ka/abi.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace clang;

namespace ka {
namespace {

/// Finds the place in a function that has a line and column.
class PlaceFinder : public RecursiveASTVisitor<PlaceFinder> {
public:
  PlaceFinder(const SourceManager &SM, unsigned Line, unsigned Column)
      : SM(SM), Line(Line), Column(Column) {}

  SourceLocation Exact, SameLine;

  bool VisitStmt(Stmt *S) {
    if (const auto *E = dyn_cast<Expr>(S))
      consider(E->getExprLoc());
    consider(S->getBeginLoc());
    consider(S->getEndLoc());
    return Exact.isInvalid();
  }
  bool VisitVarDecl(VarDecl *V) {
    consider(V->getLocation());
    return Exact.isInvalid();
  }

private:
  void consider(SourceLocation Loc) {
    if (Loc.isInvalid())
      return;
    PresumedLoc P = SM.getPresumedLoc(Loc);
    if (P.isInvalid() || P.getLine() != Line)
      return;
    SourceLocation Place = SM.getExpansionLoc(Loc);
    if (P.getColumn() == Column)
      Exact = Place;
    else if (SameLine.isInvalid())
      SameLine = Place;
  }

  const SourceManager &SM;
  unsigned Line, Column;
};

/// Finds the innermost `if` whose condition is at a place.
class IfFinder : public RecursiveASTVisitor<IfFinder> {
public:
  IfFinder(const SourceManager &SM, SourceLocation Place) : SM(SM), Place(Place) {}

  const IfStmt *Found = nullptr;

  bool VisitIfStmt(IfStmt *S) {
    SourceLocation Begin = SM.getExpansionLoc(S->getIfLoc());
    SourceLocation End = SM.getExpansionLoc(S->getCond()->getEndLoc());
    if (!SM.isBeforeInTranslationUnit(Place, Begin) && !SM.isBeforeInTranslationUnit(End, Place))
      Found = S;
    return true;
  }

private:
  const SourceManager &SM;
  SourceLocation Place;
};

class ReturnFinder : public RecursiveASTVisitor<ReturnFinder> {
public:
  const ReturnStmt *Found = nullptr;

  bool VisitReturnStmt(ReturnStmt *S) {
    Found = S;
    return false;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; } // returns of its own
};

class Places {
public:
  Places(const ASTContext &C, llvm::ArrayRef<const FunctionDecl *> Functions)
      : SM(C.getSourceManager()), Functions(Functions) {}

  const FunctionDecl *function(const llvm::DILocation *L) const {
    const llvm::DISubprogram *P = L->getScope()->getSubprogram();
    for (const FunctionDecl *F : Functions)
      if (P && F->getNameAsString() == P->getName() &&
          SM.getPresumedLoc(F->getLocation()).getLine() == P->getLine())
        return F;
    return nullptr;
  }

  SourceLocation place(const FunctionDecl *F, const llvm::DILocation *L) const {
    PlaceFinder Finder(SM, L->getLine(), L->getColumn());
    if (F->getBody())
      Finder.TraverseStmt(F->getBody());
    if (Finder.Exact.isValid())
      return Finder.Exact;
    return Finder.SameLine.isValid() ? Finder.SameLine : F->getLocation();
  }

  /// The return that keeps items from the barrier that the finding is about, if that
  /// stands behind it in one function, or in what is called behind it.
  const ReturnStmt *returnBefore(const Diagnostic &Finding) const {
    const llvm::DILocation *Parting = Finding.Parting.get(), *Barrier = Finding.Location.get();
    const FunctionDecl *F = Parting ? function(Parting) : nullptr;
    while (Barrier && Parting && Barrier->getInlinedAt() != Parting->getInlinedAt())
      Barrier = Barrier->getInlinedAt();
    if (!F || !F->getBody() || !Barrier || function(Barrier) != F)
      return nullptr;
    IfFinder Finder(SM, place(F, Parting));
    Finder.TraverseStmt(F->getBody());
    const IfStmt *If = Finder.Found;
    if (!If ||
        !SM.isBeforeInTranslationUnit(SM.getExpansionLoc(If->getEndLoc()), place(F, Barrier)))
      return nullptr;
    ReturnFinder Return;
    Return.TraverseStmt(const_cast<IfStmt *>(If));
    return Return.Found;
  }

  const SourceManager &SM;
  llvm::ArrayRef<const FunctionDecl *> Functions;
};

/// What to do about a barrier behind a return that some items take. Programs for CUDA
/// and OpenCL begin with `if (i >= n) return;`, which need not be here.
std::string returnAdvice(bool ItemsBeyondRange) {
  std::string Others = "put only the statements between the barriers under the opposite condition";
  return ItemsBeyondRange ? Others
                          : "items beyond the range do not exist, so leave out a return that is "
                            "meant for them, else " +
                                Others;
}

} // namespace

void reportFinding(Reporter &Report, const ASTContext &C, const Diagnostic &Finding,
                   llvm::ArrayRef<const FunctionDecl *> Functions,
                   llvm::ArrayRef<KernelEntity *> Kernels) {
  Places Where(C, Functions);
  const llvm::DILocation *L = Finding.Location.get();
  const FunctionDecl *F = L ? Where.function(L) : nullptr;
  SourceLocation Loc;
  if (F) {
    Loc = Where.place(F, L);
  } else {
    StringRef Symbol = Finding.Kernel;
    if (!Symbol.consume_back(KA__PADDED_SUFFIX))
      Symbol.consume_back(KA__GROUP_SUFFIX);
    for (const KernelEntity *K : Kernels)
      if (K->Symbol == Symbol)
        Loc = K->Definition->getLocation();
  }

  const ReturnStmt *Return = Where.returnBefore(Finding);
  std::string Advice =
      Return ? returnAdvice(Finding.Severity == Diagnostic::Warning) : Finding.Advice;
  std::string Message = Finding.Message + (Return ? ", as some return before it" : "") +
                        (Advice.empty() ? "" : "; ") + Advice;
  if (Finding.Severity == Diagnostic::Error)
    Report.error(Loc, Message);
  else if (!Report.warning(Finding.Group, Loc, Message))
    return;
  if (Return)
    Report.note(Return->getReturnLoc(), "items of a work-group return here");
  for (const Diagnostic::Note &N : Finding.Notes) {
    const llvm::DILocation *Place = N.Location.get();
    const FunctionDecl *Within = Place ? Where.function(Place) : nullptr;
    Report.note(Within ? Where.place(Within, Place) : Loc, N.Message);
  }
  // From the function itself outwards to the kernel.
  for (L = L ? L->getInlinedAt() : nullptr; F && L; L = L->getInlinedAt()) {
    const FunctionDecl *Caller = Where.function(L);
    if (!Caller)
      break; // the entry, which no author has written
    Report.note(Where.place(Caller, L), quoted(F) + " is called by " +
                                            (isKernel(Caller) ? "kernel " : "") + quoted(Caller) +
                                            " here");
    F = Caller;
  }
}

} // namespace ka
