//===- foreign_words.h - Words of OpenCL C and CUDA, and ka's for them ----===//
#ifndef KA_COMPILER_FRONTEND_FOREIGN_WORDS_H
#define KA_COMPILER_FRONTEND_FOREIGN_WORDS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ka {

/// How a word is written in its language. Names that C programs may have too, max for instance,
/// are words of another language only in that form.
enum class WordUse { Anywhere, Qualifier, Call };

struct WordHere {
  std::string Instead; ///< the end of a sentence; empty if it is no word of these languages
  WordUse Use = WordUse::Anywhere;
};

WordHere wordHere(llvm::StringRef Foreign);

/// The same for CUDA's k<<<groups, size>>>(arguments).
std::string launchHere();

} // namespace ka

#endif
