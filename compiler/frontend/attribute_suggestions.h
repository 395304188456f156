//===- attribute_suggestions.h - What a misspelt attribute meant ----------===//
#ifndef KA_COMPILER_FRONTEND_ATTRIBUTE_SUGGESTIONS_H
#define KA_COMPILER_FRONTEND_ATTRIBUTE_SUGGESTIONS_H

#include "clang/Basic/Diagnostic.h"
#include <string>

namespace ka {

/// What a warning of an unknown attribute lacks, if one of ka's may have been meant: the
/// warning's text with that one's name. Empty for all other diagnostics.
std::string suggestAttribute(const clang::Diagnostic &Info, const clang::LangOptions &Language);

} // namespace ka

#endif
