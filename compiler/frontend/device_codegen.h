//===- device_codegen.h - Device IR from the host's AST -------------------===//
//
// A second code generator over the same AST: it is handed only what kernels
// reach, and has options of its own, so that nothing the user chose for the
// host's code (no optimisation, sanitizers, coverage, ...) reaches the device.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_DEVICE_CODEGEN_H
#define KA_COMPILER_FRONTEND_DEVICE_CODEGEN_H

#include "compiler/frontend/call_graph.h"
#include "compiler/frontend/kernel_table.h"
#include "clang/Frontend/CompilerInstance.h"

namespace ka {

/// Makes the module that the lowering takes, with an entry for each kernel in
/// `Order`; see DeviceModule. Kernels must have
/// their device bodies. Null after clang has reported an error.
std::unique_ptr<llvm::Module> generateDeviceCode(clang::CompilerInstance &CI,
                                                 llvm::ArrayRef<KernelEntity *> Order,
                                                 KernelTable &Kernels, const CallGraph &Graph,
                                                 llvm::LLVMContext &LLVM);

} // namespace ka

#endif
