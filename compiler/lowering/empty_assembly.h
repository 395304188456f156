//===- empty_assembly.h - Inline assembly without instructions ------------===//
#ifndef KA_COMPILER_LOWERING_EMPTY_ASSEMBLY_H
#define KA_COMPILER_LOWERING_EMPTY_ASSEMBLY_H

#include "llvm/IR/Module.h"

namespace ka {

/// asm("" : "+r"(x) : : "memory"): the values that go through stay as they are. Programs
/// keep the host's optimiser from something with it, and the device's is told nothing. The
/// frontend has refused all other inline assembly.
void dropEmptyAssembly(llvm::Module &M);

} // namespace ka

#endif
