//===- completed_diagnostics.h - What clang's diagnostics lack ------------===//
#ifndef KA_COMPILER_FRONTEND_COMPLETED_DIAGNOSTICS_H
#define KA_COMPILER_FRONTEND_COMPLETED_DIAGNOSTICS_H

#include "clang/Frontend/CompilerInstance.h"

namespace ka {

/// From here on clang's warnings of unknown attributes say which of ka's may have
/// been meant, and its errors about words of other languages for kernels what ka has
/// in their place.
void completeDiagnostics(clang::CompilerInstance &CI);

} // namespace ka

#endif
