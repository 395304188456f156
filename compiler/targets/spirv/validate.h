//===- validate.h - What the translator must not see ----------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_VALIDATE_H
#define KA_COMPILER_TARGETS_SPIRV_VALIDATE_H

#include "compiler/lowering/kernel.h"

namespace ka::spirv {

/// Reports every type and instruction that SPIR-V 1.2 without extensions has no
/// form for. The translator and LLVM end the process on some of these. False
/// after an error.
bool validate(llvm::Module &M, DiagnosticHandler Report);

} // namespace ka::spirv

#endif
