//===- arithmetic.h - LLVM's intrinsics as plain instructions -------------===//
//
// SPIR-V 1.2 has few of LLVM's intrinsics; the translator makes calls of OpenCL
// functions of most others, and PoCL neither inlines nor vectorises those. So
// whatever a handful of instructions can say is said with instructions.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_TARGETS_SPIRV_ARITHMETIC_H
#define KA_COMPILER_TARGETS_SPIRV_ARITHMETIC_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ka::spirv {

/// Replaces the arithmetic intrinsics of F. Returns the value that stands for
/// each, which may use device functions.
void expandArithmetic(llvm::Function &F);

/// One intrinsic; null if it is not one of these.
llvm::Value *expandInteger(llvm::IRBuilder<> &B, llvm::IntrinsicInst &I);
llvm::Value *expandFloatingPoint(llvm::IRBuilder<> &B, llvm::IntrinsicInst &I);

/// The upper half of the product of two integers of an even width.
llvm::Value *multiplyHigh(llvm::IRBuilder<> &B, llvm::Value *X, llvm::Value *Y);

} // namespace ka::spirv

#endif
