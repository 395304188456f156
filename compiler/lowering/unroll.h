//===- unroll.h - Loops that become straight code -------------------------===//
#ifndef KA_COMPILER_LOWERING_UNROLL_H
#define KA_COMPILER_LOWERING_UNROLL_H

namespace llvm {
class Module;
}

namespace ka {

/// Unrolls the loops whose source asks for it, and those with barriers whose few turns are known.
void unrollLoops(llvm::Module &M);

} // namespace ka

#endif
