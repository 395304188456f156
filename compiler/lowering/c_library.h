//===- c_library.h - C library functions that kernels may call ------------===//
//
// Calls of <math.h>, <stdlib.h> and <string.h> become device functions under
// OpenCL's mangled names, intrinsics, or plain arithmetic.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_C_LIBRARY_H
#define KA_COMPILER_LOWERING_C_LIBRARY_H

#include "compiler/lowering/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include <string>

namespace ka {

/// Whether kernels may call the C function of this name. The frontend asks
/// before it reports a function without a body.
bool isDeviceLibraryFunction(llvm::StringRef CName);

/// Those that are not of <math.h> and <ctype.h>, for messages: "abs, labs, ...".
std::string deviceLibraryFunctions();

/// Maps all calls in the module. Calls with constant arguments are folded with
/// the host's mathematics.
void mapCLibrary(llvm::Module &M);

/// Calls the device function with this OpenCL name (not mangled), declared as
/// free of effects. All arguments must have types that OpenCL C can name.
llvm::CallInst *callDeviceFunction(llvm::IRBuilderBase &B, llvm::StringRef Name, llvm::Type *Result,
                                   llvm::ArrayRef<llvm::Value *> Args);

} // namespace ka

#endif
