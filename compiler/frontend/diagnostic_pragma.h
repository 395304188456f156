//===- diagnostic_pragma.h - #pragma clang diagnostic for ka's groups -----===//
//
// Clang takes the names of ka's warning groups for mistakes, and leaves a pragma
// with such a name out of preprocessed text. In place of its handler comes one
// that knows the names. Clang's own groups are mapped by clang, as before.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_DIAGNOSTIC_PRAGMA_H
#define KA_COMPILER_FRONTEND_DIAGNOSTIC_PRAGMA_H

#include "compiler/frontend/warning_groups.h"
#include "clang/Lex/Preprocessor.h"

namespace ka {

/// Makes `Groups`, which must outlive the preprocessor's work, hear of the pragmas.
void handleDiagnosticPragmas(clang::Preprocessor &PP, WarningGroups &Groups);

} // namespace ka

#endif
