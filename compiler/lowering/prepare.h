//===- prepare.h - Free the device module of everything of the host -------===//
#ifndef KA_COMPILER_LOWERING_PREPARE_H
#define KA_COMPILER_LOWERING_PREPARE_H

#include "llvm/IR/Module.h"

namespace ka {

/// Makes everything but the entries internal, drops attributes, flags and
/// metadata that speak of the host, marks what synchronises as convergent and
/// everything with a body for inlining. Names of functions with a body get the
/// suffix ".body", so that entry points can have the kernels' names.
void prepare(llvm::Module &M);

} // namespace ka

#endif
