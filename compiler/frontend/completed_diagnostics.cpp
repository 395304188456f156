//===- completed_diagnostics.cpp - What clang's diagnostics lack ----------===//
//
// Clang reports attributes and names that it does not know before any part of a plugin
// sees them. So this stands between clang and whoever prints its diagnostics.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/completed_diagnostics.h"
#include "compiler/frontend/attribute_suggestions.h"
#include "compiler/frontend/other_languages.h"

using namespace clang;

namespace ka {
namespace {

class Completer : public DiagnosticConsumer {
public:
  Completer(DiagnosticConsumer *Next, std::unique_ptr<DiagnosticConsumer> Owned,
            const LangOptions &Language)
      : Next(Next), Owned(std::move(Owned)), Language(Language) {
    takeCounts();
  }

  void clear() override {
    Next->clear();
    takeCounts();
  }
  void BeginSourceFile(const LangOptions &Options, const Preprocessor *PP) override {
    Next->BeginSourceFile(Options, PP);
  }
  void EndSourceFile() override {
    Next->EndSourceFile();
    takeCounts();
  }
  void finish() override {
    Next->finish();
    takeCounts();
  }
  bool IncludeInDiagnosticCounts() const override { return Next->IncludeInDiagnosticCounts(); }

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Level != DiagnosticsEngine::Note)
      IsDropped = isAboutWrongName(Info, Foreign);
    if (IsDropped || isNoteOfWrongName(Info, Foreign))
      return;
    if (std::string Text = suggestAttribute(Info, Language); !Text.empty()) {
      Next->HandleDiagnostic(Level, Diagnostic(Info.getDiags(), Text));
    } else if (Level == DiagnosticsEngine::Note) {
      Next->HandleDiagnostic(Level, Info);
    } else {
      Foreign = explainForeignWord(Info, Language);
      if (Foreign.Text.empty())
        Next->HandleDiagnostic(Level, Info);
      else
        handleWithoutFixes(Level, Info, Foreign.Text);
    }
    takeCounts();
  }

private:
  /// The fix belongs to the text that this one replaces. What is in flight cannot be
  /// changed, so another engine hands it on.
  void handleWithoutFixes(DiagnosticsEngine::Level Level, const Diagnostic &Info,
                          llvm::StringRef Text) {
    const DiagnosticsEngine &From = *Info.getDiags();
    DiagnosticsEngine Plain(From.getDiagnosticIDs(), &From.getDiagnosticOptions(), Next,
                            /*ShouldOwnClient=*/false);
    Plain.setSourceManager(&Info.getSourceManager());
    Plain.Report(StoredDiagnostic(Level, Info.getID(), Text,
                                  FullSourceLoc(Info.getLocation(), Info.getSourceManager()),
                                  Info.getRanges(), {}));
  }

  /// Those that print decide what counts: with -verify nothing that was expected.
  void takeCounts() {
    NumErrors = Next->getNumErrors();
    NumWarnings = Next->getNumWarnings();
  }

  DiagnosticConsumer *Next;
  std::unique_ptr<DiagnosticConsumer> Owned; // null if somebody else owns it
  const LangOptions &Language;
  ForeignWord Foreign;    // the last one, or empty after other errors and warnings
  bool IsDropped = false; // what was last said, so that its notes are too
};

} // namespace

void completeDiagnostics(CompilerInstance &CI) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  DiagnosticConsumer *Next = Diags.getClient();
  Diags.setClient(new Completer(Next, Diags.takeClient(), CI.getLangOpts()));
}

} // namespace ka
