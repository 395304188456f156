//===- address_spaces.h - Host pointers as OpenCL's -----------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_ADDRESS_SPACES_H
#define KA_COMPILER_TARGETS_SPIRV_ADDRESS_SPACES_H

#include "llvm/IR/Module.h"

namespace ka::spirv {

enum AddressSpace : unsigned { Private = 0, Global = 1, Constant = 2, Local = 3, Generic = 4 };

/// Gives every pointer OpenCL's address space: parameters of kernels global,
/// private variables private, constant tables constant or global, and whatever
/// is not known generic. What can be known is found out.
void assignAddressSpaces(llvm::Module &M);

} // namespace ka::spirv

#endif
