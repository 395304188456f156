//===- product.h - Writes what emit=... asks for ----------------------------===//
#ifndef KA_COMPILER_FRONTEND_PRODUCT_H
#define KA_COMPILER_FRONTEND_PRODUCT_H

#include "compiler/frontend/device_images.h"
#include "clang/Frontend/CompilerInstance.h"

namespace ka {

/// Writes to Options.Output; reports a file that cannot be written.
void writeProduct(clang::CompilerInstance &CI, const DeviceImages &Images,
                  const FrontendOptions &Options);

} // namespace ka

#endif
