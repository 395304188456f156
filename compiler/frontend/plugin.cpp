//===- plugin.cpp - The frontend as a plugin of clang ---------------------===//

#include "compiler/frontend/consumer.h"
#include "compiler/frontend/options.h"
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
    if (llvm::Expected<ka::FrontendOptions> Parsed = ka::FrontendOptions::parse(Arguments)) {
      Options = std::move(*Parsed);
      return true;
    } else {
      DiagnosticsEngine &Diags = CI.getDiagnostics();
      Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "ka: %0"))
          << toString(Parsed.takeError());
      return false;
    }
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  ka::FrontendOptions Options;
};

} // namespace

static FrontendPluginRegistry::Add<Action> Plugin("ka", "kernel abstractions for C");
