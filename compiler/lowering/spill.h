//===- spill.h - More arguments than a device takes -----------------------===//
#ifndef KA_COMPILER_LOWERING_SPILL_H
#define KA_COMPILER_LOWERING_SPILL_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Marks arguments of kernels that have too many as KA_METADATA_SPILLED, and makes
/// their entry points read them from a copy of the tuple, to which one more parameter points.
void spillArguments(DeviceModule &Device);

/// What that parameter is marked with.
inline constexpr llvm::StringLiteral SpilledAttribute = "ka-spilled";

} // namespace ka

#endif
