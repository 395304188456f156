//===- other_languages.h - Words of OpenCL C and CUDA ---------------------===//
#ifndef KA_COMPILER_FRONTEND_OTHER_LANGUAGES_H
#define KA_COMPILER_FRONTEND_OTHER_LANGUAGES_H

#include "clang/Basic/Diagnostic.h"
#include <string>

namespace ka {

/// What an error about an unknown name lacks, if the name is one of OpenCL C or CUDA: the
/// error's text with what ka has in its place. Empty for all other diagnostics.
std::string explainForeignName(const clang::Diagnostic &Info);

} // namespace ka

#endif
