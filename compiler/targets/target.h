//===- target.h - The interface of a device target ------------------------===//
//
// A target turns lowered device IR into an image. One folder per target.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_TARGETS_TARGET_H
#define KA_COMPILER_TARGETS_TARGET_H

#include "compiler/lowering/kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace ka {

class Target {
public:
  virtual ~Target() = default;

  /// The name in --ka-targets and in the bundle: "spirv".
  virtual llvm::StringRef name() const = 0;
  /// LLVM's triple for the bundle.
  virtual llvm::StringRef triple() const = 0;

  /// Retargets the module: address spaces, calling conventions, builtin names,
  /// legal types. Afterwards the module is what --ka-emit=llvm prints. May set
  /// capability flags of kernels. Returns false after an error was reported.
  virtual bool legalise(DeviceModule &Device, DiagnosticHandler Report) const = 0;

  /// Writes the image of a legalised module.
  virtual bool emit(DeviceModule &Device, llvm::SmallVectorImpl<char> &Image,
                    DiagnosticHandler Report) const = 0;
};

/// All targets, in the order of preference; a null-terminated search by name.
llvm::ArrayRef<const Target *> targets();
const Target *findTarget(llvm::StringRef Name);

} // namespace ka

#endif
