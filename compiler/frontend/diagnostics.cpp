//===- diagnostics.cpp - How the frontend reports -------------------------===//

#include "compiler/frontend/diagnostics.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace ka {

std::string quoted(const NamedDecl *D) { return "'" + D->getNameAsString() + "'"; }

void Reporter::report(DiagnosticsEngine::Level Level, SourceLocation Loc, const Twine &Message) {
  unsigned Before = Diags.getNumErrors();
  Diags.Report(Loc, Diags.getCustomDiagID(Level, "%0")) << Message.str();
  OwnErrors += Diags.getNumErrors() - Before;
}

void Reporter::error(SourceLocation Loc, const Twine &Message) {
  report(DiagnosticsEngine::Error, Loc, Message);
}

void Reporter::note(SourceLocation Loc, const Twine &Message) {
  report(DiagnosticsEngine::Note, Loc, Message);
}

bool Reporter::warning(StringRef Group, SourceLocation Loc, const Twine &Message) {
  switch (Groups.levelAt(Group, Loc, Diags)) {
  case WarningLevel::Ignored:
    return false;
  case WarningLevel::Warning:
    report(DiagnosticsEngine::Warning, Loc, Message + " [-W" + Group + "]");
    return true;
  case WarningLevel::Error:
    report(DiagnosticsEngine::Error, Loc, Message + " [-Werror,-W" + Group + "]");
    return true;
  }
  return false;
}

} // namespace ka
