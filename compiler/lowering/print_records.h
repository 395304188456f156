//===- print_records.h - What kernels print as records in a buffer --------===//
//
// The buffer is one of the launch's queue, and libka prints what is in it when the
// kernel has run; ka/abi.h describes both. Kernels reach it through the mailbox.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_PRINT_RECORDS_H
#define KA_COMPILER_LOWERING_PRINT_RECORDS_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Replaces the calls that namePrints() has made, in an entry point, when the shape of
/// its code is final. False if a format or an argument cannot be followed or printed.
bool writePrints(llvm::Function &F, DiagnosticHandler Report);

} // namespace ka

#endif
