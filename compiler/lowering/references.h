//===- references.h - What kernels refer to must be on the device ---------===//
#ifndef KA_COMPILER_LOWERING_REFERENCES_H
#define KA_COMPILER_LOWERING_REFERENCES_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Reports functions without a body that no device has, and variables that are
/// not constant tables or group memory. The frontend has said so before, with
/// carets, of all that it could see. False after an error.
bool checkReferences(llvm::Module &M, DiagnosticHandler Report);

} // namespace ka

#endif
