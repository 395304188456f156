//===- software_collectives.h - Sub-groups without help of the device -----===//
#ifndef KA_COMPILER_LOWERING_SOFTWARE_COLLECTIVES_H
#define KA_COMPILER_LOWERING_SOFTWARE_COLLECTIVES_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// Replaces sub-group functions and collectives by barriers and group memory, which
/// each entry point that exchanges values gets as one more, last parameter. Sets
/// Kernel::SubGroupSize and Kernel::ItemLocalBytes. For targets with nothing better.
void expandCollectives(DeviceModule &Device);

} // namespace ka

#endif
