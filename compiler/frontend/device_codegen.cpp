//===- device_codegen.cpp - Device IR from the host's AST -----------------===//

#include "compiler/frontend/device_codegen.h"
#include "compiler/frontend/ast_builder.h"
#include "compiler/frontend/attributes.h"
#include "compiler/lowering/kernel.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace ka {
namespace {

/// Checks whose failure is an instruction that traps, as -fsanitize-trap= says, and no call of
/// the host's runtime: kernels have traps, too.
SanitizerMask trappingChecks(const LangOptions &Language, const CodeGenOptions &Host) {
  SanitizerMask OfValues = SanitizerKind::Undefined | SanitizerKind::Integer |
                           SanitizerKind::ImplicitConversion | SanitizerKind::FloatDivideByZero |
                           SanitizerKind::Nullability;
  // What a pointer to a function, or to an object of a class with virtual functions, leads to.
  OfValues &= ~(SanitizerKind::Function | SanitizerKind::Vptr);
  return Language.Sanitize.Mask & Host.SanitizeTrap.Mask & OfValues;
}

/// Sets the language options for device code while it lives.
class DeviceLanguage {
public:
  DeviceLanguage(LangOptions &Options, SanitizerMask Checks) : Options(Options), Saved(Options) {
    Options.Sanitize.Mask = Checks;
    // A function of the host's.
    Options.OverflowHandler.clear();
    Options.setStackProtector(LangOptions::SSPOff);
    Options.Exceptions = 0;
    Options.CXXExceptions = 0;
    Options.XRayInstrument = 0;
    Options.Optimize = 1;
    Options.MathErrno = 0;
    // Devices have no floating-point environment to respect.
    Options.RoundingMath = 0;
    Options.setFPExceptionMode(LangOptions::FPE_Ignore);
    // The full range needs functions of the host's compiler runtime.
    if (Options.getComplexRange() != LangOptions::CX_Basic)
      Options.setComplexRange(LangOptions::CX_Improved);
  }
  ~DeviceLanguage() { Options = Saved; }
  DeviceLanguage(const DeviceLanguage &) = delete;

private:
  LangOptions &Options;
  LangOptions Saved;
};

/// Keeps warnings about the host's ways of calling functions back while it lives:
/// on devices everything is inlined.
class DeviceWarnings {
public:
  explicit DeviceWarnings(DiagnosticsEngine &Diags) : Diags(Diags) {
    using Level = DiagnosticsEngine::Level;
    Level Now = Diags.getDiagnosticLevel(diag::warn_avx_calling_convention, {});
    Before = Now == Level::Ignored   ? diag::Severity::Ignored
             : Now == Level::Warning ? diag::Severity::Warning
                                     : diag::Severity::Error;
    Diags.setSeverity(diag::warn_avx_calling_convention, diag::Severity::Ignored, {});
  }
  ~DeviceWarnings() { Diags.setSeverity(diag::warn_avx_calling_convention, Before, {}); }
  DeviceWarnings(const DeviceWarnings &) = delete;

private:
  DiagnosticsEngine &Diags;
  diag::Severity Before;
};

CodeGenOptions deviceCodeGenOptions(const CodeGenOptions &Host, SanitizerMask Checks) {
  CodeGenOptions Device;
  Device.SanitizeTrap.Mask = Checks;
  // Not to optimise here, but to get IR that can be optimised.
  Device.OptimizationLevel = 2;
  // Otherwise each loop without a hint would have one that forbids it.
  Device.UnrollLoops = 1;
  // Locations, with columns, for the lowering's messages.
  Device.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  Device.DebugColumnInfo = 1;
  // What the user said of the language.
  Device.RelaxedAliasing = Host.RelaxedAliasing;
  Device.NullPointerIsValid = Host.NullPointerIsValid;
  Device.StrictFloatCastOverflow = Host.StrictFloatCastOverflow;
  Device.setFiniteLoops(Host.getFiniteLoops());
  return Device;
}

/// What declarations say differently to the device while this lives.
class DeviceAttributes {
public:
  DeviceAttributes(ASTContext &C, const CallGraph &Graph, bool Traps) {
    for (const FunctionDecl *Const : Graph.functions()) {
      auto *F = const_cast<FunctionDecl *>(Const);
      if (F->UsesFPIntrin()) {
        StrictFP.push_back(F);
        F->setUsesFPIntrin(false);
      }
      // Or clang would make one trap, without a place, of all in a function.
      if (Traps && !F->hasAttr<OptimizeNoneAttr>()) {
        F->addAttr(OptimizeNoneAttr::CreateImplicit(C));
        Unoptimised.push_back(F);
      }
      for (FunctionDecl *R : F->redecls()) {
        // clang does not emit functions that are C99 inline and noinline.
        take<NoInlineAttr>(R);
        take<StrictFPAttr>(R);
      }
      for (auto &[V, Location] : Graph.node(F).Variables)
        if (isLocal(V) && !V->hasAttr<SectionAttr>()) {
          auto *Local = const_cast<VarDecl *>(V);
          Local->addAttr(
              SectionAttr::CreateImplicit(C, V->getInit() ? LocalInitSection : LocalSection));
          Locals.push_back(Local);
        }
    }
  }
  ~DeviceAttributes() {
    for (auto &[D, A] : Taken)
      D->addAttr(A);
    for (FunctionDecl *F : StrictFP)
      F->setUsesFPIntrin(true);
    for (FunctionDecl *F : Unoptimised)
      F->dropAttr<OptimizeNoneAttr>();
    for (VarDecl *V : Locals)
      V->dropAttr<SectionAttr>();
  }
  DeviceAttributes(const DeviceAttributes &) = delete;

private:
  template <typename T> void take(Decl *D) {
    if (T *A = D->getAttr<T>()) {
      Taken.push_back({D, A});
      D->dropAttr<T>();
    }
  }

  std::vector<std::pair<Decl *, Attr *>> Taken;
  std::vector<FunctionDecl *> StrictFP, Unoptimised;
  std::vector<VarDecl *> Locals;
};

/// void ka.entry.<symbol>(struct ka.tuple.<symbol> *t) { k(t->a, t->b, ...); }
FunctionDecl *makeEntry(ASTContext &C, KernelTable &Kernels, KernelEntity &K) {
  AstBuilder Build(C);
  RecordDecl *Tuple = Kernels.tuple(K);
  FunctionDecl *Entry = Build.function((EntryPrefix + K.Symbol).str(),
                                       {C.getPointerType(C.getRecordType(Tuple))}, SC_None);
  llvm::SmallVector<Expr *, 8> Arguments;
  for (auto [P, F] : llvm::zip(K.Definition->parameters(), Tuple->fields())) {
    Expr *Value = Build.load(Build.field(Build.load(Build.reference(Entry->getParamDecl(0))), F));
    if (P->getType()->isVariablyModifiedType())
      Value = Build.pointerCast(Value, P->getType().getUnqualifiedType());
    Arguments.push_back(Value);
  }
  Entry->setBody(Build.block({Build.call(K.Definition, Arguments)}));
  Entry->addAttr(UsedAttr::CreateImplicit(C));
  return Entry;
}

/// The annotations of the frontend have done their work.
void dropAnnotations(llvm::Module &M) {
  if (llvm::GlobalVariable *G = M.getNamedGlobal("llvm.global.annotations"))
    G->eraseFromParent();
  for (llvm::Function &F : llvm::make_early_inc_range(M)) {
    if (F.getIntrinsicID() != llvm::Intrinsic::var_annotation)
      continue;
    for (llvm::User *U : llvm::make_early_inc_range(F.users()))
      cast<llvm::Instruction>(U)->eraseFromParent();
    F.eraseFromParent();
  }
}

/// With _FORTIFY_SOURCE the C library's headers call checking forms, whose last
/// argument is the size of the destination.
void dropFortification(llvm::Module &M) {
  for (llvm::StringRef Name : {"memcpy", "memmove", "memset"}) {
    llvm::Function *Checked = M.getFunction(("__" + Name + "_chk").str());
    if (!Checked || !Checked->isDeclaration() || Checked->arg_size() != 4)
      continue;
    llvm::FunctionType *T = Checked->getFunctionType();
    llvm::FunctionCallee Plain = M.getOrInsertFunction(
        Name, llvm::FunctionType::get(T->getReturnType(), T->params().take_front(3), false));
    for (llvm::User *U : llvm::make_early_inc_range(Checked->users())) {
      auto *Call = dyn_cast<llvm::CallInst>(U);
      if (!Call || Call->getCalledFunction() != Checked)
        continue;
      auto *New = llvm::CallInst::Create(
          Plain, {Call->getArgOperand(0), Call->getArgOperand(1), Call->getArgOperand(2)}, "",
          Call->getIterator());
      New->setDebugLoc(Call->getDebugLoc());
      Call->replaceAllUsesWith(New);
      Call->eraseFromParent();
    }
  }
}

} // namespace

std::unique_ptr<llvm::Module> generateDeviceCode(CompilerInstance &CI,
                                                 llvm::ArrayRef<KernelEntity *> Order,
                                                 KernelTable &Kernels, const CallGraph &Graph,
                                                 llvm::LLVMContext &LLVM) {
  ASTContext &C = CI.getASTContext();
  SanitizerMask Checks = trappingChecks(CI.getLangOpts(), CI.getCodeGenOpts());
  bool Traps = Checks || CI.getLangOpts().getSignedOverflowBehavior() == LangOptions::SOB_Trapping;
  DeviceLanguage Language(CI.getLangOpts(), Checks);
  DeviceWarnings Warnings(CI.getDiagnostics());
  DeviceAttributes Attributes(C, Graph, Traps);
  CodeGenOptions Options = deviceCodeGenOptions(CI.getCodeGenOpts(), Checks);
  std::unique_ptr<CodeGenerator> Generator(
      CreateLLVMCodeGen(CI.getDiagnostics(), "device", &CI.getVirtualFileSystem(),
                        CI.getHeaderSearchOpts(), CI.getPreprocessorOpts(), Options, LLVM));
  Generator->Initialize(C);
  auto Feed = [&](const Decl *D) {
    Generator->HandleTopLevelDecl(DeclGroupRef(const_cast<Decl *>(D)));
  };
  for (const VarDecl *V : Graph.variables())
    if (V->isThisDeclarationADefinition() == VarDecl::TentativeDefinition)
      Generator->CompleteTentativeDefinition(const_cast<VarDecl *>(V));
    else if (V->isFileVarDecl())
      Feed(V);
  for (const FunctionDecl *F : Graph.functions())
    Feed(F);
  for (KernelEntity *K : Order)
    Feed(makeEntry(C, Kernels, *K));
  Generator->HandleTranslationUnit(C);
  std::unique_ptr<llvm::Module> M(Generator->ReleaseModule());
  if (!M)
    return nullptr;
  dropAnnotations(*M);
  dropFortification(*M);
  for (llvm::GlobalVariable &G : M->globals())
    if (G.getSection() == LocalSection || G.getSection() == LocalInitSection) {
      G.setComdat(nullptr);
      G.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  return M;
}

} // namespace ka
