//===- kernel_facts.h - Kernel records written in IR ----------------------===//
//
// What the frontend knows of kernels from the AST, tests write as strings in the
// module: !ka.kernels = !{!0}, !0 = !{!"saxpy scalar:0:4:4:float pointer:8:8:8"}.
//
//===----------------------------------------------------------------------===//
#ifndef KA_TEST_COMPILER_SUPPORT_KERNEL_FACTS_H
#define KA_TEST_COMPILER_SUPPORT_KERNEL_FACTS_H

#include "compiler/lowering/kernel.h"

namespace ka {

/// One kernel: its symbol, then words
///   KIND:OFFSET:SIZE:ALIGN[:FLAG…]   a parameter; KIND is scalar, pointer, aggregate or local;
///                                    flags const, restrict, volatile, float, signed, or
///                                    ptr@OFFSET for a pointer inside an aggregate
///   group:X,Y,Z                      static group size
///   unsafe                           no range guard
/// False if it is none of these.
bool parseKernelFacts(llvm::StringRef Facts, Kernel &K);

/// All kernels of !ka.kernels.
std::vector<Kernel> readKernelFacts(const llvm::Module &M);

} // namespace ka

#endif
