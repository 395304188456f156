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

// Clang maps only its own warnings to groups; what its options say of all
// warnings (-w, -Werror) is therefore applied here.
bool Reporter::warning(StringRef Group, SourceLocation Loc, const Twine &Message) {
  WarningLevel Level = Options.Warnings.lookup(Group);
  if (Level == WarningLevel::Default)
    Level = Diags.getIgnoreAllWarnings()  ? WarningLevel::Ignored
            : Diags.getWarningsAsErrors() ? WarningLevel::Error
                                          : WarningLevel::Warning;
  if (Level == WarningLevel::Error) {
    report(DiagnosticsEngine::Error, Loc, Message + " [-Werror,-W" + Group + "]");
    return true;
  }
  if (Level == WarningLevel::Ignored || Diags.getIgnoreAllWarnings())
    return false;
  report(DiagnosticsEngine::Warning, Loc, Message + " [-W" + Group + "]");
  return true;
}

} // namespace ka
