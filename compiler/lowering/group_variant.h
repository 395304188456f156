//===- group_variant.h - One item of the device does a group's work -------===//
//
// On a CPU all items of a group run in one thread, and the driver makes loops over
// them. LLVM vectorises those loops, but not with an atomic in them, and nothing else
// that an item could do to note a failure is both right and cheap. So a kernel with traps
// gets a further entry point that has the loops itself: a failure is then a number that the
// loop takes along, and is told behind it.
//
// The idea of such a function for a whole group, and of a loop for each region between
// barriers, is PoCL's. It says work-group function, parallel region, work-item loop, and
// context array for the arrays of group_values.h.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_GROUP_VARIANT_H
#define KA_COMPILER_LOWERING_GROUP_VARIANT_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Adds "<symbol>__ka_group", if the kernel has traps and its items can be run one after the other;
/// sets the flag GROUP, and ANY_GROUP if the group's shape makes no difference. Call it after the
/// kernel's barriers have been checked and before its group memory is initialised.
void addGroupVariant(llvm::Function &Plain, Kernel &K);

} // namespace ka

#endif
