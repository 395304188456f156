//===- other_languages.cpp - Words of OpenCL C and CUDA -------------------===//
//
// Clang's own search for similar names finds some of ka's names for them, but also wrong
// ones (int for uint, a type of ka's for __kernel), and it gives up in files with many
// unknown names.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/other_languages.h"
#include "compiler/frontend/foreign_words.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace ka {
namespace {

constexpr char NameLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool isUnknownName(unsigned Id) {
  switch (Id) {
  case diag::err_unknown_typename:
  case diag::err_unknown_typename_suggest:
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_var_use_suggest:
  case diag::ext_implicit_function_decl_c99:
  case diag::warn_implicit_function_decl:
  // Attributes of OpenCL C, which clang knows but refuses in C.
  case diag::err_opencl_kernel_attr:
    return true;
  default:
    return false;
  }
}

std::string textOf(const Diagnostic &Info) {
  llvm::SmallString<100> Text;
  Info.FormatDiagnostic(Text);
  return Text.str().str();
}

StringRef quoted(StringRef Text) { return Text.split('\'').second.split('\'').first; }

/// What stands at a diagnostic's place and around it.
struct Place {
  StringRef Before;                   ///< the file up to there
  tok::TokenKind Kind = tok::unknown; ///< of the token there
  tok::TokenKind Next = tok::unknown; ///< of the token behind it
};

Place placeOf(const Diagnostic &Info, const LangOptions &Language) {
  Place Result;
  if (!Info.hasSourceManager() || Info.getLocation().isInvalid())
    return Result;
  const SourceManager &SM = Info.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getSpellingLoc(Info.getLocation()));
  bool Invalid = false;
  StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid)
    return Result;
  Result.Before = Text.take_front(Offset);
  Lexer Words(SM.getLocForStartOfFile(File), Language, Text.begin(), Text.begin() + Offset,
              Text.end());
  Token First, Second;
  Words.LexFromRawLexer(First);
  Words.LexFromRawLexer(Second);
  Result.Kind = First.getKind();
  Result.Next = Second.getKind();
  return Result;
}

bool isUnmistakable(StringRef Name, WordUse Use) {
  return Use == WordUse::Anywhere || Name.starts_with("__");
}

bool isUsedAs(WordUse Use, const Place &Here) {
  return Here.Next == (Use == WordUse::Call ? tok::l_paren : tok::raw_identifier);
}

/// Clang's similar name for one that C programs may have is what was meant, if it is not ka's.
bool isWrongName(StringRef Similar, bool IsUnmistakable) {
  return IsUnmistakable || Similar.starts_with("ka_");
}

ForeignWord explainUnknownName(const Diagnostic &Info, const LangOptions &Language) {
  std::string Text = textOf(Info);
  StringRef Name = quoted(Text);
  WordHere Word = wordHere(Name);
  bool Sure = isUnmistakable(Name, Word.Use);
  if (Word.Instead.empty() || (!Sure && !isUsedAs(Word.Use, placeOf(Info, Language))))
    return {};
  auto [Said, Suggested] = StringRef(Text).split(';');
  StringRef Similar = quoted(Suggested);
  if (!Similar.empty() && !isWrongName(Similar, Sure))
    return {};
  // What clang says besides is of use to those who meant a name of their own.
  if (!Sure && Similar.empty())
    Said = Text;
  ForeignWord Result{(Said + "; " + Word.Instead).str(), Sure};
  if (!Similar.empty())
    Result.Replaced =
        SourceRange(Info.getLocation(), Info.getLocation().getLocWithOffset((int)Name.size()));
  return Result;
}

bool isBlankBetween(SourceLocation Begin, SourceLocation End, const SourceManager &SM) {
  bool Invalid = false;
  StringRef Text =
      Lexer::getSourceText(CharSourceRange::getCharRange(Begin, End), SM, LangOptions(), &Invalid);
  return !Invalid && Text.trim().empty();
}

/// Where no name can stand the parser complains of what comes behind it.
ForeignWord explainParseError(const Diagnostic &Info, const LangOptions &Language) {
  if (DiagnosticIDs::getCategoryNameFromID(DiagnosticIDs::getCategoryNumberForDiag(Info.getID())) !=
          "Parse Issue" ||
      !DiagnosticIDs::isDefaultMappingAsError(Info.getID()) || !Info.getLocation().isFileID())
    return {};
  Place Here = placeOf(Info, Language);
  if (Info.getID() == diag::err_expected_expression && Here.Kind == tok::less &&
      Here.Before.ends_with("<<"))
    return {textOf(Info) + "; " + launchHere()};
  // Behind a type a foreign qualifier is taken for what is declared, and in
  // `void __launch_bounds__(64) k(…)` for a function of that name.
  StringRef Before = Here.Before.rtrim();
  if (Info.getID() == diag::err_missing_param && Before.consume_back("("))
    Before = Before.rtrim();
  StringRef Name = Before.take_back(Before.size() - Before.find_last_not_of(NameLetters) - 1);
  WordHere Word = wordHere(Name);
  if (Word.Use != WordUse::Qualifier || !isUnmistakable(Name, Word.Use))
    return {};
  return {(Twine(textOf(Info)) + " at '" + Name + "'; " + Word.Instead).str()};
}

} // namespace

ForeignWord explainForeignWord(const Diagnostic &Info, const LangOptions &Language) {
  return isUnknownName(Info.getID()) ? explainUnknownName(Info, Language)
                                     : explainParseError(Info, Language);
}

bool isNoteOfWrongName(const Diagnostic &Info, const ForeignWord &Word) {
  return !Word.Text.empty() &&
         (Info.getID() == diag::note_function_suggestion ||
          Info.getID() == diag::note_previous_decl) &&
         isWrongName(quoted(textOf(Info)), Word.IsUnmistakable);
}

bool isAboutWrongName(const Diagnostic &Info, const ForeignWord &Word) {
  if (Word.Replaced.isInvalid())
    return false;
  switch (Info.getID()) {
  case diag::err_typecheck_call_too_few_args:
  case diag::err_typecheck_call_too_few_args_one:
  case diag::err_typecheck_call_too_many_args:
  case diag::err_typecheck_call_too_many_args_one:
    return llvm::any_of(Info.getRanges(), [&](const CharSourceRange &Range) {
      return Range.getBegin() == Word.Replaced.getBegin();
    });
  case diag::err_invalid_decl_spec_combination:
    return isBlankBetween(Word.Replaced.getEnd(), Info.getLocation(), Info.getSourceManager());
  default:
    return false;
  }
}

} // namespace ka
