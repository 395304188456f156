//===- division.h - Integer division with a result for all operands -------===//
#ifndef KA_COMPILER_LOWERING_DIVISION_H
#define KA_COMPILER_LOWERING_DIVISION_H

#include "llvm/IR/Function.h"

namespace ka {

/// In kernels x / 0 is x and x % 0 is 0; the most negative number divided by -1
/// is itself, remainder 0. Otherwise a kernel on a CPU would end the program,
/// and one on a GPU would go on with any value.
void makeDivisionTotal(llvm::Function &F);

} // namespace ka

#endif
