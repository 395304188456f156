//===- other_languages.h - Words of OpenCL C and CUDA ---------------------===//
#ifndef KA_COMPILER_FRONTEND_OTHER_LANGUAGES_H
#define KA_COMPILER_FRONTEND_OTHER_LANGUAGES_H

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include <string>

namespace ka {

/// What an error about a word of OpenCL C or CUDA lacks.
struct ForeignWord {
  /// The error's text with what ka has in its place; empty for all other diagnostics.
  std::string Text = {};
  /// C programs have no such name, so a similar one that clang finds is not what was meant.
  bool IsUnmistakable = false;
  /// The word, if clang goes on with a similar name in its place that is not named to the user.
  clang::SourceRange Replaced = {};
};

ForeignWord explainForeignWord(const clang::Diagnostic &Info, const clang::LangOptions &Language);

/// Whether a note tells of the similar name that clang found for the word, while that cannot be
/// what was meant.
bool isNoteOfWrongName(const clang::Diagnostic &Info, const ForeignWord &Word);

/// Whether an error comes only from clang's going on with a similar name in the word's place: a
/// call through the word, or the type behind it.
bool isAboutWrongName(const clang::Diagnostic &Info, const ForeignWord &Word);

} // namespace ka

#endif
