//===- launch.cpp - Finds kernels and rewrites ka_launch ------------------===//

#include "compiler/frontend/launch.h"
#include "compiler/frontend/ast_builder.h"
#include "compiler/frontend/attributes.h"
#include "compiler/frontend/declaration_checks.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace ka {
namespace {

bool isNamed(const FunctionDecl *F, StringRef Name) {
  return F && F->getIdentifier() && F->getName() == Name;
}

class HostVisitor : public RecursiveASTVisitor<HostVisitor> {
public:
  HostVisitor(ASTContext &C, KernelTable &Kernels, Reporter &Report, HostUses &Uses)
      : C(C), Kernels(Kernels), Report(Report), Uses(Uses) {}

  bool TraverseDecl(Decl *D) {
    auto *F = dyn_cast_or_null<FunctionDecl>(D);
    if (!F)
      return RecursiveASTVisitor::TraverseDecl(D);
    if (F->isInvalidDecl())
      return true;
    // What a template says counts where it is instantiated; clang hands us those
    // functions one by one.
    if (F->isDependentContext())
      return VisitFunctionDecl(F);
    const FunctionDecl *Outer = std::exchange(Function, F);
    bool Continue = RecursiveASTVisitor::TraverseDecl(D);
    Function = Outer;
    // The author's body was walked above; from here on the host sees its own.
    if (KernelEntity *K = Kernels.find(F);
        K && K->Valid && !K->Definition && F->doesThisDeclarationHaveABody())
      takeDefinition(*K, F);
    return Continue;
  }

  // What is not evaluated is no use of a kernel.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc) { return true; }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc) { return true; }
  bool TraverseGenericSelectionExpr(GenericSelectionExpr *E) {
    return E->isResultDependent() || TraverseStmt(E->getResultExpr());
  }

  bool TraverseLambdaExpr(LambdaExpr *E) {
    return E->getCallOperator()->isDependentContext() || RecursiveASTVisitor::TraverseLambdaExpr(E);
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (isKernel(F)) {
      enter(F);
    } else {
      checkPlainFunction(F, Report);
    }
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    if (isLocal(V) && !isa<ParmVarDecl>(V)) {
      checkLocalVariable(V, C, Report);
      Uses.LocalVariables.push_back({V, Function});
    }
    return true;
  }

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (isNamed(Callee, "ka__launch") && E->getNumArgs() == 5 && !E->isInstantiationDependent() &&
        !E->containsErrors())
      rewriteLaunch(E);
    else if (isNamed(Callee, "ka__kernel_of") && E->getNumArgs() == 2 &&
             !E->isInstantiationDependent() && !E->containsErrors())
      rewriteKernelOf(E);
    else if (const auto *Ref = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts()))
      Called.insert(Ref);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    auto *F = dyn_cast<FunctionDecl>(E->getDecl());
    // An instantiation has been reported with its template.
    if (F && isKernel(F) && !F->isTemplateInstantiation() && !Launched.contains(E))
      Uses.KernelReferences.push_back({E, F, Function, Called.contains(E)});
    return true;
  }

private:
  KernelEntity &enter(const FunctionDecl *F) {
    KernelEntity &K = Kernels.add(F);
    if (K.Checked.insert(F).second)
      K.Valid = checkKernelDeclaration(F, C, Report) && (F == K.First || K.Valid);
    return K;
  }

  void takeDefinition(KernelEntity &K, FunctionDecl *F) {
    warnOfUnusedPointers(F);
    K.Definition = F;
    K.DeviceBody = F->getBody();
    AstBuilder Build(C, K.DeviceBody->getBeginLoc());
    FunctionDecl *Called = Build.findFunction("ka__kernel_called");
    Expr *Descriptor = Build.addressOf(Build.reference(Kernels.descriptor(K)));
    Descriptor = Build.pointerCast(Descriptor, Called->getParamDecl(0)->getType());
    K.HostBody = Build.block({Build.call(Called, {Descriptor})});
    F->setBody(K.HostBody);
  }

  /// Each launch finds and keeps alive what its pointers lead to.
  void warnOfUnusedPointers(const FunctionDecl *F) {
    for (const ParmVarDecl *P : F->parameters())
      if (P->getType()->isPointerType() && !isLocal(P) && !P->isReferenced() &&
          !P->getName().empty() && !P->hasAttr<UnusedAttr>())
        Report.warning("ka-unused-pointer", P->getLocation(),
                       "parameter " + quoted(P) + " of kernel " + quoted(F) +
                           " is not used, but each launch keeps alive what it points to");
  }

  /// Within ka_launch the caret belongs where the argument is written.
  SourceLocation written(SourceLocation Loc) const { return C.getSourceManager().getFileLoc(Loc); }

  void rewriteLaunch(CallExpr *Launch) {
    const auto *Comma = dyn_cast<BinaryOperator>(Launch->getArg(2)->IgnoreParenImpCasts());
    if (!Comma || Comma->getOpcode() != BO_Comma)
      return; // rewritten before, or not made by the macro
    Expr *Argument = Comma->getLHS()->IgnoreParenImpCasts();
    auto *Call = dyn_cast<CallExpr>(Argument);
    const auto *Ref =
        Call ? dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()) : nullptr;
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Ref) {
      Report.error(written(Argument->getBeginLoc()),
                   "the third argument of ka_launch must be the call of a kernel, as in "
                   "ka_launch(backend, range, kernel(arguments))");
      forgive(Argument);
      return;
    }
    Launched.insert(Ref);
    if (!isKernel(Callee)) {
      Uses.FailedLaunches.push_back({written(Argument->getBeginLoc()), Callee, "ka_launch"});
      return;
    }
    // From a precompiled header the launch may come before the kernel.
    KernelEntity &K = enter(Callee->getCanonicalDecl());
    if (!K.Valid || !checkScratch(Call, Callee))
      return;
    warnOfStack(Call, Callee);

    AstBuilder Build(C, Launch->getBeginLoc());
    QualType KernelPointer = Launch->getArg(2)->getType(), Tuple = Launch->getArg(3)->getType(),
             Size = Launch->getArg(4)->getType();
    Expr *Descriptor = Build.addressOf(Build.reference(Kernels.descriptor(K)));
    Launch->setArg(2, Build.pointerCast(Descriptor, KernelPointer));
    if (Callee->param_empty())
      return; // no tuple: NULL and 0, as the macro wrote
    RecordDecl *Record = Kernels.tuple(K);
    Launch->setArg(3, Build.pointerCast(Build.addressOf(literal(Build, Record, Call)), Tuple));
    CharUnits Bytes = C.getTypeSizeInChars(C.getRecordType(Record));
    Launch->setArg(4, Build.integer(Bytes.getQuantity(), Size));
  }

  /// One error is enough: the kernels that a wrong launch mentions are not reported
  /// as used in a wrong way as well.
  void forgive(const Stmt *S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      Launched.insert(Ref);
    for (const Stmt *Child : S->children())
      if (Child)
        forgive(Child);
  }

  /// The name of a kernel becomes its descriptor.
  void rewriteKernelOf(CallExpr *KernelOf) {
    const auto *Comma = dyn_cast<BinaryOperator>(KernelOf->getArg(1)->IgnoreParenImpCasts());
    const auto *Void = Comma && Comma->getOpcode() == BO_Comma
                           ? dyn_cast<ExplicitCastExpr>(Comma->getLHS()->IgnoreParens())
                           : nullptr;
    if (!Void)
      return; // rewritten before, or not made by the macro
    const Expr *Named = Void->getSubExprAsWritten()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Named);
    const auto *F = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
    if (!F) {
      Report.error(written(Named->getBeginLoc()),
                   "the second argument of ka_kernel_of must be the name of a kernel");
      forgive(Void->getSubExpr());
      return;
    }
    Launched.insert(Ref);
    if (!isKernel(F)) {
      Uses.FailedLaunches.push_back({written(Named->getBeginLoc()), F, "ka_kernel_of"});
      return;
    }
    KernelEntity &K = enter(F->getCanonicalDecl());
    if (!K.Valid)
      return;
    AstBuilder Build(C, KernelOf->getBeginLoc());
    Expr *Descriptor = Build.addressOf(Build.reference(Kernels.descriptor(K)));
    KernelOf->setArg(1, Build.pointerCast(Descriptor, KernelOf->getArg(1)->getType()));
  }

  /// (struct ka.tuple.k){converted arguments}
  Expr *literal(AstBuilder &Build, RecordDecl *Record, CallExpr *Call) {
    llvm::SmallVector<Expr *, 8> Inits;
    for (FieldDecl *F : Record->fields()) {
      Expr *E = Call->getArg(Inits.size());
      if (E->getType()->isVariablyModifiedType())
        E = Build.pointerCast(E, F->getType());
      Inits.push_back(E);
    }
    QualType T = C.getRecordType(Record);
    return new (C)
        CompoundLiteralExpr(Call->getBeginLoc(), C.getTrivialTypeSourceInfo(T, Call->getBeginLoc()),
                            T, VK_LValue, Build.braces(T, Inits), /*fileScope=*/false);
  }

  /// Group memory and nothing else goes to parameters marked ka_local.
  bool checkScratch(CallExpr *Call, const FunctionDecl *Kernel) {
    bool Valid = true;
    for (auto [P, E] : llvm::zip(Kernel->parameters(), Call->arguments())) {
      const auto *Inner = dyn_cast<CallExpr>(E->IgnoreParenCasts());
      bool IsScratch = Inner && isNamed(Inner->getDirectCallee(), "ka_scratch");
      if (IsScratch == isLocal(P))
        continue;
      Valid = false;
      if (IsScratch)
        Report.error(written(E->getExprLoc()), "ka_scratch gives group memory, but parameter " +
                                                   quoted(P) + " of kernel " + quoted(Kernel) +
                                                   " is not marked ka_local");
      else
        Report.error(written(E->getExprLoc()), "parameter " + quoted(P) + " of kernel " +
                                                   quoted(Kernel) +
                                                   " is group memory: pass ka_scratch(bytes)");
      Report.note(P->getLocation(), "parameter declared here");
    }
    return Valid;
  }

  /// What is on the stack may be gone when the kernel runs, and only some devices
  /// see it.
  void warnOfStack(CallExpr *Call, const FunctionDecl *Kernel) {
    for (auto [P, E] : llvm::zip(Kernel->parameters(), Call->arguments())) {
      const VarDecl *V = P->getType()->isPointerType() ? stackVariable(E) : nullptr;
      if (V && Report.warning("ka-host-stack", written(E->getExprLoc()),
                              quoted(V) + " is on the host's stack, but kernel " + quoted(Kernel) +
                                  " runs after ka_launch has returned, and not every device sees "
                                  "the stack; pass memory from ka_alloc"))
        Report.note(V->getLocation(), "declared here");
    }
  }

  /// The automatic variable that a pointer, as it is written, points into.
  static const VarDecl *stackVariable(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Address = dyn_cast<UnaryOperator>(E);
        Address && Address->getOpcode() == UO_AddrOf)
      E = Address->getSubExpr()->IgnoreParens();
    else if (!E->getType()->isArrayType())
      return nullptr;
    for (;;) {
      if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow())
        E = Member->getBase()->IgnoreParens();
      else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E);
               Element && Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        E = Element->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && V->hasLocalStorage() && !V->getType()->isReferenceType() ? V : nullptr;
  }

  ASTContext &C;
  KernelTable &Kernels;
  Reporter &Report;
  HostUses &Uses;
  const FunctionDecl *Function = nullptr;
  llvm::DenseSet<const DeclRefExpr *> Launched, Called;
};

} // namespace

void visitHostDeclaration(Decl *D, ASTContext &C, KernelTable &Kernels, Reporter &Report,
                          HostUses &Uses) {
  HostVisitor(C, Kernels, Report, Uses).TraverseDecl(D);
}

} // namespace ka
