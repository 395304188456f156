//===- body_checks.h - What code in kernels may do ------------------------===//
#ifndef KA_COMPILER_FRONTEND_BODY_CHECKS_H
#define KA_COMPILER_FRONTEND_BODY_CHECKS_H

#include "compiler/frontend/call_graph.h"
#include "compiler/frontend/launch.h"

namespace ka {

/// Everything that kernels reach: reports what devices cannot do.
void checkDeviceCode(const CallGraph &Graph, const clang::ASTContext &C, Reporter &Report);

/// Uses of kernels and group memory in code that does not run on the device.
void checkHostUses(const HostUses &Uses, const CallGraph &Graph, Reporter &Report);

} // namespace ka

#endif
