//===- diagnostic_pragma.cpp - #pragma clang diagnostic for ka's groups ---===//

#include "compiler/frontend/diagnostic_pragma.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Pragma.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace ka {
namespace {

/// What clang's own handler does, and for ka's groups the call of the listeners
/// alone.
class DiagnosticHandler : public PragmaHandler {
public:
  explicit DiagnosticHandler(StringRef Namespace)
      : PragmaHandler("diagnostic"), Namespace(Namespace) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &Name) override {
    Start = Name.getLocation();
    Token T;
    PP.LexUnexpandedToken(T);
    StringRef Verb = T.is(tok::identifier) ? T.getIdentifierInfo()->getName() : "";
    if (Verb == "push" || Verb == "pop") {
      PP.LexUnexpandedToken(T);
      stack(PP, Verb == "push", T);
      return;
    }
    auto Level = llvm::StringSwitch<diag::Severity>(Verb)
                     .Case("ignored", diag::Severity::Ignored)
                     .Case("warning", diag::Severity::Warning)
                     .Case("error", diag::Severity::Error)
                     .Case("fatal", diag::Severity::Fatal)
                     .Default(diag::Severity());
    if (!Verb.empty())
      PP.LexUnexpandedToken(T);
    if (Level == diag::Severity()) {
      PP.Diag(T, diag::warn_pragma_diagnostic_invalid);
      return;
    }
    SourceLocation Place = T.getLocation();
    std::string Option;
    if (!PP.FinishLexStringLiteral(T, Option, "pragma diagnostic", /*AllowMacroExpansion=*/false))
      return;
    if (T.isNot(tok::eod))
      PP.Diag(T, diag::warn_pragma_diagnostic_invalid_token);
    else
      map(PP, Level, Option, Place);
  }

private:
  void stack(Preprocessor &PP, bool Push, const Token &Next) {
    if (Push)
      PP.getDiagnostics().pushMappings(Start);
    bool Done = Push || PP.getDiagnostics().popMappings(Start);
    if (!Done)
      PP.Diag(Next, diag::warn_pragma_diagnostic_cannot_pop);
    else if (PPCallbacks *Listener = PP.getPPCallbacks())
      Push ? Listener->PragmaDiagnosticPush(Start, Namespace)
           : Listener->PragmaDiagnosticPop(Start, Namespace);
    if (Next.isNot(tok::eod))
      PP.Diag(Next, diag::warn_pragma_diagnostic_invalid_token);
  }

  void map(Preprocessor &PP, diag::Severity Level, StringRef Option, SourceLocation Place) {
    StringRef Group = Option;
    bool Warning = Group.consume_front("-W");
    if ((!Warning && !Group.consume_front("-R")) || Group.empty()) {
      PP.Diag(Place, diag::warn_pragma_diagnostic_invalid_option);
      return;
    }
    auto Flavor = Warning ? diag::Flavor::WarningOrError : diag::Flavor::Remark;
    DiagnosticsEngine &Diags = PP.getDiagnostics();
    bool Unknown = false;
    if (Group == "everything")
      Diags.setSeverityForAll(Flavor, Level, Start);
    else if (!Warning || !WarningGroups::isKnown(Group))
      Unknown = Diags.setSeverityForGroup(Flavor, Group, Level, Start);
    if (Unknown)
      PP.Diag(Place, diag::warn_pragma_diagnostic_unknown_warning) << Option;
    else if (PPCallbacks *Listener = PP.getPPCallbacks())
      Listener->PragmaDiagnostic(Start, Namespace, Level, Option);
  }

  StringRef Namespace;
  SourceLocation Start;
};

void install(Preprocessor &PP) {
  for (const char *Namespace : {"GCC", "clang"}) {
    auto *Own = new DiagnosticHandler(Namespace);
    // A handler is removed by its name: this is clang's own.
    PP.RemovePragmaHandler(Namespace, Own);
    PP.AddPragmaHandler(Namespace, Own);
  }
}

class Listener : public PPCallbacks {
public:
  explicit Listener(WarningGroups &Groups) : Groups(Groups) {}
  void PragmaDiagnosticPush(SourceLocation, StringRef) override { Groups.push(); }
  void PragmaDiagnosticPop(SourceLocation Loc, StringRef) override { Groups.pop(Loc); }
  void PragmaDiagnostic(SourceLocation Loc, StringRef, diag::Severity Level,
                        StringRef Option) override {
    if (Option.consume_front("-W"))
      Groups.pragma(Loc, Option, Level);
  }

private:
  WarningGroups &Groups;
};

/// `#pragma ka diagnostics` in ka's headers: where clang only preprocesses there
/// is no consumer that could install the handler.
class HeaderPragma : public PragmaHandler {
public:
  HeaderPragma() : PragmaHandler("ka") {}
  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &) override {
    if (PP.isPreprocessedOutput())
      install(PP);
    PP.DiscardUntilEndOfDirective();
  }
};

} // namespace

void handleDiagnosticPragmas(Preprocessor &PP, WarningGroups &Groups) {
  install(PP);
  PP.addPPCallbacks(std::make_unique<Listener>(Groups));
}

} // namespace ka

static PragmaHandlerRegistry::Add<ka::HeaderPragma> Header("ka", "what ka's headers ask for");
