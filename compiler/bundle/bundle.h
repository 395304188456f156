//===- bundle.h - Metadata and device images in one bundle ----------------===//
//
// Writes what ka/abi.h describes.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_BUNDLE_BUNDLE_H
#define KA_COMPILER_BUNDLE_BUNDLE_H

#include "compiler/lowering/kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace ka {

struct Image {
  std::string Target; // "spirv"
  std::string Triple;
  llvm::SmallVector<char, 0> Bytes;
};

/// The metadata of ka/abi.h.
llvm::SmallVector<char, 0> writeMetadata(llvm::ArrayRef<Kernel> Kernels);

/// The same for people and tests: one JSON object.
void printMetadata(llvm::ArrayRef<Kernel> Kernels, llvm::raw_ostream &OS);

/// Concatenated OffloadBinary images: metadata first.
llvm::SmallVector<char, 0> writeBundle(llvm::ArrayRef<char> Metadata, llvm::ArrayRef<Image> Images);

} // namespace ka

#endif
