//===- range_guard.h - Ranges that the group size does not divide ---------===//
#ifndef KA_COMPILER_LOWERING_RANGE_GUARD_H
#define KA_COMPILER_LOWERING_RANGE_GUARD_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Adds "<symbol>__ka_padded" to each kernel that needs it, checks barriers, and
/// initialises group memory in both variants. Sets the flags PADDED, BARRIER
/// and UNSAFE_INDICES. False after an error.
bool addRangeGuards(DeviceModule &Device, DiagnosticHandler Report);

} // namespace ka

#endif
