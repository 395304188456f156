//===- body_checks.cpp - What code in kernels may do ----------------------===//

#include "compiler/frontend/body_checks.h"
#include "compiler/frontend/attributes.h"
#include "compiler/frontend/declaration_checks.h"
#include "compiler/frontend/print_checks.h"
#include "compiler/lowering/c_library.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtObjC.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetBuiltins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace ka {
namespace {

/// For C functions that kernels cannot call, what to do instead.
StringRef adviceFor(StringRef Name) {
  return llvm::StringSwitch<StringRef>(Name)
      .Cases("malloc", "calloc", "realloc", "aligned_alloc", "free",
             "kernels cannot allocate memory; pass a pointer to memory from ka_alloc")
      .Cases("fprintf", "vprintf", "vfprintf", "fputs", "fputc", "putc", "fwrite", "perror",
             "fflush", "kernels print with printf, puts and putchar, on stdout")
      .Cases("sprintf", "snprintf", "vsprintf", "vsnprintf",
             "formatting is not supported in kernels")
      .Cases("exit", "_Exit", "quick_exit", "kernels cannot end the program")
      .Cases("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp",
             "kernels cannot jump between functions")
      .Case("__errno_location", "kernels have no errno")
      .Case("ka__launch", "kernels cannot launch kernels")
      .Default("");
}

/// The function with variable arguments has been reported.
bool isVariableArguments(unsigned Id) {
  return Id == Builtin::BI__builtin_va_start || Id == Builtin::BI__builtin_va_end ||
         Id == Builtin::BI__builtin_va_copy;
}

/// What the C library's headers make of memcpy and its kin with _FORTIFY_SOURCE;
/// device_codegen.cpp makes them plain again.
bool isFortified(StringRef Name) {
  return Name == "__memcpy_chk" || Name == "__memmove_chk" || Name == "__memset_chk";
}

/// What a program wrote where the C library's headers call a checking form with _FORTIFY_SOURCE.
StringRef writtenName(StringRef Name) {
  StringRef Plain = Name;
  Plain.consume_front("__builtin_");
  return Plain.consume_front("__") && Plain.consume_back("_chk") ? Plain : Name;
}

/// Builtins that have no body and no meaning on a device.
bool isHostBuiltin(unsigned Id) {
  switch (Id) {
  case Builtin::BI__builtin_setjmp:
  case Builtin::BI__builtin_longjmp:
  case Builtin::BI__builtin_return_address:
  case Builtin::BI__builtin_frame_address:
  case Builtin::BI__builtin_extract_return_addr:
  case Builtin::BI__builtin_frob_return_addr:
  case Builtin::BI__builtin_eh_return:
  case Builtin::BI__builtin_eh_return_data_regno:
  case Builtin::BI__builtin_dwarf_cfa:
  case Builtin::BI__builtin_dwarf_sp_column:
  case Builtin::BI__builtin_init_dwarf_reg_size_table:
  case Builtin::BI__builtin_unwind_init:
  case Builtin::BI__builtin_call_with_static_chain:
  case Builtin::BI__builtin_thread_pointer:
  case Builtin::BI__builtin_dump_struct:
  case Builtin::BI__builtin_os_log_format:
  case Builtin::BI__builtin_operator_new:
  case Builtin::BI__builtin_operator_delete:
  case Builtin::BI__builtin_coro_resume:
  case Builtin::BI__builtin_cpu_init:
  case Builtin::BI__builtin_cpu_is:
  case Builtin::BI__builtin_cpu_supports:
  case Builtin::BI__builtin___clear_cache:
  case Builtin::BI__builtin_debugtrap:
  case Builtin::BI__builtin_flt_rounds:
  case Builtin::BI__builtin_readcyclecounter:
  case Builtin::BI__builtin_readsteadycounter:
  case Builtin::BI__builtin_set_flt_rounds:
  case Builtin::BI__builtin_verbose_trap:
    return true;
  default:
    return false;
  }
}

/// std::move and its kin, whose bodies clang neither instantiates nor calls: it emits what they do
/// in place.
bool isCastOfStd(const FunctionDecl *F, unsigned Id) {
  switch (Id) {
  case Builtin::BImove:
  case Builtin::BImove_if_noexcept:
  case Builtin::BIforward:
  case Builtin::BIforward_like:
  case Builtin::BIas_const:
  case Builtin::BIaddressof:
  case Builtin::BI__addressof:
    return F->isInStdNamespace();
  default:
    return false;
  }
}

/// Functions of <complex.h> that clang emits as accesses to the parts of a number.
bool isPartOfComplex(StringRef CName) {
  return llvm::StringSwitch<bool>(CName)
      .Cases("creal", "crealf", "cimag", "cimagf", "conj", "conjf", true)
      .Default(false);
}

/// Without an instruction, so that each result is what was there before; programs hold the
/// optimiser back with it.
bool isEmptyAssembly(const GCCAsmStmt *S) {
  if (!S->getAsmString()->getString().trim().empty() || S->isAsmGoto())
    return false;
  auto IsInput = [&](unsigned Output) {
    for (unsigned I = 0; I != S->getNumInputs(); ++I)
      if (StringRef Same = S->getInputConstraint(I);
          Same == llvm::utostr(Output) || Same == ("[" + S->getOutputName(Output) + "]").str())
        return true;
    return false;
  };
  for (unsigned I = 0; I != S->getNumOutputs(); ++I)
    if (!S->isOutputPlusConstraint(I) && S->getOutputConstraint(I) != "=m" && !IsInput(I))
      return false;
  return true;
}

bool isAlloca(unsigned Id) {
  return Id == Builtin::BIalloca || Id == Builtin::BI_alloca || Id == Builtin::BI__builtin_alloca ||
         Id == Builtin::BI__builtin_alloca_uninitialized ||
         Id == Builtin::BI__builtin_alloca_with_align ||
         Id == Builtin::BI__builtin_alloca_with_align_uninitialized;
}

/// Checks the body of one function.
class BodyChecker : public DeviceCodeVisitor<BodyChecker> {
  using Base = DeviceCodeVisitor<BodyChecker>;

public:
  BodyChecker(const CallGraph &Graph, const FunctionDecl *F, const ASTContext &C, Reporter &Report)
      : Base(C), Graph(Graph), Function(F), Report(Report) {}

  void check() {
    if (Function->isVariadic())
      fail(Function->getLocation(), "functions with variable arguments are not supported in "
                                    "kernels: " +
                                        quoted(Function));
    checkType(Function->getReturnType(), Function->getLocation(), "the result of ", Function);
    for (ParmVarDecl *P : Function->parameters())
      VisitVarDecl(P);
    for (ParmVarDecl *P : Function->parameters())
      if (const TypeSourceInfo *Info = P->getTypeSourceInfo())
        TraverseTypeLoc(Info->getTypeLoc());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (CXXCtorInitializer *Init : Constructor->inits())
        TraverseStmt(Init->getInit());
    TraverseStmt(Function->getBody());
    // What is called without being written: constructors, destructors, clean-up.
    for (const CallGraph::Edge &Call : Graph.node(Function).Calls)
      if (!CallPlaces.contains(Call.Location) && !Call.Callee->isDefaulted())
        checkCallee(Call.Callee, Call.Location, nullptr);
  }

  //===- Calls ------------------------------------------------------------===//

  bool VisitCallExpr(CallExpr *E) {
    if (isa<CXXPseudoDestructorExpr>(E->getCallee()->IgnoreParens()))
      return true;
    const FunctionDecl *F = E->getDirectCallee();
    if (!F) {
      unsupported(E->getExprLoc(), "indirect calls are");
      return true;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts()))
      Called.insert(Ref);
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E); Member && isVirtual(Member))
      unsupported(E->getExprLoc(), "virtual calls are");
    CallPlaces.insert(E->getExprLoc());
    checkCallee(F, E->getExprLoc(), E);
    return true;
  }

  static bool isVirtual(const CXXMemberCallExpr *E) {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(E->getMethodDecl());
    const auto *Callee = dyn_cast<MemberExpr>(E->getCallee()->IgnoreParens());
    return M && M->isVirtual() && Callee && !Callee->hasQualifier();
  }

  /// `E` is null for a call that is not written.
  void checkCallee(const FunctionDecl *F, SourceLocation Loc, const CallExpr *E) {
    unsigned Id = F->getBuiltinID();
    StringRef Name = F->getIdentifier() ? F->getName() : "";
    if (isAlloca(Id))
      return fail(Loc, "alloca is not supported in kernels; use an array of constant size");
    if (isHostBuiltin(Id))
      return fail(Loc, quoted(F) + " is not supported in kernels");
    if (Id && C.BuiltinInfo.isTSBuiltin(Id))
      return fail(Loc, quoted(F) + " is an instruction of the host's processor and does not exist "
                                   "on devices");
    if (F->isMultiVersion())
      return fail(Loc, quoted(F) + " has versions for different processors of the host, which "
                                   "kernels cannot choose between");
    if (hasDeviceBody(F, C) || isVariableArguments(Id) || isCastOfStd(F, Id))
      return;
    if (workItemFunction(Name) || isCollectiveFunction(Name) || isTrapFunction(Name))
      return;
    bool Library =
        Id && (C.BuiltinInfo.isLibFunction(Id) || C.BuiltinInfo.isPredefinedLibFunction(Id));
    if (Id && !Library)
      return;
    StringRef CName = Name;
    StringRef Written = writtenName(CName);
    if (Library && CName.consume_front("__builtin_") && Written == Name &&
        !isLibraryFunction(CName))
      return; // like __builtin_isnan: no function, but instructions
    checkPrintCall(E, CName, C,
                   [&](SourceLocation At, const Twine &Message) { fail(At, Message); });
    if (isDeviceLibraryFunction(CName) || isTrapFunction(CName) || isFortified(CName) ||
        (Library && isPartOfComplex(CName)))
      return;
    if (Expr::EvalResult Constant;
        Library && E && !E->isValueDependent() && E->EvaluateAsRValue(Constant, C))
      return; // like __builtin_nan("")
    if (Written == Name)
      Written = CName;
    if (const auto *A = dyn_cast<CXXMethodDecl>(F); A && A->isTrivial())
      return;
    // What it is given is not worth another report: stderr has no meaning in a kernel either.
    if (E)
      for (const Expr *A : E->arguments())
        if (const auto *Ref = dyn_cast<DeclRefExpr>(A->IgnoreParenImpCasts()))
          Refused.insert(Ref);
    if (StringRef Advice = adviceFor(Written); !Advice.empty())
      return fail(Loc, CName == "ka__launch" ? Advice.str()
                                             : "call of '" + Written + "' in a kernel: " + Advice);
    if (CName.starts_with("ka_"))
      return fail(Loc, quoted(F) + " is a function for the host and cannot be called in kernels");
    if (Library || C.getSourceManager().isInSystemHeader(F->getLocation()))
      return fail(Loc, "the library function '" + Written +
                           "' is not available in kernels; there are most of <math.h>, <ctype.h>, "
                           "assert, abort, " +
                           deviceLibraryFunctions());
    fail(Loc, "call of " + quoted(F) +
                  " in a kernel: its definition must be visible in this translation unit");
    Report.note(F->getLocation(), "declared here");
  }

  bool isLibraryFunction(StringRef Name) const {
    auto Id = C.Idents.find(Name);
    return Id != C.Idents.end() && Id->second->getBuiltinID() != 0;
  }

  bool VisitVAArgExpr(VAArgExpr *E) { return unsupported(E->getExprLoc(), "va_arg is"); }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (isa<FunctionDecl>(E->getDecl()) && !Called.contains(E))
      fail(E->getExprLoc(), "pointers to functions are not supported in kernels: " +
                                quoted(E->getDecl()) + " can only be called");
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl());
        V && V->hasGlobalStorage() && !Refused.contains(E))
      checkVariable(V, E);
    return true;
  }

  //===- Variables --------------------------------------------------------===//

  void checkVariable(const VarDecl *V, const DeclRefExpr *E) {
    if (isLocal(V) || V->isImplicit())
      return;
    if (!Reported.insert(V->getCanonicalDecl()).second)
      return;
    SourceLocation Loc = E->getLocation();
    const VarDecl *Definition = definitionOf(V);
    bool IsConstant = V->getType().isConstQualified() && !V->getType().isVolatileQualified();
    if (const auto *Array = C.getAsArrayType(V->getType()))
      IsConstant = C.getBaseElementType(Array).isConstQualified() &&
                   !C.getBaseElementType(Array).isVolatileQualified();
    const char *Kind = V->isStaticLocal() ? "static" : "global";
    if (V->getTLSKind() != VarDecl::TLS_None)
      failVariable(V, Loc, quoted(V) + " is thread-local; kernels have no threads of the host");
    else if (!IsConstant)
      failVariable(V, Loc,
                   quoted(V) + " is a " + Kind +
                       " variable of the host, which kernels cannot use; pass a pointer "
                       "instead, or make it const");
    else if (!Definition)
      failVariable(V, Loc,
                   quoted(V) + " is a constant whose value must be visible in this "
                               "translation unit");
    // C asks for constants anyway; clang evaluates no flexible array members.
    else if (Definition->getInit() && !Definition->evaluateValue() &&
             !Definition->getInit()->isConstantInitializer(V->getASTContext(),
                                                           V->getType()->isReferenceType()))
      failVariable(V, Loc, quoted(V) + " has an initialiser that is computed at run time");
    else if (Definition->getInit() && holdsFunction(Definition->getInit()))
      failVariable(V, Loc,
                   quoted(V) + " holds pointers to functions, which are not supported in "
                               "kernels");
  }

  bool holdsFunction(const Expr *Init) const {
    struct Finder : DeviceCodeVisitor<Finder> {
      using DeviceCodeVisitor::DeviceCodeVisitor;
      bool Found = false;
      // Of a builtin, such as the one that INFINITY is.
      bool TraverseCallExpr(CallExpr *E) {
        return all_of(E->arguments(), [&](Expr *A) { return TraverseStmt(A); });
      }
      bool VisitDeclRefExpr(DeclRefExpr *E) {
        Found |= isa<FunctionDecl>(E->getDecl());
        return !Found;
      }
    } F(C);
    F.TraverseStmt(const_cast<Expr *>(Init));
    return F.Found;
  }

  void failVariable(const VarDecl *V, SourceLocation Loc, const Twine &Message) {
    fail(Loc, Message);
    Report.note(V->getLocation(), "declared here");
  }

  bool VisitVarDecl(VarDecl *V) {
    if (V->getType()->isVariableArrayType())
      fail(V->getLocation(), "variable length arrays are not supported in kernels: " + quoted(V) +
                                 " needs a constant size");
    else
      checkType(V->getType(), V->getLocation(), "", V);
    return true;
  }

  //===- Types of values --------------------------------------------------===//

  void checkType(QualType T, SourceLocation Loc, const char *Role, const NamedDecl *D) {
    if (std::string Text = unsupportedType(T, C); !Text.empty() && TypeLines.insert(Loc).second)
      fail(Loc, Role + quoted(D) + " has type '" + T.getAsString() + "', which " + Text);
  }

  /// Some devices have no double, and C takes it for all that is not said to be float.
  void warnOfDouble(const Expr *E) {
    QualType T = E->getType().getCanonicalType().getUnqualifiedType();
    if (const auto *V = T->getAs<VectorType>())
      T = V->getElementType();
    if (const auto *X = T->getAs<ComplexType>())
      T = X->getElementType();
    if (DoubleFound || !T->isSpecificBuiltinType(BuiltinType::Double))
      return;
    DoubleFound =
        Report.warning("ka-double", E->getExprLoc(),
                       "a value of type 'double' in a kernel, which not every device can compute");
    if (DoubleFound) // one report for each function
      Graph.notePath(Report, Function);
  }

  bool VisitExpr(Expr *E) {
    if (Report.wants("ka-double"))
      warnOfDouble(E);
    if (isa<InitListExpr>(E) || (E->isLValue() && isa<DeclRefExpr>(E)))
      return true; // reported with the variable or the elements
    if (E->getType()->isAtomicType() && C.getTypeSize(E->getType()) > 64)
      checkAtomic(E, E->getType());
    std::string Text = unsupportedType(E->getType(), C);
    if (Text.empty() || TypeFound)
      return true;
    // One report for each function: the first value of such a type has led to the others.
    TypeFound = true;
    if (TypeLines.empty())
      fail(E->getExprLoc(),
           "a value of type '" + E->getType().getAsString() + "' in a kernel: this type " + Text);
    return true;
  }

  bool VisitAtomicExpr(AtomicExpr *E) {
    QualType T = E->getValueType();
    if (!T->isDependentType() && !T->isIncompleteType() && C.getTypeSize(T) > 64)
      checkAtomic(E, T);
    return true;
  }

  void checkAtomic(const Expr *E, QualType T) {
    if (AtomicFound)
      return; // one report for each function is enough
    AtomicFound = true;
    fail(E->getExprLoc(), "atomic access to '" + T.getAsString() +
                              "': atomics of more than 64 bits are not supported in kernels");
  }

  //===- Constructs -------------------------------------------------------===//

  bool VisitGCCAsmStmt(GCCAsmStmt *S) {
    return isEmptyAssembly(S) || unsupported(S->getAsmLoc(), "inline assembly is");
  }
  bool VisitMSAsmStmt(MSAsmStmt *S) { return unsupported(S->getAsmLoc(), "inline assembly is"); }
  bool VisitAddrLabelExpr(AddrLabelExpr *E) {
    return unsupported(E->getExprLoc(), "addresses of labels are");
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *S) {
    return unsupported(S->getGotoLoc(), "computed gotos are");
  }
  bool VisitBlockExpr(BlockExpr *E) { return unsupported(E->getCaretLocation(), "blocks are"); }
  bool VisitOMPExecutableDirective(OMPExecutableDirective *S) {
    return unsupported(S->getBeginLoc(), "OpenMP directives are");
  }
  bool VisitCoroutineBodyStmt(CoroutineBodyStmt *S) {
    return unsupported(S->getBeginLoc(), "coroutines are");
  }
  bool VisitCXXThrowExpr(CXXThrowExpr *E) {
    return unsupported(E->getThrowLoc(), "exceptions are");
  }
  bool VisitCXXTryStmt(CXXTryStmt *S) { return unsupported(S->getTryLoc(), "exceptions are"); }
  bool VisitSEHTryStmt(SEHTryStmt *S) { return unsupported(S->getTryLoc(), "exceptions are"); }
  bool VisitCXXNewExpr(CXXNewExpr *E) {
    if (E->getOperatorNew() && E->getOperatorNew()->isReservedGlobalPlacementOperator())
      return true;
    return unsupported(E->getBeginLoc(), "'new' is");
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *E) { return unsupported(E->getBeginLoc(), "'delete' is"); }
  bool VisitCXXTypeidExpr(CXXTypeidExpr *E) { return unsupported(E->getBeginLoc(), "'typeid' is"); }
  bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr *E) {
    return unsupported(E->getOperatorLoc(), "'dynamic_cast' is");
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    const auto *Within = dyn_cast<CXXConstructorDecl>(Function);
    if (Within && Within->getParent()->isDynamicClass())
      return true; // the base of what has been reported
    if (const CXXRecordDecl *R = E->getConstructor()->getParent(); R->isDynamicClass())
      return unsupported(E->getExprLoc(), "classes with virtual functions are");
    return true;
  }

private:
  bool unsupported(SourceLocation Loc, const Twine &What) {
    fail(Loc, What + " not supported in kernels");
    return true;
  }

  /// At the place itself; what an inline function of a system header does is told at the call that
  /// the program wrote.
  void fail(SourceLocation Loc, const Twine &Message) {
    const CallGraph::Node *Written = nullptr;
    for (const CallGraph::Node *N = &Graph.node(Function);
         N->Caller && C.getSourceManager().isInSystemHeader(N->Function->getLocation());
         N = &Graph.node(N->Caller))
      Written = N;
    if (Written) {
      Report.error(Written->CallLocation, "call of " + quoted(Written->Function) +
                                              ", an inline function of a system header, in a "
                                              "kernel: " +
                                              Message);
      Report.note(Loc, "here");
    } else {
      Report.error(Loc, Message);
    }
    Graph.notePath(Report, Function);
  }

  const CallGraph &Graph;
  const FunctionDecl *Function;
  Reporter &Report;
  llvm::DenseSet<const DeclRefExpr *> Called, Refused;
  llvm::DenseSet<const VarDecl *> Reported;
  llvm::DenseSet<SourceLocation> TypeLines, CallPlaces;
  bool TypeFound = false, AtomicFound = false, DoubleFound = false;
};

} // namespace

void checkDeviceCode(const CallGraph &Graph, const ASTContext &C, Reporter &Report) {
  Graph.checkRecursion(Report);
  for (const FunctionDecl *F : Graph.functions())
    BodyChecker(Graph, F, C, Report).check();
}

void checkHostUses(const HostUses &Uses, const CallGraph &Graph, Reporter &Report) {
  for (const auto &Launch : Uses.FailedLaunches)
    if (!isKernel(Launch.Callee)) {
      Report.error(Launch.Location,
                   Launch.By + " of " + quoted(Launch.Callee) +
                       ", which is not a kernel; mark its first declaration with [[ka::kernel]]");
      Report.note(Launch.Callee->getLocation(), quoted(Launch.Callee) + " declared here");
    }
  for (const auto &Use : Uses.KernelReferences) {
    if (Use.IsCall && Graph.reaches(Use.Function))
      continue;
    if (!Use.IsCall && Graph.reaches(Use.Function))
      continue; // reported as a pointer to a function
    Report.error(Use.Reference->getLocation(),
                 Use.IsCall ? "kernel " + quoted(Use.Kernel) +
                                  " called outside of ka_launch; write ka_launch(backend, range, " +
                                  Use.Kernel->getNameAsString() + "(arguments))"
                            : "kernel " + quoted(Use.Kernel) +
                                  " can only be launched with ka_launch: it has no address");
  }
  for (const auto &Local : Uses.LocalVariables) {
    const FunctionDecl *F = Local.Function;
    if (!F || Graph.reaches(F))
      continue;
    // A helper in a header that this file does not use is nobody's fault.
    bool Unused = !F->isReferenced() && (F->isInlined() || !F->isExternallyVisible());
    if (!Unused)
      Report.error(Local.Variable->getLocation(), "group memory " + quoted(Local.Variable) +
                                                      " in " + quoted(F) +
                                                      ", which no kernel calls");
  }
}

} // namespace ka
