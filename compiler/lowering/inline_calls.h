//===- inline_calls.h - One function per kernel ---------------------------===//
#ifndef KA_COMPILER_LOWERING_INLINE_CALLS_H
#define KA_COMPILER_LOWERING_INLINE_CALLS_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Inlines all that has a body into the kernels and drops the rest. What cannot
/// be inlined is reported. False after an error.
bool inlineCalls(llvm::Module &M, DiagnosticHandler Report);

} // namespace ka

#endif
