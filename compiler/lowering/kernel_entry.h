//===- kernel_entry.h - Device entry points with one parameter a field ----===//
#ifndef KA_COMPILER_LOWERING_KERNEL_ENTRY_H
#define KA_COMPILER_LOWERING_KERNEL_ENTRY_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Makes the function "<symbol>" for each kernel: it takes the fields of the
/// argument tuple as parameters of their own, so that restrict and const are
/// known, puts the tuple together and calls "ka.entry.<symbol>". Inlining and
/// SROA dissolve the tuple. False after an error.
bool makeKernelEntries(DeviceModule &Device, DiagnosticHandler Report);

} // namespace ka

#endif
