//===- plugin.cpp - The frontend as a plugin of clang ---------------------===//

#include "compiler/frontend/consumer.h"
#include "compiler/frontend/options.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;

namespace {

class Action : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    return ka::makeConsumer(CI, Options);
  }

  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Arguments) override {
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    llvm::Expected<ka::FrontendOptions> Parsed = ka::FrontendOptions::parse(Arguments);
    if (!Parsed) {
      Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "ka: %0"))
          << toString(Parsed.takeError());
      return false;
    }
    Options = std::move(*Parsed);
    for (const std::string &Name : Options.UnknownWarnings) {
      std::string Meant = ka::WarningGroups::nearest(Name);
      Diags.Report(diag::warn_unknown_diag_option)
          << 0 << "-W" + Name << !Meant.empty() << "-W" + Meant;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  ka::FrontendOptions Options;
};

} // namespace

static FrontendPluginRegistry::Add<Action> Plugin("ka", "kernel abstractions for C");
