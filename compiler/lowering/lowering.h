//===- lowering.h - Host IR of kernels to target-independent device IR ----===//
//
// The order of the lowering passes. Each pass has a file pair of its own and is
// also registered for `opt -load-pass-plugin`, where its tests run it alone.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_LOWERING_H
#define KA_COMPILER_LOWERING_LOWERING_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Lowers in place; see DeviceModule for the forms before and after. Returns
/// false after an error was reported.
bool lower(DeviceModule &Device, DiagnosticHandler Report);

} // namespace ka

#endif
