//===- attribute_suggestions.cpp - What a misspelt attribute meant --------===//

#include "compiler/frontend/attribute_suggestions.h"
#include "compiler/frontend/nearest.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

using namespace clang;
using llvm::StringRef;

namespace ka {
namespace {

/// ka_local is a macro of ka's headers that hides the GNU form.
constexpr llvm::StringLiteral Scoped[] = {"kernel", "group_size", "unsafe_indices"};
constexpr llvm::StringLiteral Plain[] = {"ka_kernel", "ka_group_size", "ka_unsafe_indices",
                                         "ka_local"};

StringRef meantOf(StringRef Wrong, llvm::ArrayRef<llvm::StringLiteral> Names) {
  return nearest(Wrong, Names, Wrong.size() / 3 + 2);
}

/// The GNU form is unknown only between the brackets of the other one.
std::string meantPlain(StringRef Word) {
  StringRef Near = meantOf(Word, Plain);
  return Near == Word ? ("ka::" + Word.drop_front(strlen("ka_"))).str() : Near.str();
}

/// Reads the attribute as it is written at the warning's place: `ka::name`, with
/// whatever blanks, or a name alone.
std::string meant(const Diagnostic &Info, const LangOptions &Language) {
  const SourceManager &SM = Info.getSourceManager();
  SourceLocation Loc = Info.getNumRanges() ? Info.getRange(0).getBegin() : Info.getLocation();
  std::pair<FileID, unsigned> At = SM.getDecomposedLoc(SM.getSpellingLoc(Loc));
  bool Invalid = false;
  StringRef Text = SM.getBufferData(At.first, &Invalid);
  if (Invalid)
    return "";
  Lexer Words(SM.getLocForStartOfFile(At.first), Language, Text.begin(), Text.begin() + At.second,
              Text.end());
  Token First, Colons, Name;
  Words.LexFromRawLexer(First);
  Words.LexFromRawLexer(Colons);
  Words.LexFromRawLexer(Name);
  if (First.isNot(tok::raw_identifier))
    return "";
  StringRef Word = First.getRawIdentifier();
  if (Word != "ka" || Colons.isNot(tok::coloncolon) || Name.isNot(tok::raw_identifier))
    return Word == "kernel" ? "ka::kernel" : Word.starts_with("ka_") ? meantPlain(Word) : "";
  Word = Name.getRawIdentifier();
  if (Word == "local")
    return "ka_local";
  StringRef Near = meantOf(Word, Scoped);
  return Near.empty() ? "" : ("ka::" + Near).str();
}

} // namespace

std::string suggestAttribute(const Diagnostic &Info, const LangOptions &Language) {
  std::string Meant;
  if (Info.getID() == diag::warn_unknown_attribute_ignored)
    Meant = meant(Info, Language);
  // OpenCL's attribute, which clang knows but ignores in C.
  else if (Info.getID() == diag::warn_attribute_ignored && Info.getNumArgs() == 1 &&
           Info.getArgKind(0) == DiagnosticsEngine::ak_identifierinfo &&
           Info.getArgIdentifier(0)->isStr("kernel"))
    Meant = "ka_kernel";
  if (Meant.empty())
    return "";
  llvm::SmallString<100> Text;
  Info.FormatDiagnostic(Text);
  return (Text + "; did you mean '" + Meant + "'?").str();
}

} // namespace ka
