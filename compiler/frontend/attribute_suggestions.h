//===- attribute_suggestions.h - What a misspelt attribute meant ----------===//
#ifndef KA_COMPILER_FRONTEND_ATTRIBUTE_SUGGESTIONS_H
#define KA_COMPILER_FRONTEND_ATTRIBUTE_SUGGESTIONS_H

#include "clang/Frontend/CompilerInstance.h"

namespace ka {

/// From here on clang's warnings of unknown attributes say which of ka's may have
/// been meant.
void suggestAttributes(clang::CompilerInstance &CI);

} // namespace ka

#endif
