//===- device_images.h - From device IR to images ---------------------------===//
#ifndef KA_COMPILER_FRONTEND_DEVICE_IMAGES_H
#define KA_COMPILER_FRONTEND_DEVICE_IMAGES_H

#include "compiler/bundle/bundle.h"
#include "compiler/frontend/options.h"
#include "compiler/lowering/kernel.h"

namespace ka {

struct DeviceImages {
  std::vector<Kernel> Kernels; // complete: flags of all targets
  std::vector<Image> Images;   // in the order of Options.Targets
  /// The IR that Options.Emit asks for, as text.
  std::string Assembly;
};

/// Lowers the module and makes an image for each target. Returns false after an
/// error was reported.
bool buildImages(DeviceModule Device, const FrontendOptions &Options, DiagnosticHandler Report,
                 DeviceImages &Result);

} // namespace ka

#endif
