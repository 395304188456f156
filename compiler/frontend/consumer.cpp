//===- consumer.cpp - The frontend as an AST consumer ---------------------===//
//
// The order of events in one translation unit:
//
//   1. Each declaration, before the host's code generator sees it: kernels are
//      entered and get a host body, launches are rewritten (launch.cpp).
//   2. At the end: everything that kernels reach is found (call_graph.cpp) and
//      checked (body_checks.cpp).
//   3. A second code generator makes device IR (device_codegen.cpp); lowering,
//      targets and bundle follow (device_images.cpp).
//   4. The host's code generator is given the bundle (descriptor.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/consumer.h"
#include "compiler/frontend/body_checks.h"
#include "compiler/frontend/call_graph.h"
#include "compiler/frontend/completed_diagnostics.h"
#include "compiler/frontend/descriptor.h"
#include "compiler/frontend/device_codegen.h"
#include "compiler/frontend/device_images.h"
#include "compiler/frontend/diagnostic_pragma.h"
#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/kernel_table.h"
#include "compiler/frontend/launch.h"
#include "compiler/frontend/metadata.h"
#include "compiler/frontend/print_checks.h"
#include "compiler/frontend/product.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"

using namespace clang;

namespace ka {
namespace {

/// What the main action makes of the translation unit.
enum class Work { Nothing, Checks, Object };

Work workFor(const CompilerInstance &CI) {
  // Clang makes a module for an object with the object's action.
  LangOptions::CompilingModuleKind Module = CI.getLangOpts().getCompilingModule();
  if (Module == LangOptions::CMK_ModuleMap || Module == LangOptions::CMK_HeaderUnit)
    return Work::Nothing;
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return Work::Object;
  case frontend::ParseSyntaxOnly:
    return Work::Checks;
  default:
    return Work::Nothing; // a precompiled header or a module is handled where it is used
  }
}

/// LLVM's own errors would end the process.
class LLVMErrors : public llvm::DiagnosticHandler {
public:
  explicit LLVMErrors(Reporter &Report) : Report(Report) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override {
    if (Info.getSeverity() != llvm::DS_Error)
      return true;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    llvm::DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    Report.error({}, "device code: " + OS.str());
    return true;
  }

private:
  Reporter &Report;
};

/// Gives kernels their authors' bodies while it lives.
class DeviceBodies {
public:
  explicit DeviceBodies(KernelTable &Kernels) : Kernels(Kernels) {
    for (auto &[First, K] : Kernels)
      if (K->Definition)
        K->Definition->setBody(K->DeviceBody);
  }
  ~DeviceBodies() {
    for (auto &[First, K] : Kernels)
      if (K->Definition)
        K->Definition->setBody(K->HostBody);
  }
  DeviceBodies(const DeviceBodies &) = delete;

private:
  KernelTable &Kernels;
};

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &CI, FrontendOptions Chosen)
      : CI(CI), Options(std::move(Chosen)), Report(CI.getDiagnostics(), Options.Warnings),
        ToDo(workFor(CI)) {
    handleDiagnosticPragmas(CI.getPreprocessor(), Options.Warnings);
    completeDiagnostics(CI);
  }

  void Initialize(ASTContext &Context) override {
    C = &Context;
    Kernels = std::make_unique<KernelTable>(Context);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    if (ToDo != Work::Nothing && !Finished) {
      for (Decl *D : Group)
        visit(D);
      if (Active)
        Formats.putOff(*C);
    }
    return true;
  }

  void HandleTranslationUnit(ASTContext &) override {
    if (ToDo == Work::Nothing)
      return;
    // Functions of a precompiled header come only when they are used.
    if (C->getExternalSource())
      for (Decl *D : C->getTranslationUnitDecl()->decls())
        if (D->isFromASTFile())
          visit(D);
    Finished = true;
    if (!Active && Options.Emit.empty())
      return;
    if (!Report.otherErrors())
      finish();
  }

private:
  /// Files without kernels cost nothing: a declaration is walked only when the
  /// names without which there is neither kernel nor launch have been read.
  bool isActive() {
    if (!Active)
      Active = C->getExternalSource() || isKnown("ka__kernel") || isKnown("ka_kernel") ||
               isKnown("ka_local") || isKnown("ka");
    return Active;
  }
  bool isKnown(llvm::StringRef Name) const { return C->Idents.find(Name) != C->Idents.end(); }

  void visit(Decl *D) {
    if (isActive() && Visited.insert(D).second)
      visitHostDeclaration(D, *C, *Kernels, Report, Uses);
  }

  void finish() {
    LLVM.setDiagnosticHandler(std::make_unique<LLVMErrors>(Report));
    std::vector<KernelEntity *> Order;
    DeviceImages Images;
    {
      DeviceBodies Bodies(*Kernels);
      CallGraph Graph(*Kernels, *C);
      Formats.make(CI.getSema(), Graph);
      checkDeviceCode(Graph, *C, Report);
      checkHostUses(Uses, Graph, Report);
      checkDefinitions();
      if (Report.anyErrors() || (ToDo != Work::Object && Options.Emit.empty()))
        return;
      Order = emittedKernels();
      if (Order.empty()) {
        if (!Options.Emit.empty())
          Report.error({}, "nothing to emit: '" + mainFile() + "' defines no kernel");
        return;
      }
      if (!makeImages(Graph, Order, Images))
        return;
    }
    if (!Options.Emit.empty())
      writeProduct(CI, Images, Options);
    else
      embed(Order, Images);
  }

  /// A static kernel must be in this file. The linker finds the others.
  void checkDefinitions() {
    for (auto &[First, K] : *Kernels)
      if (K->Descriptor && !K->Definition && !First->isExternallyVisible())
        Report.error(First->getLocation(),
                     "kernel " + quoted(First) + " is launched but not defined");
  }

  /// Those whose descriptors belong into this object: not a C99 inline function
  /// that has its definition elsewhere.
  std::vector<KernelEntity *> emittedKernels() {
    std::vector<KernelEntity *> Order;
    for (auto &[First, K] : *Kernels)
      if (K->Definition && C->GetGVALinkageForFunction(K->Definition) != GVA_AvailableExternally)
        Order.push_back(K.get());
    return Order;
  }

  bool makeImages(const CallGraph &Graph, llvm::ArrayRef<KernelEntity *> Order,
                  DeviceImages &Images) {
    DeviceModule Device;
    Device.Module = generateDeviceCode(CI, Order, *Kernels, Graph, LLVM);
    if (!Device.Module)
      return false;
    for (KernelEntity *K : Order)
      Device.Kernels.push_back(describeKernel(*K, *Kernels, *C));
    auto Handle = [&](const Diagnostic &Finding) {
      reportFinding(Report, *C, Finding, Graph.functions(), Order);
    };
    bool Made = buildImages(std::move(Device), Options, Handle, Images);
    if (!Made && !Report.anyErrors())
      Report.error({}, "device code of '" + mainFile() + "' could not be made");
    return Made && !Report.anyErrors();
  }

  void embed(llvm::ArrayRef<KernelEntity *> Order, const DeviceImages &Images) {
    llvm::SmallVector<char, 0> Bundle = writeBundle(writeMetadata(Images.Kernels), Images.Images);
    for (Decl *D : makeDescriptors(*C, *Kernels, Order, Bundle, mainFile()))
      CI.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(D));
  }

  std::string mainFile() const {
    const SourceManager &SM = C->getSourceManager();
    PresumedLoc Place = SM.getPresumedLoc(SM.getLocForStartOfFile(SM.getMainFileID()));
    return Place.isValid() ? sourceName(Place, *C) : "";
  }

  CompilerInstance &CI;
  FrontendOptions Options;
  Reporter Report;
  Work ToDo;
  ASTContext *C = nullptr;
  std::unique_ptr<KernelTable> Kernels;
  HostUses Uses;
  FormatChecks Formats;
  llvm::LLVMContext LLVM;
  llvm::DenseSet<const Decl *> Visited;
  bool Active = false;
  bool Finished = false;
};

} // namespace

std::unique_ptr<ASTConsumer> makeConsumer(CompilerInstance &CI, FrontendOptions Options) {
  return std::make_unique<Consumer>(CI, std::move(Options));
}

} // namespace ka
